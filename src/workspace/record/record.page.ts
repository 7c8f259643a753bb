import type { Membership } from '../../access/caller.ts'
import { pathWith } from '../../account/answer.ts'
import { moment } from '../../account/parts.ts'
import type { AuditEntry } from '../../audit/queries.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { frame } from '../frame.ts'
import { type Part, partLinks } from '../paging.ts'
import { rows } from '../rows.ts'
import type { Said } from '../said.ts'
import { saidOn } from '../top.ts'
import { type Found, type Thing, aboutOf, foundIn, hasName } from './about.ts'
import { choices } from './kinds.ts'
import { detailsIn, fieldsIn, nounOf, sentenceOf, withArticle } from './words.ts'

/** The filters of the record, as they are in the URL and in the form. */
export interface RecordAsked {
  what?: string | undefined
  person?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

interface RecordParts extends Said {
  membership: Membership
  /** The path of the organization. */
  path: string
  asked: RecordAsked
  /** The e-mail address of the person in the filter, if there is one. */
  address?: string
  entries: Part<AuditEntry>
  found: Found
}

export const longestPerson = 320

/** Shows administrators who did what in an organization, newest first. */
export function recordPage(place: Place, parts: RecordParts): Html {
  const { membership, path } = parts
  return frame(
    place,
    `Record · ${membership.organization.title}`,
    html`<p class="review-space">
        <a href="${place.link(path)}">${membership.organization.title}</a> ›
        <a href="${place.link(`${path}/settings`)}">Settings</a>
      </p>
      <h1>Record</h1>
      <p class="review-standing">Who did what, newest first. Nobody can change the record. Days are in UTC.</p>
      ${saidOn(parts)} ${filtering(place, parts)} ${parts.error === undefined && listed(place, parts)}`,
  )
}

const listed = (place: Place, parts: RecordParts) =>
  html`<section aria-label="Action">
    ${rows(
      parts.entries.rows.map((entry) => entryOf(place, parts, entry)),
      parts.entries.first === undefined ? 'No entry matches.' : 'There are no more entries.',
    )}
    ${partLinks(place, parts.entries)}
    <div class="work-download">
      <a class="btn" href="${place.link(pathWith(`${parts.path}/record/export`, { ...parts.asked }))}">Download</a>
      <span class="aside">Everything selected above, for programs: one JSON object per line.</span>
    </div>
  </section>`

const filtering = (place: Place, { path, asked, address }: RecordParts) =>
  html`<form method="get" action="${place.link(`${path}/record`)}" class="fields inline work-record" role="search">
    <label class="field grow">
      <span>Action</span>
      <select name="what">
        <option value="">anything</option>
        ${choices.map(({ kind, title, actions }) => html`<optgroup label="${title}">${optionsOf(kind, title, actions, asked.what)}</optgroup>`)}
      </select>
    </label>
    <label class="field grow">
      <span>By (e-mail address)</span>
      <input name="person" value="${address ?? asked.person ?? ''}" maxlength="${longestPerson}" autocomplete="off" />
    </label>
    <label class="field">
      <span>From</span>
      <input name="from" type="date" value="${asked.from ?? ''}" />
    </label>
    <label class="field">
      <span>To</span>
      <input name="to" type="date" value="${asked.to ?? ''}" />
    </label>
    <button class="btn">Show</button>
  </form>`

function optionsOf(
  kind: string,
  title: string,
  actions: (typeof choices)[number]['actions'],
  chosen: string | undefined,
): Html[] {
  const option = (value: string, label: string) =>
    html`<option value="${value}" ${value === chosen && html`selected`}>${label}</option>`
  return [option(kind, `${title}: anything`), ...actions.map(({ action, label }) => option(action, label))]
}

const entryOf = (place: Place, parts: RecordParts, entry: AuditEntry) =>
  html`<li>
    <span class="row-main">
      <span class="work-done">${whoOf(place, parts, entry)} ${sentence(place, parts, entry)}</span>
      <span class="row-more">
        ${[moment(entry.at), ...tellingMore(entry)].map((each, at) => html`${at > 0 && ' · '}${each}`)}
      </span>
    </span>
  </li>`

/** Names the actor, with a link to everything else they did. */
function whoOf(place: Place, { path, asked }: RecordParts, { action, actor_id, actor_name }: AuditEntry): Html {
  // A person who could not sign in has not been identified.
  if (actor_id === null) return html`<strong>${action.endsWith('refused') ? 'Somebody' : 'Lectern'}</strong>`
  const theirs = pathWith(`${path}/record`, { ...asked, person: actor_id })
  return html`<a href="${place.link(theirs)}"><strong>${actor_name ?? 'A former user'}</strong></a>`
}

function sentence(place: Place, parts: RecordParts, entry: AuditEntry): Html[] {
  const about = aboutOf(entry)
  const isOwn = about.whom.type === 'member' && about.whom.id === entry.actor_id
  return sentenceOf(entry.action, entry.details, isOwn)
    .split(/(\{what\}|\{whom\})/)
    .map((piece) => {
      if (piece === '{what}') return thing(place, parts, about.what)
      return piece === '{whom}' ? thing(place, parts, about.whom) : html`${piece}`
    })
}

/** Shows a thing by its name, with a link if it has a page. If it no longer exists, its type is shown. */
function thing(place: Place, { path, found }: RecordParts, about: Thing): Html {
  const { type } = about
  if (type === 'organization') return html`the organization`
  const named = foundIn(found, about)
  if (!named) return nameless(type)
  const title =
    named.path === null
      ? html`${isPerson(type) ? named.title : `“${named.title}”`}`
      : html`<a href="${place.link(`${path}${named.path}`)}">${named.title}</a>`
  return html`${nounBefore(type)}${title}`
}

/** Comments and imports are named after the place that they are in. */
const isElsewhere = (type: string) => ['comment', 'comment-reply', 'import-run'].includes(type)

/** Whether this is a person: a member, or a user whom a request referred to and who may never have been a member. */
const isPerson = (type: string) => type === 'member' || type === 'user'

/** The noun in front of a name. People need none. */
const nounBefore = (type: string): HtmlValue => !isPerson(type) && !isElsewhere(type) && `the ${nounOf(type)} `

function nameless(type: string): Html {
  if (isPerson(type)) return html`${type === 'member' ? 'a former member' : 'somebody'}`
  return html`${isElsewhere(type) ? 'something' : withArticle(nounOf(type))}${hasName(type) && ' that no longer exists'}`
}

function tellingMore({ action, fields, details, token_id, address, request_id }: AuditEntry): string[] {
  const changed = fieldsIn(fields, details)
  return [
    ...(changed.length > 0 ? [`changed: ${changed.join(', ')}`] : []),
    ...detailsIn(details),
    ...(token_id === null ? [] : ['with a token']),
    ...(address === null ? [] : [address]),
    // This number was shown to the person who could not sign in.
    ...(action === 'saml-provider.login-refused' && request_id !== null ? [`number ${request_id}`] : []),
  ]
}
