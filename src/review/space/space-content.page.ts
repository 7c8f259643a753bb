import { hidden } from '../../account/parts.ts'
import type { ChangeRequest } from '../../change-requests/queries.ts'
import type { Entry } from '../../content/merge/entry.ts'
import type { OrganizationRow, SpaceRow } from '../../db/tables.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { pageData, reusableData } from '../../pages/entry-data.ts'
import type { PageTree } from '../../pages/tree.ts'
import { page } from '../../revisions/entries.ts'
import { frame } from '../../workspace/frame.ts'
import { addressOf, textOf } from '../../workspace/reading/reading.page.ts'
import { rows } from '../../workspace/rows.ts'
import { wayToSpace } from '../../workspace/spaces/way-to-space.ts'
import { usedBy } from '../reusable-contents/reusable-contents.page.ts'
import { choiceOf } from './space.page.ts'
import { type Variable, namedValue } from '../variables/variables.page.ts'

interface ContentParts {
  organization: OrganizationRow
  space: SpaceRow
  /** Path of the space. */
  path: string
  form: string
  mayWrite: boolean
  /** The current user's own change requests that can still be edited. */
  own: ChangeRequest[]
}

interface ReusableParts extends ContentParts {
  contents: readonly Entry[]
  more: number
  users: ReadonlyMap<string, Entry[]>
}

/** The reusable contents in the main content of a space. */
export function spaceReusablesPage(place: Place, parts: ReusableParts): Html {
  const { path, contents, more, users, mayWrite } = parts
  const items = contents.map((entry) => {
    const { title } = reusableData(entry)
    return html`<li>
      <span class="row-main">
        <a href="${place.link(`${path}/~/reusable-contents/${entry.entry}`)}"><strong>${title}</strong></a>
        <span class="row-more">${usedBy(users.get(entry.entry) ?? [])}</span>
      </span>
      ${
        mayWrite &&
        html`<button class="btn quiet" name="reusable" value="${entry.entry}" aria-label="Edit ${title}">Edit</button>`
      }
    </li>`
  })
  return within(
    place,
    parts,
    'Reusable contents',
    html`<p class="aside">Text that is written once and shown on every page that includes it.</p>
      ${editing(
        place,
        parts,
        rows(items, 'None yet.', more),
        html`<button class="btn" name="reusable" value="new">Add reusable content</button>`,
      )}`,
  )
}

interface ReusableReading extends ContentParts {
  entry: Entry
  body: Html | undefined
  users: readonly Entry[]
  tree: PageTree
}

/** One reusable content, for everyone who may read its space. */
export function reusableReadingPage(place: Place, parts: ReusableReading): Html {
  const { path, entry, body, users, tree, mayWrite } = parts
  const linkTo = (user: Entry) =>
    user.kind === page
      ? html`<a href="${place.link(addressOf(path, tree, user))}">${pageData(user).title}</a>`
      : html`<a href="${place.link(`${path}/~/reusable-contents/${user.entry}`)}">${reusableData(user).title}</a>`
  return within(
    place,
    parts,
    reusableData(entry).title,
    html`<p class="aside work-note">
        A <a href="${place.link(`${path}/~/reusable-contents`)}">reusable content</a>, ${usedBy(users)}.
      </p>
      ${
        mayWrite &&
        html`<form method="post" action="${place.link(`${path}/~/edits`)}" class="work-note">
          ${hidden({ form: parts.form, change: '' })}
          <button class="btn" name="reusable" value="${entry.entry}">Edit this reusable content</button>
        </form>`
      }
      ${textOf(body)}
      ${
        users.length > 0 &&
        html`<section aria-label="Included by">
          <h2>Included by</h2>
          ${rows(
            users.slice(0, mostUsers).map((user) => html`<li><span class="row-main">${linkTo(user)}</span></li>`),
            '',
          )}
          ${users.length > mostUsers && html`<p class="none">And ${users.length - mostUsers} more.</p>`}
        </section>`
      }`,
  )
}

const mostUsers = 200

interface VariablesParts extends ContentParts {
  variables: readonly Variable[]
  more: number
}

/** The variables in the main content of a space. */
export function spaceVariablesPage(place: Place, parts: VariablesParts): Html {
  const { variables, more } = parts
  const items = variables.map((each) => html`<li><span class="row-main">${namedValue(each)}</span></li>`)
  return within(
    place,
    parts,
    'Variables',
    html`<p class="aside">A version, an address, a name: written once and shown on every page that uses it.</p>
      ${editing(
        place,
        parts,
        rows(items, 'None yet.', more),
        html`<button class="btn" name="variables" value="on">Edit variables</button>`,
      )}`,
  )
}

const within = (place: Place, parts: ContentParts, heading: string, body: Html): Html =>
  frame(
    place,
    `${heading} · ${parts.space.title}`,
    html`${wayToSpace(place, parts)}
      <h1>${heading}</h1>
      ${body}`,
  )

/** Users who may write do so in a change request, as with pages. */
function editing(place: Place, { path, form, mayWrite, own }: ContentParts, list: Html, button: Html): HtmlValue {
  if (!mayWrite) return list
  return html`<form method="post" action="${place.link(`${path}/~/edits`)}" class="fields review-edit">
    ${hidden({ form })} ${own.length > 0 && choiceOf(own)} ${list}
    <div class="review-buttons">${button}</div>
  </form>`
}
