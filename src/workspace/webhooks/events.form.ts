import { type Fields, takeForms } from '../../account/forms.ts'
import { hidden, writingOver } from '../../account/parts.ts'
import type { WebhookRow } from '../../db/tables.ts'
import type { Place } from '../../front/layout.ts'
import { type ApiError, conflict, inSentence } from '../../http/errors.ts'
import { type Html, html } from '../../http/html.ts'
import type { App } from '../../http/routes.ts'
import { eventDescriptions, ping } from '../../webhooks/events.schema.ts'
import { mostPlaces } from '../../webhooks/schema.ts'
import { chosenIn, oneOf } from '../choices.ts'
import { naming } from '../refusal.ts'
import { type PlacesToChoose, type TypedPlaces, filterOf, placesForm, placesIn, wrongPlaces } from './places.form.ts'

/** What the user chose or typed for a webhook. */
export interface TypedWebhook extends TypedPlaces {
  title: string
  address: string
  /** `some`: only those below. */
  which: string
  events: readonly string[]
}

export const blank: TypedWebhook = {
  title: '',
  address: '',
  which: 'all',
  events: [],
  about: 'all',
  spaces: [],
  sites: [],
}

type Chosen = Pick<WebhookRow, 'title' | 'url' | 'events' | 'filter'>

export const asTyped = ({ title, url, events, filter }: Chosen): TypedWebhook => ({
  title,
  address: url,
  which: events === null ? 'all' : 'some',
  events: events ?? [],
  about: filter === null ? 'all' : 'some',
  spaces: filter?.spaces ?? [],
  sites: filter?.sites ?? [],
})

const nameOf = (type: string) => `event-${type}`

export const typedIn = (fields: Fields): TypedWebhook => ({
  title: (fields.title ?? '').trim(),
  address: (fields.address ?? '').trim(),
  which: fields.which ?? '',
  events: chosenIn(fields, nameOf),
  ...placesIn(fields),
})

/** Converts the form to the format of the API. */
export function draftOf({ title, address, which, events, ...places }: TypedWebhook) {
  if (which !== 'all' && which !== 'some') throw conflict('Choose which events are sent.')
  const filter = filterOf(places)
  return { ...(title !== '' && { title }), url: address, events: which === 'all' ? null : events, filter }
}

/** Puts an error into words for the top of the page, far from the field that it is about. */
export function inWords(error: ApiError): string {
  if (error.type !== 'invalid_request') return inSentence(error)
  const isAbout = (field: string) => error.details?.some(({ path }) => path.startsWith(`body.${field}`))
  if (isAbout('events')) return 'Choose at least one event.'
  if (isAbout('filter')) return wrongPlaces(error)
  return naming((path) => ({ 'body.url': 'The address', 'body.title': 'The title' })[path])(error)
}

/**
 * All fields that a form can have: the places that are listed and those that were chosen before, each event, and the
 * text fields.
 */
const mostFields = 4 * mostPlaces + eventDescriptions.length + 20

export const takeWebhookForms = (app: App) => takeForms(app, undefined, mostFields)

const longestTitle = 100

/** What events are about, by the first word of their type. */
const subjects: Record<string, string> = {
  space: 'Spaces and their content',
  change: 'Change requests',
  comment: 'Comments',
  site: 'Sites',
  member: 'People',
  openapi: 'Specifications',
}

const bySubject = Map.groupBy(
  eventDescriptions.filter(({ type }) => type !== ping),
  ({ type }) => type.split('_')[0]!,
)

export const summaryOf = (type: string): string => eventDescriptions.find((each) => each.type === type)?.summary ?? type

interface WebhookForm {
  action: string
  fields: { form: string; seen?: string }
  typed: TypedWebhook
  places: PlacesToChoose
  button: Html
}

/** The fields for creating and for changing a webhook. */
export const webhookForm = (place: Place, { action, fields, typed, places, button }: WebhookForm): Html =>
  html`<form ${writingOver(place.link(action))} class="fields">
    ${hidden(fields)}
    <label class="field">
      <span>Address that events are sent to</span>
      <input
        name="address"
        type="url"
        value="${typed.address}"
        maxlength="2048"
        placeholder="https://"
        autocomplete="off"
        required
      />
    </label>
    <label class="field">
      <span>Title (default: its host)</span>
      <input name="title" value="${typed.title}" maxlength="${longestTitle}" autocomplete="off" />
    </label>
    <fieldset class="work-choices work-events">
      <legend>Events</legend>
      <ul class="rows" role="list">
        ${oneOf('which', 'all', typed.which, 'Every event', 'Including those added in later versions.')}
        ${oneOf('which', 'some', typed.which, 'Only some', 'You choose which.')}
      </ul>
      ${[...bySubject].map(([subject, events]) => eventsOf(subjects[subject] ?? subject, events, typed))}
    </fieldset>
    ${placesForm(typed, places)}
    <div>${button}</div>
  </form>`

const eventsOf = (subject: string, events: typeof eventDescriptions, typed: TypedWebhook) =>
  html`<fieldset class="work-choices">
    <legend>${subject}</legend>
    <div class="work-rules">
      ${events.map(
        ({ type, summary }) =>
          html`<label class="choice">
            <input type="checkbox" name="${nameOf(type)}" value="on" ${typed.events.includes(type) && html`checked`} />
            <span>${summary} <span class="row-more">${type}</span></span>
          </label>`,
      )}
    </div>
  </fieldset>`
