import { hash } from 'node:crypto'
import { hidden, section as part, writingOver } from '../../../account/parts.ts'
import type { Place } from '../../../front/layout.ts'
import { type Html, html } from '../../../http/html.ts'
import type { ShownSection } from '../../../sites/structure/structure.ts'
import { asking } from '../../asking.ts'
import { siteTop } from '../below-site.ts'
import { conditionField } from '../conditions.ts'
import { frame } from '../../frame.ts'
import { iconField } from './icon-field.ts'
import { menuField } from './menu-field.ts'
import { isHiddenFromAll, showingSection } from './showing-section.ts'
import { forSome, hiddenNow, nameOf, shownFirst, spacesOf } from './site-spaces.page.ts'
import type { BuiltParts, KeptOfSpaces, Named } from '../site.parts.ts'
import { longestPath, longestTitle, shortestTitle } from '../site-title.ts'
import { addressIn, whereLater } from '../site-where.ts'
import { saidOn } from '../../top.ts'

/** What the user typed or chose before it was refused. */
export interface KeptOfSection extends KeptOfSpaces {
  /** The new title and path of the section. */
  called?: Named
  icon?: string
  condition?: string
  /** The menu that the section is to be in. */
  menu?: string
}

interface SectionParts extends BuiltParts, KeptOfSection {
  section: ShownSection
}

/** A section of a site: what it shows. Those who may edit the site can change all of it. */
export function sectionPage(place: Place, parts: SectionParts): Html {
  const { rights, section, path, seen } = parts
  const { title, condition, isDefault } = section
  const isHidden = isHiddenFromAll(section)
  return frame(
    place,
    `${title} · ${seen.site.title}`,
    html`${siteTop(place, parts, seen.site, html` › <a href="${place.link(`${path}/sections`)}">Sections</a>`)}
      <h1>${title}</h1>
      ${saidOn(parts)}
      <p class="work-places">
        <span>
          ${isHidden ? whereLater(section) : addressIn(parts, section)} ${isHidden && hiddenNow}
          ${isDefault && !isHidden && shownFirst} ${condition !== null && forSome}
        </span>
      </p>
      ${part('spaces', 'Versions', 'What readers find in it. With several spaces, they choose a version or language.', spacesOf(place, parts))}
      ${rights.edit && part('title', 'Title and path', 'The name of its tab, and its address.', naming(place, parts))}
      ${rights.edit && part('icon', 'Icon', 'Shown before its title.', choosingIcon(place, parts))}
      ${rights.edit && part('condition', 'Who sees it', 'All readers of the site, or only some.', choosingReaders(place, parts))}
      ${rights.edit && seen.structure.groups.length > 0 && part('menu', 'Menu', 'Its own tab, or part of a menu.', choosingMenu(place, parts))}
      ${rights.edit && part('remove', 'Remove', 'Its spaces stay.', removing(place, parts))}`,
  )
}

const pathOf = (place: Place, { path, section: { id } }: SectionParts, action: string) =>
  place.link(`${path}/sections/${id}/${action}`)

function naming(place: Place, parts: SectionParts): Html {
  const { form, section, called } = parts
  const { title, path, isDefault } = section
  return html`<form ${writingOver(pathOf(place, parts, 'title'))} class="fields work-new">
    ${hidden({ form, seenTitle: title, seenPath: path })}
    <label class="field">
      <span>Title</span>
      <input
        name="title"
        value="${called?.title ?? title}"
        minlength="${shortestTitle}"
        maxlength="${longestTitle}"
        autocomplete="off"
        required
      />
    </label>
    <label class="field">
      <span>Path</span>
      <input name="path" value="${called?.path ?? path}" maxlength="${longestPath}" autocomplete="off" required />
    </label>
    <p class="aside">
      ${isDefault ? 'While it is shown first, its address is that of the site, without this path.' : 'If you change it, existing links to its pages keep working.'}
    </p>
    <div><button class="btn">Save title and path</button></div>
  </form>`
}

function choosingIcon(place: Place, parts: SectionParts): Html {
  const { form, section, icon } = parts
  const now = section.icon ?? ''
  return html`<form ${writingOver(pathOf(place, parts, 'icon'))} class="fields inline one work-short">
    ${hidden({ form, seen: now })} ${iconField(icon ?? now)}
    <button class="btn">Save icon</button>
  </form>`
}

function choosingReaders(place: Place, parts: SectionParts): Html {
  const { form, section, condition } = parts
  return html`<form ${writingOver(pathOf(place, parts, 'condition'))} class="fields">
      ${hidden({ form })} ${conditionField(place, parts, { now: section.condition, typed: condition })}
      <div><button class="btn">Save visibility</button></div>
    </form>
    ${section.draft ? html`<div class="work-parts">${showingSection(place, parts, section)}</div>` : hiding(place, parts)}`
}

const hiding = (place: Place, parts: SectionParts) =>
  html`<form method="post" action="${pathOf(place, parts, 'draft')}" class="fields">
    ${hidden({ form: parts.form, draft: 'on' })}
    <p class="aside">
      Use this to prepare or retire it, with everything in it. Links to its pages stop working until you show it again.
      ${parts.section.isDefault && 'It is shown first, so readers who open the site will get another section.'}
    </p>
    <div><button class="btn">Hide from all readers</button></div>
  </form>`

function choosingMenu(place: Place, parts: SectionParts): Html {
  const { form, section, seen, menu } = parts
  const now = section.group_id ?? ''
  return html`<form ${writingOver(pathOf(place, parts, 'menu'))} class="fields inline one">
    ${hidden({ form, seen: now })} ${menuField(seen.structure.groups, menu ?? now)}
    <button class="btn">Save</button>
  </form>`
}

function removing(place: Place, parts: SectionParts): Html {
  const { form, section } = parts
  const { title, siteSpaces } = section
  return asking(
    'Remove this section',
    html`<form ${writingOver(pathOf(place, parts, 'remove'))} class="review-ask">
      ${hidden({ form, seen: contentOf(section) })}
      <p>Remove the section “${title}” from the site? Readers can no longer find what it shows:</p>
      <ul class="review-named">
        ${siteSpaces.map((row) => html`<li>${nameOf(row)}</li>`)}
      </ul>
      <p>
        Their titles, paths and looks in this site are lost. This cannot be undone. The spaces and their content stay.
      </p>
      <button class="btn danger">Remove section</button>
    </form>`,
  )
}

/** Identifies the content that a user has seen in a section when they remove it. */
export const contentOf = ({ siteSpaces }: ShownSection) =>
  hash('sha256', JSON.stringify(siteSpaces.map(({ id, space_id }) => [id, space_id]).toSorted()), 'base64url')
