import type { FastifyRequest } from 'fastify'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import { searchText } from '../search-text.ts'

const longestSearch = 256

/** What is looked for in a list of people. What the API would refuse is left out. */
export function searchIn({ query }: FastifyRequest): string | undefined {
  const { search } = query as Record<string, unknown>
  return searchText(search, longestSearch) || undefined
}

/** Looks for people by name, address and role; `options` are the roles that they can have. */
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
