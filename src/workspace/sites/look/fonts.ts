import { type Html, html } from '../../../http/html.ts'
import { inOrder } from '../../../in-order.ts'
import { fonts, monospaceFonts } from '../../../sites/customization/schema.ts'
import type { FontRow } from '../../../sites/fonts/queries.ts'
import type { LookForm } from './look.form.ts'

export type FontField = 'font' | 'headingFont' | 'codeFont'

/** Returns fonts with their names, sorted as people look for them. */
const byName = (words: readonly string[]) => Object.fromEntries(words.map((font) => [font, spaced(font)]).toSorted())

/**
 * Names that cannot be derived from the identifiers. Two of these fonts are not included, so the reader's device needs
 * them.
 */
const otherwise: Record<string, string> = {
  ABCFavorit: 'ABC Favorit (if the reader’s device has it)',
  JetBrainsMono: 'JetBrains Mono',
  SourceSansPro: 'Source Sans',
  Ubuntu: 'Ubuntu (if the reader’s device has it)',
}

function spaced(font: string): string {
  if (otherwise[font] !== undefined) return otherwise[font]
  return font.replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
}

/** The fonts that are included. */
const alongFor: Record<FontField, Record<string, string>> = {
  font: byName(fonts),
  headingFont: { '': 'As the text', ...byName(fonts) },
  codeFont: byName(monospaceFonts),
}

/** All fonts to choose from: included ones, those of the organization, and the chosen one if it no longer exists. */
export function fontOptions(own: readonly FontRow[], field: FontField, chosen: string): Html {
  const along = alongFor[field]
  const sorted = own.toSorted((one, other) => inOrder(one.family, other.family))
  const mine = Object.fromEntries(sorted.map(({ id, family }) => [id, family]))
  const isKnown = Object.hasOwn(along, chosen) || Object.hasOwn(mine, chosen)
  return html`${!isKnown && options({ [chosen]: 'A font that is no longer here' }, chosen)}
  ${own.length > 0 && html`<optgroup label="Your own">${options(mine, chosen)}</optgroup>`}
  ${own.length === 0 ? options(along, chosen) : html`<optgroup label="That come along">${options(along, chosen)}</optgroup>`}`
}

/** Returns the name of the font that is currently chosen. */
export const fontName = (own: readonly FontRow[], field: FontField, { [field]: chosen }: LookForm): string =>
  own.find(({ id }) => id === chosen)?.family ?? alongFor[field][chosen] ?? chosen

export const options = (labels: Record<string, string>, chosen: string) =>
  Object.entries(labels).map(
    ([word, label]) => html`<option value="${word}" ${word === chosen && html`selected`}>${label}</option>`,
  )
