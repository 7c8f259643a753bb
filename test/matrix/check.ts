import { errorTypes } from '../../src/http/errors.ts'
import type { Cell } from './cells.ts'
import type { Sent } from './send.ts'
import type { World } from './world.ts'

/**
 * Whether a caller was let through: success, or the answer to the stale etag that is sent with every change. The
 * request was valid up to the comparison of etags.
 */
export function isThrough({ row }: Cell, status: number): boolean {
  return (status >= 200 && status < 300) || status === 412 || (row.ok?.includes(status) ?? false)
}

/** Returns what is wrong with an answer, or undefined. */
export function findFault(world: World, cell: Cell, sent: Sent): string | undefined {
  const { statuses, type } = cell.expected
  const isExpected = statuses === 'through' ? isThrough(cell, sent.status) : statuses.includes(sent.status)
  if (!isExpected) return `is ${sent.status}, not ${String(statuses)}: ${sent.text.slice(0, 300)}`
  const told = sent.status >= 400 ? findErrorFault(sent, type) : undefined
  return told ?? findForeignWord(world, cell, sent)
}

/** Returns how a refusal differs from the single error shape, or undefined. */
export function findErrorFault(sent: Sent, type?: string): string | undefined {
  const { status, headers, text } = sent
  const shown = text.slice(0, 300)
  if (!/^application\/(scim\+)?json/.test(String(headers['content-type']))) return `has no JSON: ${shown}`
  if (!/^[0-9a-f-]{36}$/.test(String(headers['x-request-id']))) return 'has no request id'
  const { error, ...rest } = sent.json
  const known: Record<string, number> = errorTypes
  if (!isAlone(rest, sent) || error?.code !== status || known[error.type] !== status)
    return `has another shape: ${shown}`
  if (typeof error.message !== 'string' || error.message === '') return `says nothing: ${shown}`
  if (/\bat .*\.ts\b|node_modules|\bselect\b.*\bfrom\b|violates|syntax error at/i.test(error.message))
    return `tells too much: ${shown}`
  if (type !== undefined && error.type !== type) return `is of the type ${error.type}, not ${type}`
  if (status === 401 && headers['www-authenticate'] !== 'Bearer') return 'does not say how to sign in'
  return undefined
}

/** Whether the body contains nothing but the error, and for identity providers the fields that they read. */
function isAlone(rest: Record<string, unknown>, { status, headers, json }: Sent): boolean {
  if (!String(headers['content-type']).startsWith('application/scim')) return Object.keys(rest).length === 0
  const { schemas, status: told, detail, scimType = '', ...more } = rest
  const isRight = told === String(status) && detail === json.error?.message && /^[a-z]*$/i.test(String(scimType))
  return isRight && Array.isArray(schemas) && Object.keys(more).length === 0
}

/** Finds a word from texts that this caller may not see. */
function findForeignWord(world: World, { caller }: Cell, sent: Sent): string | undefined {
  const { own, foreign, side, gone, hidden, draft } = world.words
  const role = caller.member('own')
  const isReader = role !== undefined && (role !== null || caller.name === 'lent')
  const sees: Record<string, boolean> = {
    [own]: role !== undefined || caller.kind === 'visitor',
    [foreign]: caller.name === 'foreign admin',
    [side]: role !== undefined || caller.name === 'foreign admin',
    [gone]: role === 'create' || role === 'admin',
    [hidden]: role === 'admin' || caller.kind === 'visitor',
    [draft]: isReader && caller.name !== 'denied',
  }
  const text = sent.text + JSON.stringify(sent.headers)
  const told = Object.entries(sees).find(([word, may]) => !may && text.includes(word))?.[0]
  if (told === undefined) return undefined
  const whose = Object.entries(world.words).find(([, word]) => word === told)![0]
  return `shows a word that is ${whose}: …${text.slice(Math.max(0, text.indexOf(told) - 200), text.indexOf(told) + 60)}`
}

/** The answer without the ids, which differ from one request to the next. */
export const likeness = ({ status, text }: Sent) => `${status} ${text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '*')}`
