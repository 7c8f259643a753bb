import type { Membership } from '../../access/caller.ts'
import { hidden, section } from '../../account/parts.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import { textWeight } from '../../sites/fonts/actions.ts'
import { mostBytes } from '../../sites/fonts/font-file.ts'
import type { FaceRow, FontRow } from '../../sites/fonts/queries.ts'
import { sizeInWords } from '../../size-in-words.ts'
import { asking } from '../asking.ts'
import { frame } from '../frame.ts'
import { renamingForm } from '../renaming.page.ts'
import { rows } from '../rows.ts'
import type { Said } from '../said.ts'
import { saidOn } from '../top.ts'
import { fileField, fontsTop, longestName } from './fonts.page.ts'
import { sampleOf, sampleSheet } from './sample.ts'
import { usualWeights, weightName, weights } from './weights.ts'

export interface FontParts extends Said {
  membership: Membership
  /** Path of the organization. */
  home: string
  /** Path of the page. */
  path: string
  font: FontRow
  /** The sites that use it, in words. Undefined if there are none. */
  sites: string | undefined
  form: string
  /** What the user typed or chose before it was refused. */
  title?: string | undefined
  weight?: string | undefined
}

/** The page of a font: its weights, its name, and how to delete it. */
export function fontPage(place: Place, parts: FontParts): Html {
  const { membership, home, path, font, form, title, sites } = parts
  const renaming = { action: `${path}/title`, form, now: font.family, typed: title, longest: longestName }
  return frame(
    place,
    font.family,
    html`${fontsTop(place, membership, home, html` › <a href="${place.link(`${home}/fonts`)}">Fonts</a>`)}
      <h1>${font.family}</h1>
      ${saidOn(parts)}
      <p class="aside">
        ${
          sites === undefined
            ? html`No site uses it yet. Open <a href="${place.link(`${home}/sites`)}">one of your sites</a>, then its
                “Look”, and choose it there.`
            : `Used by: ${sites}.`
        }
      </p>
      ${section('weights', 'Weights', 'Sites show changes at once.', weightsOf(place, parts))}
      ${section('title', 'Title', 'The name shown where a font is chosen.', renamingForm(place, renaming))}
      ${section('delete', 'Delete', 'With all its files.', deleting(place, parts))}`,
    [],
    sampleSheet(place, home),
  )
}

function weightsOf(place: Place, parts: FontParts): Html {
  const { path, font, form, weight } = parts
  const chosen = Number(
    weight ?? usualWeights.find((each) => !font.faces.some((face) => face.weight === each)) ?? textWeight,
  )
  return html`${rows(
      font.faces.map((face) => rowOf(place, parts, face)),
      'None.',
    )}
    <form method="post" action="${place.link(`${path}/faces`)}" enctype="multipart/form-data" class="fields">
      ${hidden({ form })}
      <div class="work-pair">
        <label class="field">
          <span>Add or replace a weight</span>
          <select name="weight">
            ${weights.map(
              (each) => html`<option value="${each}" ${each === chosen && html`selected`}>${weightName(each)}</option>`,
            )}
          </select>
        </label>
        ${fileField('face', `A WOFF2 or WOFF file, up to ${sizeInWords(mostBytes)}`, true)}
      </div>
      <div><button class="btn">Upload file</button></div>
    </form>`
}

function rowOf(place: Place, { path, font, form }: FontParts, { weight, name, bytes }: FaceRow): Html {
  return html`<li class="work-menu">
    <span class="row-main">
      <strong>${weightName(weight)}</strong>
      <span class="row-more">${name}, ${sizeInWords(bytes.size)}</span>
    </span>
    ${
      weight !== textWeight &&
      asking(
        'Delete',
        html`<form method="post" action="${place.link(`${path}/faces/delete`)}" class="review-ask">
          ${hidden({ form, weight: String(weight), seen: bytes.hash })}
          <p>Delete this weight? Its text is then shown in the nearest one.</p>
          <button class="btn danger">Delete weight</button>
        </form>`,
        `Delete ${weightName(weight)}`,
      )
    }
    ${sampleOf(font, weight)}
  </li>`
}

function deleting(place: Place, { path, font, sites, form }: FontParts): Html {
  if (sites !== undefined) return html`<p class="aside">First choose another font where it is used: ${sites}.</p>`
  return asking(
    'Delete this font',
    html`<form method="post" action="${place.link(`${path}/delete`)}" class="review-ask">
      ${hidden({ form })}
      <p>Delete “${font.family}” with all its files? This cannot be undone.</p>
      <button class="btn danger">Delete font</button>
    </form>`,
  )
}
