import type { TSchema } from 'typebox'
import { hash } from 'node:crypto'
import { type Statement, nothing, sql } from '../db/sql.ts'
import type { Secrets } from '../secrets.ts'
import { ApiError } from './errors.ts'
import Type from './type.ts'

const hourMs = 60 * 60 * 1000
const tokenLifeMs = 24 * hourMs

/** The query parameters of every list. */
export const pageQuery = {
  page: Type.Optional(
    Type.String({ maxLength: 2048, description: 'The page to fetch: `next.page` of the previous response.' }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1000, default: 50, description: 'The number of items per page.' }),
  ),
}

/** The envelope of every list. */
export function listOf<Item extends TSchema>(item: Item) {
  return Type.Object({
    next: Type.Optional(Type.Object({ page: Type.String() })),
    count: Type.Optional(Type.Integer({ description: 'The total number of items.' })),
    items: Type.Array(item),
  })
}

/** Where a page ends: the values that its list is ordered by, so that the next page starts right after them. */
export type Position = (string | number | null)[]

export interface Page {
  limit: number
  after: Position | undefined
}

/** The request for a list: a request of the API, or the address of one of our pages that shows it. */
export interface ListRequest {
  server: { secrets: Secrets }
  url: string
  query: unknown
  routeOptions?: { schema?: { querystring?: unknown } | undefined }
}

/**
 * Returns which page was requested. A token is valid only for the list, the filter and the day it was made for. An
 * empty token counts as none, so that a client that fetches a list in a loop can start with it.
 */
export function pageOf(request: ListRequest): Page {
  const { page = '', limit = 50 } = request.query as { page?: string; limit?: number }
  return { limit, after: page === '' ? undefined : readToken(request, page) }
}

/** The condition for where a page begins in a list that is ordered by a time and an id. `by` names these columns. */
export function behind({ after }: Page, by: Statement, order: 'asc' | 'desc'): Statement {
  if (!after) return nothing
  const compare = order === 'asc' ? sql`>` : sql`<`
  return sql`and (${by}) ${compare} (${after[0]}::timestamptz, ${after[1]}::uuid)`
}

/** The position of a row in a list that is ordered by age. */
export const byAge = (row: { created_at: Date; id: string }): Position => [row.created_at.toISOString(), row.id]

/**
 * Builds the answer of a list. `rows` contains one more than was requested if there is a next page. `positionOf`
 * returns the values of a row that the list is ordered by.
 */
export function presentPage<Row, Item>(
  request: ListRequest,
  page: Page,
  list: { rows: Row[]; count: number },
  positionOf: (row: Row) => Position,
  present: (row: Row) => Item,
) {
  const rows = list.rows.slice(0, page.limit)
  const last = list.rows.length > page.limit ? rows.at(-1) : undefined
  return {
    ...(last && { next: { page: writeToken(request, positionOf(last)) } }),
    count: list.count,
    items: rows.map(present),
  }
}

/** Returns the token for the page of a list that starts right after a position. */
export function writeToken(request: ListRequest, position: Position): string {
  // Rounded up to the full hour, so that the same page has the same bytes, and so the same tag, for a while.
  const expiresAt = Math.ceil((Date.now() + tokenLifeMs) / hourMs) * hourMs
  const text = JSON.stringify([position, expiresAt])
  const signature = request.server.secrets.sign('page', listOfRequest(request) + text)
  return `${Buffer.from(text).toString('base64url')}.${signature}`
}

function readToken(request: ListRequest, token: string): Position {
  const [encoded = '', given = ''] = token.split('.')
  const text = Buffer.from(encoded, 'base64url').toString()
  if (!request.server.secrets.verify('page', listOfRequest(request) + text, given)) throw badToken()
  const [position, expiresAt] = JSON.parse(text) as [Position, number]
  if (expiresAt < Date.now()) throw badToken()
  return position
}

/** Query parameters for the length of a page and the form of its items, which do not change the list. */
const besideTheFilter = ['page', 'limit', 'format', 'metadata', 'shareKey']

/**
 * Identifies the list: its path and everything it is filtered and ordered by. Parameters that have no meaning here are
 * not filters.
 */
function listOfRequest({ url, query, routeOptions }: ListRequest): string {
  const declared = (routeOptions?.schema?.querystring as { properties?: object } | undefined)?.properties
  const filter = Object.entries(query as Record<string, unknown>)
    .filter(([name]) => !besideTheFilter.includes(name) && (!declared || Object.hasOwn(declared, name)))
    .map(([name, value]) => [name, Array.isArray(value) ? [...new Set(value)].toSorted() : value] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return hash('sha256', JSON.stringify([url.split('?')[0], filter]), 'base64url')
}

const badToken = () =>
  new ApiError('invalid_page_token', 'This page token is not valid for this list. Start again without it.', {
    details: [{ path: 'query.page', rule: 'token', message: 'is not valid for this list' }],
  })
