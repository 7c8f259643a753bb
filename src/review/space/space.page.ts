import { appPath } from '../../app-path.ts'
import { buttonForm, day, hidden } from '../../account/parts.ts'
import type { ChangeRequest } from '../../change-requests/queries.ts'
import { subjectOf } from '../../change-requests/subject.ts'
import type { Entry } from '../../content/merge/entry.ts'
import type { CollectionRow, OrganizationRow, SpaceRow } from '../../db/tables.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { pageData } from '../../pages/entry-data.ts'
import type { PageTree } from '../../pages/tree.ts'
import type { SoughtPages } from '../pages/first-pages.ts'
import type { PublishedIn } from './places.load.ts'
import { frame } from '../../workspace/frame.ts'
import { type Part, partLinks } from '../../workspace/paging.ts'
import { addressOf } from '../../workspace/reading/reading.page.ts'
import { spaceSearchForm } from '../../workspace/reading/search.page.ts'
import { counted, rows } from '../../workspace/rows.ts'
import { nameOfSpace } from '../../workspace/spaces/space-name.ts'
import { wayToSpace } from '../../workspace/spaces/way-to-space.ts'
import type { Said } from '../../workspace/said.ts'
import { saidOn, tabsOfSpace } from '../../workspace/top.ts'
import { tones } from '../parts.ts'
import { isMany, pageFinder, titled, treeOf } from '../pages/tree.page.ts'

interface ClosedParts {
  organization: OrganizationRow
  space: SpaceRow
  changes: Part<ChangeRequest>
}

interface SpaceParts extends Said {
  organization: OrganizationRow
  space: SpaceRow
  /** The collection that contains it, if the user may see that. */
  collection: CollectionRow | undefined
  changes: ChangeRequest[]
  more: number
  /** Number of open comments on the space itself. */
  openComments: number
  mayWrite: boolean
  /** Whether the user may also change its settings. */
  mayManage: boolean
  /** Whether copying is offered here. Users who may change the settings find it there instead. */
  mayCopy: boolean
  /** Whether it has a repository, or the current user may connect one. */
  hasGit: boolean
  tree: PageTree
  pages: SoughtPages
  publishedIn: PublishedIn[]
  mayPublish: boolean
  /** The current user's own change requests that can still be edited. */
  own: ChangeRequest[]
  /** Whether the user gets mails about what is merged; undefined if this is not offered. */
  watching: { isOn: boolean } | undefined
  form: string
  subject?: string
}

export function spacePage(place: Place, parts: SpaceParts): Html {
  const { organization, space, collection, changes, more, openComments } = parts
  const base = appPath.space(organization.id, space.id)
  // In a new space, the pages come first, because that is where the user starts.
  const isNew = parts.mayWrite && parts.pages.all === 0 && changes.length === 0
  return frame(
    place,
    space.title,
    html`<p class="review-space">
        <a href="${place.link(appPath.organization(organization.id))}">${organization.title}</a>${
          collection &&
          html` › <a href="${place.link(appPath.collection(organization.id, collection.id))}">${collection.title}</a>`
        }
      </p>
      <h1>${nameOfSpace(space)}</h1>
      ${tabsOfSpace(place, base, { management: parts.mayManage, git: parts.hasGit })} ${publishedIn(place, parts)}
      ${saidOn(parts)} ${parts.pages.all > 0 && spaceSearchForm(place, base)} ${isNew && pagesOf(place, base, parts)}
      <section aria-label="Change requests">
        <h2>Change requests</h2>
        ${rows(itemsOf(place, base, changes.slice(0, mostAtOnce)), 'No open change requests.')}
        ${changes.length > mostAtOnce && older(itemsOf(place, base, changes.slice(mostAtOnce)), more)}
        <p class="aside">
          <a href="${place.link(`${base}/~/closed`)}">Merged and archived change requests</a> ·
          <a href="${place.link(`${base}/~/history`)}">History of the main content</a> ·
          <a href="${place.link(`${base}/~/comments`)}">Comments</a>${openComments > 0 && ` (${openComments} open)`}
        </p>
        ${parts.watching && watching(place, base, parts.form, parts.watching)}
      </section>
      ${parts.mayWrite && beginning(place, base, parts)} ${!isNew && pagesOf(place, base, parts)}
      ${parts.mayCopy && copying(place, base, parts)}`,
  )
}

/** With more of them, nobody would scroll past to the pages. */
const mostAtOnce = 10

const older = (items: Html[], more: number) =>
  html`<details class="review-older">
    <summary class="btn">${counted(items.length + more, 'older one')}</summary>
    ${rows(items, '', more)}
  </details>`

const watching = (place: Place, base: string, form: string, { isOn }: { isOn: boolean }) =>
  html`<div class="review-tools review-watching">
    ${buttonForm(place, {
      action: `${base}/~/watch`,
      fields: { form, watch: isOn ? 'off' : 'on' },
      label: isOn ? 'Stop watching' : 'Watch this space',
    })}
    <span class="aside">
      ${isOn ? 'You get a mail' : 'To get a mail'} when a change request is merged here, or when others edit the main
      content.
    </span>
  </div>`

