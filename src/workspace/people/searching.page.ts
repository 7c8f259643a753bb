import type { FastifyRequest } from 'fastify'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import { searchText } from '../search-text.ts'

const longestSearch = 256

/** Reads the search text for a list of people. It is cut to the length that the API accepts. */
export function searchIn({ query }: FastifyRequest): string | undefined {
  const { search } = query as Record<string, unknown>
  return searchText(search, longestSearch) || undefined
}

/** The form for searching people by name, address and role. `options` are the roles to choose from. */
export const searchingPeople = (
  place: Place,
  { path, search }: { path: string; search: string | undefined },
  options: Html[],
): Html =>
  html`<form method="get" action="${place.link(path)}" class="fields inline work-search" role="search">
    <label class="field grow">
      <span>Name or e-mail address</span>
      <input name="search" type="search" value="${search ?? ''}" maxlength="${longestSearch}" autocomplete="off" />
    </label>
    <label class="field">
      <span>Role</span>
      <select name="role">
        <option value="">any</option>
        ${options}
      </select>
    </label>
    <button class="btn">Search</button>
  </form>`
