import type { Membership } from '../../access/caller.ts'
import { hidden } from '../../account/parts.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import { mostBytes } from '../../sites/fonts/font-file.ts'
import type { FontRow } from '../../sites/fonts/queries.ts'
import { sizeInWords } from '../../size-in-words.ts'
import { frame } from '../frame.ts'
import { counted, rows } from '../rows.ts'
import type { Said } from '../said.ts'
import { saidOn } from '../top.ts'
import { sampleOf, sampleSheet } from './sample.ts'
import { usualWeights, weightName } from './weights.ts'

export const longestName = 50

interface FontsParts extends Said {
  membership: Membership
  /** Path of the organization. */
  path: string
  fonts: FontRow[]
  form: string
  /** What the user typed before it was refused. */
  name?: string | undefined
}

/** The name of the form field for the file of a weight. */
export const faceField = (weight: number) => `face-${weight}`

/** The fonts of an organization, with a form to add another one. */
export function fontsPage(place: Place, parts: FontsParts): Html {
  const { membership, path, fonts } = parts
  return frame(
    place,
    `Fonts · ${membership.organization.title}`,
    html`${fontsTop(place, membership, path)}
      <h1>Fonts</h1>
      ${saidOn(parts)}
      <p class="aside">
        Your own fonts for text, headings or code. Choose them in the look of a site. Anyone with the address of a font
        file can download it.
      </p>
      <section aria-labelledby="fonts">
        <h2 id="fonts">Uploaded fonts</h2>
        ${rows(
          fonts.map((font) => rowOf(place, path, font)),
          'None yet. Upload the first one below.',
        )}
      </section>
      ${adding(place, parts)}`,
    [],
    sampleSheet(place, path),
  )
}

/** The breadcrumbs of the pages about fonts. */
export const fontsTop = (place: Place, { organization }: Membership, path: string, more?: Html): Html =>
  html`<p class="review-space">
    <a href="${place.link(path)}">${organization.title}</a> › <a href="${place.link(`${path}/sites`)}">Sites</a>${more}
  </p>`

const rowOf = (place: Place, path: string, font: FontRow) =>
  html`<li class="work-menu">
    <span class="row-main">
      <a href="${place.link(`${path}/fonts/${font.id}`)}"><strong>${font.family}</strong></a>
      <span class="row-more">${counted(font.faces.length, 'weight')}, ${sizeInWords(sizeOfAll(font))}</span>
    </span>
    ${sampleOf(font)}
  </li>`

const sizeOfAll = ({ faces }: FontRow) => faces.reduce((sum, { bytes }) => sum + bytes.size, 0)

/** The file fields come last, so that the name has already arrived if a file is too large. */
const adding = (place: Place, { path, form, name }: FontsParts) =>
  html`<section aria-label="New font">
    <h2>New font</h2>
    <form method="post" action="${place.link(`${path}/fonts`)}" enctype="multipart/form-data" class="fields work-new">
      ${hidden({ form })}
      <label class="field">
        <span>Name</span>
        <input name="name" value="${name ?? ''}" maxlength="${longestName}" autocomplete="off" required />
      </label>
      ${usualWeights.map((weight, at) => fileField(faceField(weight), `${weightName(weight)}${at === 0 ? '' : ', if there is one'}`, at === 0))}
      <div><button class="btn primary">Upload font</button></div>
    </form>
    <p class="aside">
      Each is a WOFF2 or WOFF file of up to ${sizeInWords(mostBytes)}. If a weight is missing, browsers use the nearest
      one or imitate it. Check that your licence covers use on websites.
    </p>
  </section>`

export const fileField = (name: string, label: string, isRequired: boolean): Html =>
  html`<label class="field">
    <span>${label}</span>
    <input type="file" name="${name}" accept=".woff2,.woff,font/woff2,font/woff" ${isRequired && html`required`} />
  </label>`
