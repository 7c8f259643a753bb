import { type Role, roles } from '../access/roles.ts'
import type { OrganizationRow, UserRow } from '../db/tables.ts'
import { type Transaction, nobody, transaction } from '../db/transaction.ts'
import { isEmail } from '../http/formats.ts'
import { addMember } from '../organizations/members.actions.ts'
import { makeHandedCode } from '../sessions/codes.ts'
import { findCodeHolder } from '../sessions/holder.queries.ts'
import { createToken } from '../tokens/actions.ts'
import { changeUser, createUser } from '../users/actions.ts'
import { presentUser } from '../users/present.ts'
import { type UserWithPlaces, findUserByEmail, listAccountsOf, listUsersWithPlaces } from '../users/queries.ts'
import { UsageError, readOptions, required } from './arguments.ts'
import type { Command } from './command.ts'
import { nobodyHas, organizationNamed, refuseDisabled } from './named.ts'

export const users: Command = {
  help: `lectern users create --org <id or hostname> --email <address> [--role <role>] [--name <name>] [--json]
    Creates an account, adds it to the organization and prints a token for it. An existing account is added as it is.
    Roles: ${roles.join(', ')}, or guest (the default is read).

lectern users list [--org <id or hostname>] [--json]
    Lists all accounts, oldest first: address, name, and role in each organization. With --org, only its members.

lectern users instance-admin --email <address> --on|--off
    Allows a user to create organizations, or stops allowing it.

lectern users sign-in-code --email <address> [--org <id or hostname>]
    Prints a sign-in code, for a person whose identity you have checked. It can be used once, within ten minutes. With
    --org, for accounts of that organization whose identity provider was deleted.

lectern users disable --email <address> --on|--off
    Disables an account everywhere, or enables it again: while it is disabled, its sessions and tokens do not work. Also
    affects accounts with the same address that were created by the single sign-on of an organization.`,
  needsInstallation: true,

  async run([verb, ...args], open) {
    if (verb === 'create') return create(args, open)
    if (verb === 'list') return list(args, open)
    if (verb === 'instance-admin') return turn(args, open, 'instance_admin', 'an administrator of the instance')
    if (verb === 'sign-in-code') return signInCode(args, open)
    if (verb === 'disable') return turn(args, open, 'disabled', 'disabled')
    throw new UsageError(
      verb
        ? `There is no "users ${verb}".`
        : 'Specify what to do: create, list, instance-admin, sign-in-code or disable.',
    )
  },
}

type Open = Parameters<Command['run']>[1]

async function create(args: string[], open: Open): Promise<void> {
  const options = readOptions(args, { org: 'text', email: 'text', role: 'text', name: 'text', json: 'flag' })
  const email = required(options.email, 'email')
  const role = readRole(options.role ?? 'read')
  const org = required(options.org, 'org')
  if (!isEmail(email)) throw new UsageError(`"${email}" is not an e-mail address.`)

  const { db, url } = await open()
  const { user, token } = await transaction(db, nobody, async (tx) => {
    const organization = await organizationNamed(tx, org)
    const user = await accountFor(tx, email, options.name)
    refuseDisabled(user)
    await join(tx, organization, user, role)
    const { secret } = await createToken(tx, { userId: user.id, label: 'Command line' })
    return { user, token: secret }
  })

  if (options.json) console.log(JSON.stringify({ user: presentUser(user, url), token }))
  else console.log(`${user.email} is in, as ${role ?? 'guest'}.\nTheir API token, shown only now: ${token}`)
}

/** The number of accounts read at once: the next ones are read once these are written. */
const atOnce = 1_000

async function list(args: string[], open: Open): Promise<void> {
  const options = readOptions(args, { org: 'text', json: 'flag' })
  const { db, url } = await open()
  const organization = options.org === undefined ? undefined : await organizationNamed(db, options.org)
  const items: object[] = []
  for (let after: string | undefined, isLast = false; !isLast;) {
    const rows = await listUsersWithPlaces(db, organization?.id, { limit: atOnce, ...(after && { after }) })
    for (const row of rows) {
      if (options.json) items.push(asJson(row, url))
      else console.log(asLine(row))
    }
    after = rows.at(-1)?.id
    isLast = rows.length < atOnce
  }
  if (options.json) console.log(JSON.stringify({ items }))
}

