import { pathWith } from '../account/answer.ts'
import type { Place } from '../front/layout.ts'
import { ApiError } from '../http/errors.ts'
import { type HtmlValue, html } from '../http/html.ts'
import { type ListRequest, type Page, type Position, pageOf, presentPage } from '../http/paging.ts'
import type { App } from '../http/routes.ts'

/** Which part of a list somebody asks for: where the list is shown, by what it is filtered, and where the part begins. */
export interface PartAsked {
  path: string
  filter?: Record<string, string | undefined>
  page?: string | undefined
}

/** Some of a list, and the addresses of its beginning and of what comes next, where that is something else. */
export interface Part<Row> {
  rows: Row[]
  count: number
  first: string | undefined
  next: string | undefined
}

/** The same parts by the same tokens as the API has, so that whoever is added meanwhile moves nobody out of sight. */
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

/** Where the part begins that an address asks for. */
export function partIn({ query }: { query: unknown }): string | undefined {
  const { page } = query as { page?: unknown }
  return typeof page === 'string' ? page : undefined
}

/** A token that is too old, or of another list, leads to the beginning. */
function pageAsked(request: ListRequest & { query: object }): Page {
  try {
    return pageOf(request)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return pageOf({ ...request, query: { ...request.query, page: '' } })
  }
}

/** `at`: where the list is on its page, if not at the beginning. */
export const partLinks = (place: Place, { first, next }: Part<unknown>, at = ''): HtmlValue =>
  (first ?? next) !== undefined &&
  html`<nav class="work-parts" aria-label="Parts of the list">
    ${link(place, 'First page', first, at)} ${link(place, 'Next', next, at)}
  </nav>`

const link = (place: Place, label: string, path: string | undefined, at: string): HtmlValue =>
  path !== undefined && html`<a class="btn" href="${place.link(path)}${at}">${label}</a>`