const copying = (place: Place, base: string, { form }: SpaceParts) =>
  html`<section aria-label="Copy">
    <h2>Copy</h2>
    <p class="aside work-note">Its pages, files and settings, as a new space next to this one.</p>
    ${buttonForm(place, { action: `${base}/~/copy`, fields: { form }, label: 'Copy this space' })}
  </section>`

/** Where readers find the space. */
function publishedIn(place: Place, { organization, publishedIn, mayPublish, pages }: SpaceParts): HtmlValue {
  if (publishedIn.length === 0)
    return (
      mayPublish &&
      pages.all > 0 &&
      html`<p class="aside work-note">
        Readers can find its pages once they are on
        <a href="${place.link(`${appPath.organization(organization.id)}/sites`)}">a published site</a>.
      </p>`
    )
  return html`<ul class="work-places" aria-label="Where it is published" role="list">
    ${publishedIn.map(
      ({ site, title, address }) =>
        html`<li>
          Published in <a href="${place.link(appPath.site(organization.id, site))}">${title}</a>${
            address !== undefined && html`: <a href="${address}">${address}</a>`
          }
        </li>`,
    )}
  </ul>`
}

/** Lists the change requests that are merged or archived. An archived one can be reopened. */
export function closedPage(place: Place, parts: ClosedParts): Html {
  const { organization, space, changes } = parts
  const base = appPath.space(organization.id, space.id)
  const title = 'Merged and archived change requests'
  return frame(
    place,
    `${title} · ${space.title}`,
    html`${wayToSpace(place, parts)}
      <h1>${title}</h1>
      <section aria-label="Change requests" class="review-closed">
        ${rows(itemsOf(place, base, changes.rows), 'None yet.')} ${partLinks(place, changes)}
      </section>`,
  )
}

const itemsOf = (place: Place, base: string, changes: readonly ChangeRequest[]) =>
  changes.map(
    (change) =>
      html`<li>
        <span class="row-main">
          <a href="${place.link(`${base}/~/changes/${change.number}`)}"><strong>${subjectOf(change)}</strong></a>
          <span class="row-more"
            >#${change.number}${change.creator && ` by ${change.creator.display_name}`} · changed
            ${day(change.updated_at)}</span
          >
        </span>
        <span class="tag" data-tone="${tones[change.status]}">${change.status}</span>
      </li>`,
  )

const beginning = (place: Place, base: string, { form, subject, pages }: SpaceParts) =>
  html`<section aria-label="New change request">
    <h2>New change request</h2>
    <p class="aside">
      Readers see what is written there once it is
      merged.${pages.all > 0 && ' To change one page, you can also choose it below.'}
    </p>
    <form method="post" action="${place.link(`${base}/~/changes`)}" class="fields inline one">
      ${hidden({ form })}
      <label class="field grow">
        <span>Subject</span>
        <input name="subject" value="${subject ?? ''}" maxlength="100" autocomplete="off" required />
      </label>
      <button class="btn ${pages.all > 0 && 'primary'}">Create change request</button>
    </form>
  </section>`

const firstStep = 'No pages yet. Write the first one, or import existing content.'

/** One form for all pages: hundreds of forms would make the page large. */
function pagesOf(place: Place, base: string, { tree, pages, own, mayWrite, form }: SpaceParts): Html {
  const address = (page: Entry) => place.link(addressOf(base, tree, page))
  const list = treeOf(pages, (page) => html`${titled(page, address(page))} ${mayWrite && editButton(page)}`)
  // Nobody scrolls past hundreds of pages to add one, so the buttons come first in long lists.
  const inOrder = (doings: Html, below: Html) => (isMany(pages) ? html`${doings} ${below}` : html`${below} ${doings}`)
  const doings = html`<div class="review-buttons">
    <button class="btn ${pages.all === 0 && 'primary'}" name="page" value="new">Add a page</button>
    <a class="btn" href="${place.link(`${base}/~/import`)}">Import files or a website</a>
  </div>`
  const others = html`<p class="aside">
    <a href="${place.link(`${base}/~/reusable-contents`)}">Reusable contents</a> ·
    <a href="${place.link(`${base}/~/variables`)}">Variables</a> ·
    <a href="${place.link(`${base}/~/download`)}">Download</a>
  </p>`
  return html`<section aria-label="Pages" id="pages">
    <h2>Pages</h2>
    ${pageFinder(place, base, pages)}
    ${pages.all === 0 && html`<p class="none">${mayWrite ? firstStep : 'None yet.'}</p>`}
    ${inOrder(
      others,
      mayWrite
        ? html`<form method="post" action="${place.link(`${base}/~/edits`)}" class="fields">
            ${hidden({ form })} ${own.length > 0 && choiceOf(own)} ${inOrder(doings, html`${list}`)}
          </form>`
        : html`${list}`,
    )}
  </section>`
}

function editButton(page: Entry): HtmlValue {
  const { type, title } = pageData(page)
  if (type !== 'document') return undefined
  return html`<button class="btn quiet" name="page" value="${page.entry}" aria-label="Edit ${title}">Edit</button>`
}

/** Offers the change requests that the user has already begun. */
export const choiceOf = (own: readonly ChangeRequest[]) =>
  html`<label class="field review-own">
    <span>Your edits go into</span>
    <select name="change">
      <option value="">a new change request</option>
      ${own.map((each) => html`<option value="${each.number}">#${each.number} ${each.subject}</option>`)}
    </select>
  </label>`