const asJson = (row: UserWithPlaces, url: string) => ({
  ...presentUser(row, url),
  createdAt: row.created_at.toISOString(),
  instanceAdmin: row.instance_admin,
  disabled: row.disabled,
  singleSignOn: row.is_at_home,
  organizations: row.places.map(({ id, hostname, role, disabled }) => ({ id, hostname, role, disabled })),
})

function asLine(row: UserWithPlaces): string {
  const places = row.places.map(
    ({ hostname, role, disabled }) => `${hostname}: ${role ?? 'guest'}${disabled ? ', suspended' : ''}`,
  )
  const marks = [
    ...(row.instance_admin ? ['administrator of the instance'] : []),
    ...(row.is_at_home ? ['single sign-on'] : []),
    ...(row.disabled ? ['disabled'] : []),
  ]
  const belongs = places.length > 0 ? places.join('; ') : 'nowhere'
  return `${row.email}  ${row.display_name}  ${belongs}${marks.length > 0 ? `  (${marks.join(', ')})` : ''}`
}

async function signInCode(args: string[], open: Open): Promise<void> {
  const options = readOptions(args, { email: 'text', org: 'text' })
  const email = required(options.email, 'email')
  const { db, secrets, url } = await open()
  const code = await transaction(db, nobody, async (tx) => {
    const organization = options.org === undefined ? undefined : await organizationNamed(tx, options.org)
    const holder = await findCodeHolder(tx, email, organization?.id)
    if (!holder) throw await noCodeFor(tx, email)
    return makeHandedCode(tx, secrets, holder.user)
  })
  const page = `${url}/login/code?email=${encodeURIComponent(email)}`
  console.log(`The code for ${email}, shown only once: ${code}\nIt can be used once, within ten minutes, at ${page}`)
}

/**
 * A person with an own account gets a code, unless the account is disabled. There may also be accounts that belong to
 * organizations.
 */
async function noCodeFor(tx: Transaction, email: string): Promise<UsageError> {
  const own = await findUserByEmail(tx, email)
  if (own) refuseDisabled(own)
  const accounts = await listAccountsOf(tx, email)
  if (accounts.length === 0) return nobodyHas(email)
  return new UsageError(`${email} signs in through single sign-on, or has no access: codes are not available to them.`)
}

function readRole(word: string): Role | null {
  if (word === 'guest') return null
  if ((roles as readonly string[]).includes(word)) return word as Role
  throw new UsageError(`"${word}" is not a role. Roles: ${roles.join(', ')} and guest.`)
}

async function accountFor(tx: Transaction, email: string, displayName: string | undefined): Promise<UserRow> {
  if (displayName !== undefined && [...displayName].length > 64)
    throw new UsageError('--name can have at most 64 characters.')
  // A person who may run this command may vouch for the address.
  const made = await createUser(tx, { email, displayName, emailVerified: true })
  return made ?? (await findUserByEmail(tx, email))!
}

async function join(tx: Transaction, { id, title }: OrganizationRow, user: UserRow, role: Role | null): Promise<void> {
  if (await addMember(tx, { organizationId: id, userId: user.id, role, sso: false })) return
  throw new UsageError(
    `${user.email} is already a member of "${title}". "lectern tokens create" creates another token.`,
  )
}

async function turn(args: string[], open: Open, field: 'instance_admin' | 'disabled', words: string): Promise<void> {
  const options = readOptions(args, { email: 'text', on: 'flag', off: 'flag' })
  const email = required(options.email, 'email')
  if (options.on === options.off) throw new UsageError('Say either --on or --off.')

  const { db } = await open()
  await transaction(db, nobody, async (tx) => {
    const own = await findUserByEmail(tx, email)
    const accounts = field === 'disabled' ? await listAccountsOf(tx, email) : own ? [own] : []
    if (accounts.length === 0) throw nobodyHas(email)
    for (const account of accounts) await changeUser(tx, account, { [field]: options.on })
  })
  console.log(`${email} is ${options.on ? 'now' : 'no longer'} ${words}.`)
}
