import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import { faceAddress, formatOf } from '../../sites/fonts/present.ts'
import type { FontRow } from '../../sites/fonts/queries.ts'

const pangram = 'The quick brown fox jumps over the lazy dog. 0123456789'

/** A sample line of text in a font. */
export const sampleOf = ({ id }: FontRow, weight = 400): Html =>
  html`<p class="work-sample" data-font="${id}" data-weight="${weight}">${pangram}</p>`

/** The style sheet that such lines need. */
export const sampleSheet = (place: Place, home: string): Html =>
  html`<link rel="stylesheet" href="${place.link(`${home}/fonts/faces.css`)}" />`

/** Contains nothing that people named or typed. Browsers load only the fonts that are shown. */
export function facesCss(place: Place, fonts: readonly FontRow[]): string {
  return fonts
    .flatMap((font) => {
      const family = `'own-${font.id}'`
      const at = `[data-font='${font.id}']`
      return [
        `${at} { font-family: ${family}, ui-sans-serif, system-ui, sans-serif; }`,
        ...font.faces.flatMap((face) => [
          `@font-face { font-family: ${family}; src: url(${place.link(faceAddress({ url: '' }, font, face))}) ` +
            `format('${formatOf(face)}'); font-weight: ${face.weight}; font-display: swap; }`,
          `${at}[data-weight='${face.weight}'] { font-weight: ${face.weight}; }`,
        ]),
      ]
    })
    .join('\n')
}
