import { pathWith } from '../account/answer.ts'
import type { Place } from '../front/layout.ts'
import { ApiError } from '../http/errors.ts'
import { type HtmlValue, html } from '../http/html.ts'
import { type ListRequest, type Page, type Position, pageOf, presentPage } from '../http/paging.ts'
import type { App } from '../http/routes.ts'

/** Which part of a list is requested: the path of the list, its filter, and where the part begins. */
export interface PartAsked {
  path: string
  filter?: Record<string, string | undefined>
  page?: string | undefined
}

/**
 * A part of a list, with the addresses of the first part and of the next one, unless they are this one or do not exist.
 */
export interface Part<Row> {
  rows: Row[]
  count: number
  first: string | undefined
  next: string | undefined
}

/** Uses the pages and tokens of the API, so that rows added in the meantime do not move others out of sight. */
export async function loadPart<Row>(
  app: App,
  { path, filter = {}, page = '' }: PartAsked,
  list: (page: Page) => Promise<{ rows: Row[]; count: number }>,
  positionOf: (row: Row) => Position,
): Promise<Part<Row>> {
  const request = { server: app, url: path, query: { ...filter, page } }
  const asked = pageAsked(request)
  const { items, count, next } = presentPage(request, asked, await list(asked), positionOf, (row) => row)
  return {
    rows: items,
    count,
    first: asked.after && pathWith(path, filter),
    next: next && pathWith(path, { ...filter, page: next.page }),
  }
}

/** Returns the token of the part that an address asks for. */
export function partIn({ query }: { query: unknown }): string | undefined {
  const { page } = query as { page?: unknown }
  return typeof page === 'string' ? page : undefined
}

/** A token that is too old or belongs to another list leads to the first part. */
function pageAsked(request: ListRequest & { query: object }): Page {
  try {
    return pageOf(request)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return pageOf({ ...request, query: { ...request.query, page: '' } })
  }
}

/** `at` is the fragment of the list on its page, if it is not at the top. */
export const partLinks = (place: Place, { first, next }: Part<unknown>, at = ''): HtmlValue =>
  (first ?? next) !== undefined &&
  html`<nav class="work-parts" aria-label="Parts of the list">
    ${link(place, 'First page', first, at)} ${link(place, 'Next', next, at)}
  </nav>`

const link = (place: Place, label: string, path: string | undefined, at: string): HtmlValue =>
  path !== undefined && html`<a class="btn" href="${place.link(path)}${at}">${label}</a>`
