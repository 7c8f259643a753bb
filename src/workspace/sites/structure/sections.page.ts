import { appPath } from '../../../app-path.ts'
import { hidden, writingOver } from '../../../account/parts.ts'
import type { Place } from '../../../front/layout.ts'
import { type Html, html } from '../../../http/html.ts'
import {
  type LinkRow,
  type ShownGroup,
  type ShownSection,
  isGroup,
  isLink,
} from '../../../sites/structure/structure.ts'
import { asking } from '../../asking.ts'
import { siteTop } from '../below-site.ts'
import { type TypedLink, draftField, firstFields } from './external-link-fields.ts'
import { frame } from '../../frame.ts'
import { type KeptOfMenus, changingMenu, newMenu } from './menus.page.ts'
import { movingUpAndDown } from './neighbours.ts'
import { isHiddenFromAll, showingSection } from './showing-section.ts'
import { forSome, nameOf, choosingSpace, hiddenNow, previewOf, shownFirst } from './site-spaces.page.ts'
import type { BuiltParts } from '../site.parts.ts'
import { longestPath, longestTitle, shortestTitle } from '../site-title.ts'
import { whereIn, whereLater } from '../site-where.ts'
import { unoffered } from '../sites.page.ts'
import { saidOn } from '../../top.ts'

/** What the user typed or chose before it was refused. */
export interface KeptOfSections extends KeptOfMenus {
  /** For a new section. */
  draft?: { space: string; title: string; path: string; draft: boolean }
  /** For a new link. */
  link?: Pick<TypedLink, 'title' | 'url' | 'draft'>
}

interface SectionsParts extends BuiltParts, KeptOfSections {}

/** All sections of a site, in their order. Those who may edit the site can change that. */
export function sectionsPage(place: Place, parts: SectionsParts): Html {
  const { rights, seen } = parts
  const { structure, site } = seen
  const isBare = structure.top.length === 0
  return frame(
    place,
    `Sections · ${site.title}`,
    html`${siteTop(place, parts, site)}
      <h1>Sections</h1>
      ${saidOn(parts)}
      <p class="work-note">
        Sections are the tabs in the header of the site: a guide, an API reference, news. Each shows its own space, or
        several as versions or languages to choose from. You can put links between them, for example to a status page or
        a forum.
      </p>
      ${isBare ? html`<p class="none">${bare(parts)}</p>` : sectionRows(place, parts, { forms: rights.edit })}
      ${structure.top.length === 1 && structure.sections.length === 1 && html`<p class="aside">Readers see tabs once there are at least two sections.</p>`}
      ${rights.edit && html`${newSection(place, parts)} ${newLink(place, parts)} ${!isBare && newMenu(place, parts)}`}`,
  )
}

function bare({ seen: { structure }, rights }: SectionsParts): string {
  if (structure.inSections || !rights.edit) return 'None that you can see.'
  if (structure.root.length === 0) return 'None yet.'
  return 'None yet. When you create the first section, what the site shows now becomes a section too. It comes first and keeps its address.'
}

/** Lists sections, menus and links. The content of a menu is listed inside it. */
export function sectionRows(place: Place, parts: SectionsParts, { forms }: { forms: boolean }): Html {
  const rowsOf = (items: (ShownSection | ShownGroup | LinkRow)[]): Html[] =>
    items.map((item) => {
      if (isLink(item)) return linkRow(place, parts, item, forms)
      return isGroup(item) ? menuRow(item) : rowOf(place, parts, item, forms)
    })
  const menuRow = (menu: ShownGroup) =>
    html`<li id="${menu.id}" class="work-menu">
      <span class="row-main">
        <strong>${menu.title}</strong>
        <span class="row-more"
          >${menu.children.length > 0 ? 'a menu, in which readers find' : 'a menu with nothing in it, which readers do not see'}</span
        >
      </span>
      ${forms && changingMenu(place, parts, menu)}
      ${
        menu.children.length > 0 &&
        html`<ul class="rows" role="list">
          ${rowsOf(menu.children)}
        </ul>`
      }
    </li>`
  return html`<ul class="rows work-order" role="list">
    ${rowsOf(parts.seen.structure.top)}
  </ul>`
}

