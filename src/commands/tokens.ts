import { type Scope, scopes } from '../access/scopes.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { isId } from '../ids.ts'
import { createToken, revokeToken } from '../tokens/actions.ts'
import { presentToken } from '../tokens/present.ts'
import { findToken, listTokensOf } from '../tokens/queries.ts'
import { listAccountsOf } from '../users/queries.ts'
import { UsageError, readOptions, required } from './arguments.ts'
import type { Command } from './command.ts'
import { nobodyHas, refuseDisabled, userNamed } from './named.ts'

export const tokens: Command = {
  help: `lectern tokens create --email <address> [--label <label>] [--scopes <a,b,…>] [--days <n>] [--json]
    Creates a token for an account and prints it. Scopes:
    ${scopes.join(', ').replace(/.{80,100}, /g, '$&\n    ')}.

lectern tokens list --email <address> [--json]
    Lists the tokens of all accounts with this address, including accounts created by the single sign-on of an
    organization: when each was created and last used, and when it expires.

lectern tokens revoke --id <token id>
    Revokes a token. It stops working immediately, everywhere.`,
  needsInstallation: true,

  async run([verb, ...args], open) {
    if (verb === 'create') return create(args, open)
    if (verb === 'list') return list(args, open)
    if (verb === 'revoke') return revoke(args, open)
    throw new UsageError(verb ? `There is no "tokens ${verb}".` : 'Specify what to do: create, list or revoke.')
  },
}

type Open = Parameters<Command['run']>[1]

async function create(args: string[], open: Open): Promise<void> {
  const options = readOptions(args, { email: 'text', label: 'text', scopes: 'text', days: 'text', json: 'flag' })
  const email = required(options.email, 'email')
  const label = options.label ?? 'Command line'
  if ([...label].length > 50) throw new UsageError('--label can have at most 50 characters.')
  const wanted = options.scopes === undefined ? null : options.scopes.split(',').map((word) => readScope(word.trim()))
  const expiresAt = options.days === undefined ? null : inDays(options.days)

  const { db, url } = await open()
  const { row, secret } = await transaction(db, nobody, async (tx) => {
    const user = await userNamed(tx, email)
    refuseDisabled(user)
    return createToken(tx, { userId: user.id, label, scopes: wanted, expiresAt })
  })
  if (options.json) console.log(JSON.stringify({ ...presentToken(row, url), token: secret }))
  else console.log(`The API token, shown only once: ${secret}`)
}

async function list(args: string[], open: Open): Promise<void> {
  const options = readOptions(args, { email: 'text', json: 'flag' })
  const email = required(options.email, 'email')
  const { db, url } = await open()
  const accounts = await listAccountsOf(db, email)
  if (accounts.length === 0) throw nobodyHas(email)
  const lists = await Promise.all(accounts.map(({ id }) => listTokensOf(db, id, { limit: 1000, after: undefined })))
  const rows = lists.flatMap((each) => each.rows)
  if (options.json) return console.log(JSON.stringify({ items: rows.map((row) => presentToken(row, url)) }))
  for (const row of rows) {
    const used = row.used_at?.toISOString() ?? 'never used'.padEnd(24)
    const end = row.expires_at ? `  (until ${row.expires_at.toISOString().slice(0, 10)})` : ''
    console.log(`${row.id}  ${row.created_at.toISOString()}  ${used}  ${row.label}${end}`)
  }
  if (rows.length === 0) console.log('None.')
}

async function revoke(args: string[], open: Open): Promise<void> {
  const id = required(readOptions(args, { id: 'text' }).id, 'id')
  const { db } = await open()
  await transaction(db, nobody, async (tx) => {
    if (!isId(id) || !(await findToken(tx, id))) throw new UsageError(`There is no token ${id}.`)
    await revokeToken(tx, id)
  })
  console.log('Revoked.')
}

function readScope(word: string): Scope {
  if ((scopes as readonly string[]).includes(word)) return word as Scope
  throw new UsageError(`"${word}" is not a scope.`)
}

function inDays(text: string): Date {
  const days = Number(text)
  if (!Number.isInteger(days) || days < 1 || days > 36_500) throw new UsageError('--days must be a whole number.')
  return new Date(Date.now() + days * 24 * 60 * 60 * 1000)
}
