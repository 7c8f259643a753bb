import type { Db } from '../db/connect.ts'
import type { OrganizationRow, SpaceRow, UserRow } from '../db/tables.ts'
import { isId } from '../ids.ts'
import { findOrganizationByName } from '../organizations/queries.ts'
import { findSpaceById } from '../spaces/queries.ts'
import { findUserByEmail } from '../users/queries.ts'
import { UsageError } from './arguments.ts'

/** The organization that a command names. */
export async function organizationNamed(db: Db, name: string): Promise<OrganizationRow> {
  const organization = await findOrganizationByName(db, name)
  if (!organization) throw new UsageError(`There is no organization "${name}". Give its id or its hostname.`)
  return organization
}

/** The space that a command names. */
export async function spaceNamed(db: Db, id: string): Promise<SpaceRow> {
  const space = isId(id) ? await findSpaceById(db, id) : undefined
  if (!space) throw new UsageError(`There is no space ${id}.`)
  return space
}

/** Whoever has this address, with an account of their own. */
export async function userNamed(db: Db, email: string): Promise<UserRow> {
  const user = await findUserByEmail(db, email)
  if (!user) throw nobodyHas(email)
  return user
}

export const nobodyHas = (email: string) => new UsageError(`Nobody has the address ${email}.`)

/** Nothing that is made for it would work. */
export function refuseDisabled({ email, disabled }: UserRow): void {
  if (!disabled) return
  throw new UsageError(
    `The account of ${email} is disabled. "lectern users disable --email ${email} --off" opens it again.`,
  )
}
