import { hidden, writingOver } from '../../account/parts.ts'
import type { Entry } from '../../content/merge/entry.ts'
import { codeBlock } from '../../front/code.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { pageData, reusableData } from '../../pages/entry-data.ts'
import { page } from '../../revisions/entries.ts'
import { counted } from '../../workspace/rows.ts'
import { includeLine } from '../editor/edit.tools.ts'
import { type Around, buttonsWithBack, withinPage } from '../within.page.ts'

/** The limit of the API. */
export const longestTitle = 500

interface ListedContents {
  contents: readonly Entry[]
  more: number
  users: ReadonlyMap<string, Entry[]>
  /** The title entered for a new one. */
  title: string
}

/** The reusable contents of a change request: a form for a new one, and the line with which a page includes each. */
export function reusableContentsPage(place: Place, around: Around, listed: ListedContents): Html {
  const { contents, more, title } = listed
  const base = `${around.path}/~/reusable-contents`
  return withinPage(
    place,
    around,
    'Reusable contents',
    html`<p class="aside">Text that is written once and shown on every page that includes it.</p>
      <form method="post" action="${place.link(base)}" class="fields inline one">
        ${hidden({ form: around.form })}
        <label class="field grow">
          <span>Title (seen only by writers)</span>
          <input name="title" value="${title}" maxlength="${longestTitle}" autocomplete="off" required />
        </label>
        <button class="btn primary">Add</button>
      </form>
      <section aria-label="All reusable contents" class="review-files">
        <h2>All reusable contents</h2>
        ${
          contents.length === 0
            ? html`<p class="none">None yet. Add the first one above.</p>`
            : html`<p>To use one, copy its line and paste it into the text of a page.</p>
                <ul role="list">
                  ${contents.map((each) => contentOf(place, base, each, listed))}
                </ul>`
        }
        ${more > 0 && html`<p class="none">And ${more} more. Use the API to list them.</p>`}
      </section>`,
    ['copy', 'check'],
  )
}

function contentOf(place: Place, base: string, entry: Entry, { users }: ListedContents): Html {
  const { title } = reusableData(entry)
  const at = (what = '') => place.link(`${base}/${entry.entry}${what}`)
  const about = usedBy(users.get(entry.entry) ?? [])
  const label = html`<span><a href="${at()}">${title}</a> <span class="row-more">${about}</span></span>`
  return html`<li data-id="${entry.entry}" data-title="${title}" data-about="${about}">
    ${codeBlock(label, html`${includeLine(entry)}`)}
    <p class="review-doings">
      <a href="${at()}" aria-label="Edit ${title}">Edit</a>
      <a href="${at('/title')}" aria-label="Rename ${title}">Rename</a>
      <a href="${at('/delete')}" aria-label="Delete ${title}">Delete</a>
    </p>
  </li>`
}

/** Says in how many places it is included. */
export function usedBy(users: readonly Entry[]): string {
  const pages = users.filter(({ kind }) => kind === page).length
  const others = users.length - pages
  const words = [
    ...(pages > 0 ? [counted(pages, 'page')] : []),
    ...(others > 0 ? [counted(others, 'reusable content')] : []),
  ]
  return words.length === 0 ? 'not included anywhere' : `included by ${words.join(' and ')}`
}

/** `seen` is the title when the form was opened. */
export function renamingPage(
  place: Place,
  around: Around,
  entry: Entry,
  { title, seen }: { title: string; seen: string },
): Html {
  const base = `${around.path}/~/reusable-contents`
  return withinPage(
    place,
    around,
    `Rename “${reusableData(entry).title}”`,
    html`<form ${writingOver(place.link(`${base}/${entry.entry}/title`))} class="fields review-place">
      ${hidden({ form: around.form, seen })}
      <label class="field">
        <span>Title (seen only by writers)</span>
        <input name="title" value="${title}" maxlength="${longestTitle}" autocomplete="off" required />
      </label>
      ${buttonsWithBack(place, base, html`<button class="btn primary">Save</button>`)}
    </form>`,
  )
}

/** Of a long list, the first titles are enough to show what it is about. */
const mostNamed = 50

/** `seen` identifies the places that the question names. If they have changed, nothing is deleted. */
export function deletionPage(
  place: Place,
  around: Around,
  { entry, users, seen }: { entry: Entry; users: readonly Entry[]; seen: string },
): Html {
  const base = `${around.path}/~/reusable-contents`
  return withinPage(
    place,
    around,
    `Delete “${reusableData(entry).title}”?`,
    html`${users.length > 0 ? standing(place, around, users) : html`<p>Nothing here includes it.</p>`}
      <p>Readers see it until this change request is merged.</p>
      <form ${writingOver(place.link(`${base}/${entry.entry}/delete`))} class="fields">
        ${hidden({ form: around.form, seen })}
        ${buttonsWithBack(place, base, html`<button class="btn danger">Delete reusable content</button>`)}
      </form>`,
  )
}

function standing(place: Place, { path }: Around, users: readonly Entry[]): Html {
  const more = users.length - mostNamed
  return html`<p>It is ${usedBy(users)}. Delete its line there too, or readers are told that it does not exist.</p>
    <ul class="review-named">
      ${users.slice(0, mostNamed).map((user) => html`<li>${linkTo(place, path, user)}</li>`)}
    </ul>
    ${more > 0 && html`<p class="none">And ${more} more.</p>`}`
}

/** A link to where it is edited. */
function linkTo(place: Place, path: string, user: Entry): HtmlValue {
  const isPage = user.kind === page
  const { title } = isPage ? pageData(user) : reusableData(user)
  const folder = isPage ? 'pages' : '~/reusable-contents'
  return html`<a href="${place.link(`${path}/${folder}/${user.entry}`)}">${title}</a>`
}