function rowOf(place: Place, parts: SectionsParts, section: ShownSection, forms: boolean): Html {
  const { path, seen, form } = parts
  const { id, title, siteSpaces, condition, isDefault } = section
  const isDraft = isHiddenFromAll(section)
  const spaces = siteSpaces.map((row) => `${nameOf(row)}${row.draft && !isDraft ? ' (hidden)' : ''}`).join(', ')
  return html`<li id="${id}">
    <span class="row-main">
      <a href="${place.link(`${path}/sections/${id}`)}"><strong>${title}</strong></a>
      <span class="row-more"
        >${isDraft ? whereLater(section) : whereIn(parts, section)}${spaces !== title && ` · ${spaces}`}</span
      >
    </span>
    ${isDraft && hiddenNow} ${condition !== null && forSome} ${isDefault && !isDraft && shownFirst}
    ${
      forms &&
      html`<div class="review-does">
        ${section.draft && showingSection(place, parts, section)}
        ${!isDefault && !isDraft && first(place, parts, section)}
        ${movingUpAndDown(place, seen.structure, {
          id,
          title,
          action: `${path}/sections/${id}/move`,
          fields: { form },
        })}
      </div>`
    }
  </li>`
}

function linkRow(place: Place, parts: SectionsParts, link: LinkRow, forms: boolean): Html {
  const { path, seen, form, rights } = parts
  const { siteSpaces: spaces } = seen.structure
  const { id, title, url, condition, draft } = link
  return html`<li id="${id}">
    <span class="row-main">
      <a href="${place.link(`${path}/external-links/${id}`)}"><strong>${title}</strong></a>
      <span class="row-more">a link to <a href="${url}" rel="noopener">${url}</a></span>
    </span>
    ${draft && hiddenNow} ${condition !== null && forSome}
    ${
      forms &&
      html`<div class="review-does">
        ${draft && previewOf(place, { rights, spaces }, { path: `${path}/preview`, title })}
        ${movingUpAndDown(place, seen.structure, {
          id,
          title,
          action: `${path}/external-links/${id}/move`,
          fields: { form },
        })}
      </div>`
    }
  </li>`
}

function first(place: Place, { path, seen: { structure }, form }: SectionsParts, { id, title }: ShownSection): Html {
  const seen = structure.sections.find(({ isDefault }) => isDefault)?.id
  return asking(
    'Show first',
    html`<form ${writingOver(place.link(`${path}/sections/${id}/first`))} class="review-ask">
      ${hidden({ form, seen })}
      <p>
        Show “${title}” to readers who open the address of the site? The current first section gets its own path in the
        address. Existing links to its pages redirect there, unless the new one has a page at the same address. The
        order of the tabs does not change.
      </p>
      <button class="btn">Show first</button>
    </form>`,
    `Show first: ${title}`,
  )
}

function newLink(place: Place, { path, form, link, seen: { structure } }: SectionsParts): Html {
  return html`<section aria-label="New link">
    <h2>New link</h2>
    <p class="aside">
      To another website, beside the sections.
      ${structure.root.length > 0 && 'What the site shows now then becomes a section and keeps its address.'}
    </p>
    <form method="post" action="${place.link(`${path}/external-links`)}" class="fields work-new">
      ${hidden({ form })} ${firstFields(link)} ${draftField(link?.draft ?? false)}
      <div><button class="btn">Create link</button></div>
    </form>
  </section>`
}

function newSection(place: Place, { path, form, organization, toShow, draft }: SectionsParts): Html {
  const { spaces, others } = toShow
  if (spaces.length === 0)
    return html`<section aria-label="New section">
      <h2>New section</h2>
      <p class="aside work-more">
        A section shows a space, and there is no other space you can add. Create one
        <a href="${place.link(appPath.organization(organization.id))}">under Spaces</a>. ${unoffered(others)}
      </p>
    </section>`
  return html`<section aria-label="New section">
    <h2>New section</h2>
    <form method="post" action="${place.link(`${path}/sections`)}" class="fields work-new">
      ${hidden({ form })}
      <label class="field"><span>Space</span>${choosingSpace(toShow, draft?.space)}</label>
      <label class="field">
        <span>Tab title (default: title of the space)</span>
        <input
          name="title"
          value="${draft?.title ?? ''}"
          minlength="${shortestTitle}"
          maxlength="${longestTitle}"
          autocomplete="off"
        />
      </label>
      <label class="field">
        <span>Path (default: made from the title)</span>
        <input name="path" value="${draft?.path ?? ''}" maxlength="${longestPath}" autocomplete="off" />
      </label>
      ${draftField(draft?.draft ?? false)}
      <div><button class="btn primary">Create section</button></div>
    </form>
    <p class="aside">
      Spaces that are already in the site are not listed. To give one of several its own section, use “Move to a
      section”. ${unoffered(others)}
    </p>
  </section>`
}
