import { hidden, writingOver } from '../../../account/parts.ts'
import type { Place } from '../../../front/layout.ts'
import { type Html, html } from '../../../http/html.ts'
import { type ShownGroup, isGroup } from '../../../sites/structure/structure.ts'
import { asking } from '../../asking.ts'
import { movingUpAndDown } from './neighbours.ts'
import type { BuiltParts } from '../site.parts.ts'
import { longestMenu } from '../site-title.ts'
import { mostChoices } from '../sites.page.ts'

/** Menus contain sections of a site, and links. The API calls them section groups. */

/** What the user typed or chose before it was refused. */
export interface KeptOfMenus {
  /** The new title of a menu. */
  renamed?: { of: string; title: string }
  /** For a new menu. */
  menu?: { title: string; chosen: string[] }
}

type MenusParts = BuiltParts & KeptOfMenus

/** The name of the form field for whether a new menu contains a section or a link. */
export const choiceOf = (id: string) => `section-${id}`

export function changingMenu(place: Place, parts: MenusParts, menu: ShownGroup): Html {
  const { path, form, seen } = parts
  const { id, title } = menu
  return html`<div class="review-does">
    ${renaming(place, parts, menu)}
    ${asking(
      'Remove',
      html`<form method="post" action="${place.link(`${path}/menus/${id}/remove`)}" class="review-ask">
        ${hidden({ form })}
        <p>Remove the menu “${title}”? Its entries stay in the site as tabs.</p>
        <button class="btn danger">Remove menu</button>
      </form>`,
      `Remove menu ${title}`,
    )}
    ${movingUpAndDown(place, seen.structure, { id, title, action: `${path}/menus/${id}/move`, fields: { form } })}
  </div>`
}

function renaming(place: Place, { path, form, renamed }: MenusParts, { id, title }: ShownGroup): Html {
  const typed = renamed?.of === id ? renamed.title : undefined
  return html`<details class="work-asking" ${typed !== undefined && 'open'}>
    <summary class="btn" aria-label="Rename the menu ${title}">Rename</summary>
    <form ${writingOver(place.link(`${path}/menus/${id}/title`))} class="review-ask">
      ${hidden({ form, seen: title })}
      <label class="field">
        <span>Title</span>
        <input name="title" value="${typed ?? title}" maxlength="${longestMenu}" autocomplete="off" required />
      </label>
      <button class="btn">Save title</button>
    </form>
  </details>`
}

export function newMenu(place: Place, { path, form, menu, seen: { structure } }: MenusParts): Html {
  const loose = structure.top.filter((each) => !isGroup(each))
  const offered = loose.slice(0, mostChoices)
  return html`<section aria-label="New menu">
    <h2>New menu</h2>
    <p class="aside">Too many tabs? A menu is one tab that opens a list of sections and links.</p>
    <form method="post" action="${place.link(`${path}/menus`)}" class="fields work-new">
      ${hidden({ form })}
      <label class="field">
        <span>Title</span>
        <input name="title" value="${menu?.title ?? ''}" maxlength="${longestMenu}" autocomplete="off" required />
      </label>
      ${
        offered.length > 0 &&
        html`<fieldset class="work-choices">
          <legend>What is in it</legend>
          <ul class="rows" role="list">
            ${offered.map(
              ({ id, title }) =>
                html`<li>
                  <label class="choice">
                    <input
                      type="checkbox"
                      name="${choiceOf(id)}"
                      value="on"
                      ${menu?.chosen.includes(id) && html`checked`}
                    />
                    <span class="row-main"><strong>${title}</strong></span>
                  </label>
                </li>`,
            )}
          </ul>
        </fieldset>`
      }
      <div><button class="btn">Create menu</button></div>
    </form>
    <p class="aside">Later, you can change the menu of a section or link on its own page.</p>
  </section>`
}
