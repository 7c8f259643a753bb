import { appPath } from '../../../app-path.ts'
import { buttonForm, hidden, writingOver } from '../../../account/parts.ts'
import type { Place } from '../../../front/layout.ts'
import { type Html, html } from '../../../http/html.ts'
import { sectionStep } from '../../../sites/structure/present.ts'
import type { ShownSection, ShownSpace } from '../../../sites/structure/structure.ts'
import { asking } from '../../asking.ts'
import { conditionField, possibleConditions } from '../conditions.ts'
import { movingElsewhere } from './moving.page.ts'
import { movingUpAndDown } from './neighbours.ts'
import { rows } from '../../rows.ts'
import type { BuiltParts, KeptOfSpaces } from '../site.parts.ts'
import { longestPath, longestTitle } from '../site-title.ts'
import { whereIn, whereLater } from '../site-where.ts'
import { unoffered } from '../sites.page.ts'

/** A list of spaces on a site: at the root, or in a section. */
export interface Level extends BuiltParts, KeptOfSpaces {
  section?: ShownSection
}

/**
 * Lists spaces that are versions or languages of the same content. Those who may edit the site get forms to change
 * that.
 */
export function spacesOf(place: Place, level: Level): Html {
  const { rights } = level
  return html`${rows(
    shownOn(level).map((row) => rowOf(place, level, row)),
    rights.edit ? 'None that you can read yet. Add one below.' : 'None that you can read.',
  )}
  ${rights.edit && html`${adding(place, level)} ${possibleConditions(level)}`}`
}

const shownOn = ({ section, seen }: Level) => (section ?? { siteSpaces: seen.structure.root }).siteSpaces

const pathBelow = ({ path, section }: Level, action = '') =>
  `${path}${section ? `/sections/${section.id}` : ''}/spaces${action}`

function rowOf(place: Place, level: Level, row: ShownSpace): Html {
  const { organization, rights, seen } = level
  const isFirst = row.isDefault && !row.draft && shownOn(level).length > 1
  const steps = [sectionStep(seen, row), row]
  const where = row.isHidden ? whereLater(...steps) : whereIn(level, ...steps)
  return html`<li id="${row.id}">
    <span class="row-main">
      <a href="${place.link(appPath.space(organization.id, row.space_id))}"><strong>${nameOf(row)}</strong></a>
      <span class="row-more">${where}${row.title !== null && ` · the space “${row.space_title}”`}</span>
    </span>
    ${row.draft && hiddenNow} ${row.condition !== null && forSome} ${isFirst && shownFirst}
    ${
      rights.edit &&
      html`<div class="review-does">
        ${row.draft && showing(place, level, row)} ${!row.isDefault && !row.draft && first(place, level, row)}
        ${naming(place, level, row)} ${choosingReaders(place, level, row)} ${versionOf(place, level, row)}
        ${movingElsewhere(place, {
          row,
          name: nameOf(row),
          section: level.section,
          structure: seen.structure,
          action: pathBelow(level, '/section'),
          fields: about(level, row),
          typed: level.moving?.of === row.id ? level.moving : undefined,
        })}
        ${removing(place, level, row)}
        ${movingUpAndDown(place, seen.structure, {
          id: row.id,
          title: nameOf(row),
          action: pathBelow(level, '/move'),
          fields: about(level, row),
        })}
      </div>`
    }
  </li>`
}

export const shownFirst = html`<span class="tag" data-tone="info">shown first</span>`

/** Marks what has a condition. */
export const forSome = html`<span class="tag" data-tone="violet">for some readers</span>`

/** Marks a draft: a new one, or one that was hidden again. */
export const hiddenNow = html`<span class="tag" data-tone="warning">hidden from readers</span>`

export const nameOf = ({ title, space_title }: ShownSpace) => title ?? space_title

/** The fields for what a form is about: the place on the site, and the space that is there. */
const about = ({ form }: Level, row: ShownSpace) => ({ form, at: row.id, space: row.space_id })

function first(place: Place, level: Level, row: ShownSpace): Html {
  const seen = shownOn(level).find(({ isDefault }) => isDefault)?.id
  return asking(
    'Show first',
    html`<form ${writingOver(place.link(pathBelow(level, '/first')))} class="review-ask">
      ${hidden({ ...about(level, row), seen })}
      <p>
        Show “${nameOf(row)}” to readers who open the address of the ${level.section ? 'section' : 'site'}? What is
        shown first now gets its own path in the address. Existing links to its pages redirect there, unless the new one
        has a page at the same address.
      </p>
      <button class="btn">Show first</button>
    </form>`,
    `Show first: ${nameOf(row)}`,
  )
}

/** The buttons of a draft: to preview it, and to show it to readers. */
function showing(place: Place, level: Level, row: ShownSpace): Html {
  const name = nameOf(row)
  const { rights, path } = level
  return html`${previewOf(place, { rights, spaces: [row] }, { path: `${path}/preview?of=${row.id}`, title: name })}
  ${buttonForm(place, {
    action: pathBelow(level, '/draft'),
    fields: { ...about(level, row), draft: 'off' },
    label: 'Show to readers',
    name: `Show to readers: ${name}`,
  })}`
}

/** Links to the site with a draft in it, for those who may see that. */
export const previewOf = (
  place: Place,
  { rights, spaces }: { rights: BuiltParts['rights']; spaces: readonly ShownSpace[] },
  { path, title }: { path: string; title: string },
) =>
  rights.secrets &&
  spaces.length > 0 &&
  html`<a class="btn" href="${place.link(path)}" aria-label="Preview: ${title}">Preview</a>`

