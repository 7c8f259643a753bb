import type { Fields } from '../../account/forms.ts'
import type { Db } from '../../db/connect.ts'
import type { WebhookFilter } from '../../db/tables.ts'
import { type ApiError, conflict } from '../../http/errors.ts'
import { type Html, html } from '../../http/html.ts'
import { inOrder } from '../../in-order.ts'
import { type Filtered, listFiltered, listNewestPlaces } from '../../webhooks/queries.ts'
import { mostPlaces } from '../../webhooks/schema.ts'
import { chosenIn, oneOf } from '../choices.ts'

/** What the events of a webhook are about, as the user chose it. */
export interface TypedPlaces {
  /** `some`: only those below. */
  about: string
  spaces: readonly string[]
  sites: readonly string[]
}

/** The spaces and sites to choose from. */
export interface PlacesToChoose {
  listed: Filtered[]
  /** Whether there are no others. */
  isAll: boolean
}

/** Returns the newest spaces and sites, and those that were chosen. */
export async function findPlaces(
  db: Db,
  organizationId: string,
  chosen: WebhookFilter | null,
): Promise<PlacesToChoose> {
  const { rows, isAll } = await listNewestPlaces(db, organizationId)
  const known = new Set(rows.map(({ id }) => id))
  const others = chosen === null ? [] : await listFiltered(db, organizationId, chosen)
  const listed = [...rows, ...others.filter(({ id }) => !known.has(id))]
  return { listed: listed.toSorted((a, b) => inOrder(a.title, b.title)), isAll }
}

const kinds = [
  { type: 'space', list: 'spaces', legend: 'Spaces' },
  { type: 'site', list: 'sites', legend: 'Sites' },
] as const

const nameOf = (type: Filtered['type']) => (id: string) => `${type}-${id}`

export const placesIn = (fields: Fields): TypedPlaces => ({
  about: fields.about ?? '',
  spaces: chosenIn(fields, nameOf('space')),
  sites: chosenIn(fields, nameOf('site')),
})

/** Converts the form to the format of the API. */
export function filterOf({ about, spaces, sites }: TypedPlaces): { spaces: string[]; sites: string[] } | null {
  if (about !== 'all' && about !== 'some') throw conflict('Choose the spaces and sites whose events are sent.')
  return about === 'all' ? null : { spaces: [...spaces], sites: [...sites] }
}

/**
 * Puts a refusal of the chosen places into words: one no longer exists, or there are none, or more than a webhook can
 * have.
 */
export function wrongPlaces({ details }: ApiError): string {
  const [{ rule } = { rule: '' }] = details ?? []
  if (rule === 'exists') return 'One of the spaces or sites no longer exists.'
  if (rule === 'maxItems') return `Choose at most ${mostPlaces} spaces and ${mostPlaces} sites.`
  return 'Choose at least one space or site.'
}

export const placesForm = (typed: TypedPlaces, { listed, isAll }: PlacesToChoose): Html =>
  html`<fieldset class="work-choices work-events">
    <legend>Spaces and sites</legend>
    <ul class="rows" role="list">
      ${oneOf('about', 'all', typed.about, 'All spaces and sites', 'Including those created later, and events about neither.')}
      ${oneOf('about', 'some', typed.about, 'Only some spaces and sites', 'You choose which. Other events, such as those about people, are not sent.')}
    </ul>
    ${kinds.map(({ type, list, legend }) => {
      const own = listed.filter((each) => each.type === type)
      return own.length > 0 && placesOf(legend, own, typed[list])
    })}
    ${!isAll && html`<p class="aside work-choices">The newest ones; use the API for others.</p>`}
  </fieldset>`

const placesOf = (legend: string, places: readonly Filtered[], chosen: readonly string[]) =>
  html`<fieldset class="work-choices">
    <legend>${legend}</legend>
    <div class="work-rules">
      ${places.map(
        ({ type, id, title }) =>
          html`<label class="choice">
            <input type="checkbox" name="${nameOf(type)(id)}" value="on" ${chosen.includes(id) && html`checked`} />
            <span dir="auto">${title}</span>
          </label>`,
      )}
    </div>
  </fieldset>`
