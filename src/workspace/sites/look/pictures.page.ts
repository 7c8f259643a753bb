import { hidden } from '../../../account/parts.ts'
import type { Place } from '../../../front/layout.ts'
import { type Html, html } from '../../../http/html.ts'
import { mostBytes } from '../../../sites/pictures/actions.ts'
import type { PictureRow } from '../../../sites/pictures/queries.ts'
import { sizeInWords } from '../../../size-in-words.ts'
import { type BelowSite, belowSite } from '../below-site.ts'
import { rows } from '../../rows.ts'
import type { Said } from '../../said.ts'

/** What a picture can be used for. The keys are the names in the form of the look. */
export const uses = {
  logo: 'the logo',
  logoDark: 'the logo on dark pages',
  icon: 'the icon of the tab',
  iconDark: 'the icon on dark pages',
}

export type Use = keyof typeof uses

export interface ShownPicture extends PictureRow {
  path: string
  /** What it is currently used for, in words. */
  isFor: string[]
}

interface PicturesParts extends BelowSite, Said {
  pictures: ShownPicture[]
  /** What the user chose before it was refused. */
  use?: string | undefined
}

/**
 * Logos and icons that were uploaded for a site. The file is the last field, so that the purpose has already arrived if
 * the file is too large.
 */
export function picturesPage(place: Place, parts: PicturesParts): Html {
  const { path, form, pictures, use: chosen = 'logo' } = parts
  return belowSite(
    place,
    parts,
    'Logo and icon',
    html`<p class="aside">
        Pictures for the header and the browser tab. Anyone with the address of a picture can open it, even if the site
        is private.
      </p>
      <form
        method="post"
        action="${place.link(`${path}/pictures`)}"
        enctype="multipart/form-data"
        class="fields review-place"
      >
        ${hidden({ form })}
        <label class="field">
          <span>Purpose</span>
          <select name="use">
            ${Object.entries(uses).map(
              ([use, means]) => html`<option value="${use}" ${use === chosen && html`selected`}>${means}</option>`,
            )}
          </select>
        </label>
        <label class="field">
          <span>A picture: PNG, SVG, JPEG, WebP, GIF, AVIF or ICO, up to ${sizeInWords(mostBytes)}</span>
          <input type="file" name="files" accept=".png,.svg,.jpg,.jpeg,.webp,.gif,.avif,.ico,image/*" required />
        </label>
        <div class="review-buttons">
          <button class="btn primary">Upload and use</button>
          <a class="btn" href="${place.link(`${path}/look`)}">Back to the look</a>
        </div>
      </form>
      <section aria-labelledby="pictures">
        <h2 id="pictures">Uploaded pictures</h2>
        ${rows(
          pictures.map((picture) => rowOf(place, parts, picture)),
          'None yet.',
        )}
      </section>`,
  )
}

function rowOf(place: Place, { path, form }: PicturesParts, { id, name, path: source, bytes, isFor }: ShownPicture) {
  return html`<li>
    <img class="work-picture" src="${place.link(source)}" alt="" />
    <div class="row-main">
      <strong>${name}</strong>
      <span class="row-more">${sizeInWords(bytes.size)}${isFor.length > 0 && `, ${isFor.join(' and ')}`}</span>
    </div>
    <details>
      <summary class="btn" aria-label="Delete ${name}">Delete</summary>
      <form method="post" action="${place.link(`${path}/pictures/delete`)}" class="review-ask">
        ${hidden({ form, picture: id })}
        <p>
          Delete this picture?
          ${isFor.length > 0 ? 'The site falls back to its default.' : 'Wherever else its address is used, nothing will be shown.'}
        </p>
        <button class="btn danger">Delete picture</button>
      </form>
    </details>
  </li>`
}