function versionOf(place: Place, level: Level, row: ShownSpace): Html {
  const typed = level.version?.of === row.id ? level.version : undefined
  return html`<details class="work-asking" ${typed && 'open'}>
    <summary class="btn" aria-label="New version from this one: ${nameOf(row)}">New version from this one</summary>
    <form method="post" action="${place.link(pathBelow(level, '/copy'))}" class="review-ask">
      ${hidden(about(level, row))}
      <p>
        Copies the space “${row.space_title}”, with its pages and files, and adds the copy after it. From then on each
        is edited separately.
        ${row.title === null && `Readers see this one as “${nameOf(row)}”. Under “Title and path” you can call it “Version 1”, for example.`}
      </p>
      <label class="field">
        <span>Title of the new version</span>
        <input
          name="title"
          value="${typed?.title ?? ''}"
          maxlength="${longestTitle}"
          placeholder="Version 2"
          autocomplete="off"
          required
        />
      </label>
      <label class="choice">
        <input type="checkbox" name="shown" value="on" ${typed?.shown && html`checked`} />
        <span class="row-main">
          <span>Show to readers at once</span>
          <span class="row-more">Otherwise it is a draft that you show when it is ready.</span>
        </span>
      </label>
      <button class="btn">Create version</button>
    </form>
  </details>`
}

function naming(place: Place, level: Level, row: ShownSpace): Html {
  const typed = level.named?.of === row.id ? level.named : undefined
  const around = level.section ? 'section' : 'site'
  return html`<details class="work-asking" ${typed && 'open'}>
    <summary class="btn" aria-label="Title and path of ${nameOf(row)}">Title and path</summary>
    <form ${writingOver(place.link(pathBelow(level, '/title')))} class="review-ask">
      ${hidden({ ...about(level, row), seenTitle: row.title ?? '', seenPath: row.path })}
      <label class="field">
        <span>Title in the version menu</span>
        <input
          name="title"
          value="${typed?.title ?? row.title ?? ''}"
          maxlength="${longestTitle}"
          placeholder="${row.space_title}"
          autocomplete="off"
        />
      </label>
      <p>For example “Version 2” or “Français”. If empty, the title of the space is used.</p>
      <label class="field">
        <span>Path</span>
        <input name="path" value="${typed?.path ?? row.path}" maxlength="${longestPath}" autocomplete="off" required />
      </label>
      <p>
        ${row.isDefault ? `While it is shown first, its address is that of the ${around}, without this path.` : 'If you change it, existing links to its pages keep working.'}
      </p>
      <button class="btn">Save title and path</button>
    </form>
  </details>`
}

function choosingReaders(place: Place, level: Level, row: ShownSpace): Html {
  const typed = level.seenBy?.of === row.id ? level.seenBy.condition : undefined
  const isShownBeforeOthers = row.isDefault && shownOn(level).some(({ id, draft }) => id !== row.id && !draft)
  return html`<details class="work-asking" ${typed !== undefined && 'open'}>
    <summary class="btn" aria-label="Who sees it: ${nameOf(row)}">Who sees it</summary>
    <form ${writingOver(place.link(pathBelow(level, '/condition')))} class="review-ask">
      ${hidden(about(level, row))} ${conditionField(place, level, { now: row.condition, typed })}
      <button class="btn">Save visibility</button>
    </form>
    ${
      !row.draft &&
      html`<form method="post" action="${place.link(pathBelow(level, '/draft'))}" class="review-ask">
        ${hidden({ ...about(level, row), draft: 'on' })}
        <p>Use this to prepare or retire it. ${isShownBeforeOthers && instead(level)}</p>
        <button class="btn">Hide from all readers</button>
      </form>`
    }
  </details>`
}

const instead = ({ section }: Level) =>
  `It is shown first: readers who open the address of the ${section ? 'section' : 'site'} will get another one, and links to its pages stop working. To avoid that, show another one first.`

function removing(place: Place, level: Level, row: ShownSpace): Html {
  const { section } = level
  const isLast = section !== undefined && section.siteSpaces.length === 1
  return asking(
    'Remove',
    html`<form ${writingOver(place.link(pathBelow(level, '/remove')))} class="review-ask">
      ${hidden(about(level, row))}
      <p>
        Remove “${nameOf(row)}” from this site? Readers can no longer find it here.
        ${isLast && `It is all that the section “${section.title}” shows, so the section is removed too. `}The space
        itself stays.
      </p>
      <button class="btn danger">Remove from site</button>
    </form>`,
    `Remove ${nameOf(row)}`,
  )
}

function adding(place: Place, level: Level): Html {
  const { form, toShow, space, section } = level
  const { spaces, others } = toShow
  if (spaces.length === 0)
    return html`<p class="aside">
      There is no other space you can add. For another version of an existing one, choose “New version from this one”.
      ${unoffered(others)}
    </p>`
  return html`<div>
    <form method="post" action="${place.link(pathBelow(level))}" class="fields inline one">
      ${hidden({ form })}
      <label class="field grow">
        <span>Another ${section ? 'version or language' : 'space'}</span>
        ${choosingSpace(toShow, space)}
      </label>
      <button class="btn">Add</button>
    </form>
    <p class="aside">With several spaces, readers choose between them as versions or languages. ${unoffered(others)}</p>
  </div>`
}

/** The field for the space to add. None is preselected, because readers see at once what is added. */
export const choosingSpace = ({ spaces }: BuiltParts['toShow'], chosen: string | undefined) =>
  html`<select name="space" required>
    <option value="">Choose a space</option>
    ${spaces.map(({ id, title }) => html`<option value="${id}" ${id === chosen && html`selected`}>${title}</option>`)}
  </select>`
