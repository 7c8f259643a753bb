import type { Db } from '../db/connect.ts'
import type { OrganizationRow, SpaceRow, UserRow } from '../db/tables.ts'
import { isId } from '../ids.ts'
import { findOrganizationByName, listOrganizationNames } from '../organizations/queries.ts'
import { findSpaceById } from '../spaces/queries.ts'
import { findUserByEmail } from '../users/queries.ts'
import { UsageError } from './arguments.ts'

/** Returns the organization that a command names. */
export async function organizationNamed(db: Db, name: string): Promise<OrganizationRow> {
  const organization = await findOrganizationByName(db, name)
  if (!organization) throw new UsageError(`There is no organization "${name}". ${await organizationsThere(db)}`)
  return organization
}

/** People would hardly look through more names than this. */
const mostNamed = 20

async function organizationsThere(db: Db): Promise<string> {
  const found = await listOrganizationNames(db, mostNamed + 1)
  const names = found.slice(0, mostNamed).map(({ hostname, title }) => `${hostname} (${title})`)
  return `There are: ${names.join(', ')}${found.length > mostNamed ? ' and others' : ''}.`
}

/** Returns the space that a command names. */
export async function spaceNamed(db: Db, id: string): Promise<SpaceRow> {
  const space = isId(id) ? await findSpaceById(db, id) : undefined
  if (!space) throw new UsageError(`There is no space ${id}. Its page has the id in its address: /app/o/…/s/<id>.`)
  return space
}

/** Returns the user with this address. Accounts that belong to an organization are not considered. */
export async function userNamed(db: Db, email: string): Promise<UserRow> {
  const user = await findUserByEmail(db, email)
  if (!user) throw nobodyHas(email)
  return user
}

export const nobodyHas = (email: string) => new UsageError(`There is no account with the address ${email}.`)

/** Nothing that is created for a disabled account would work. */
export function refuseDisabled({ email, disabled }: UserRow): void {
  if (!disabled) return
  throw new UsageError(
    `The account of ${email} is disabled. "lectern users disable --email ${email} --off" enables it again.`,
  )
}
