import { idPrefix } from '../../content/html/sanitize.ts'
import { type Html, html, trusted } from '../../content/html/template.ts'
import { withoutStyles } from './formula-looks.ts'
import { mathMLOf } from './tex.ts'

/** A longer formula is shown as it was written. */
const longest = 10_000

/**
 * Draws a formula as MathML. The policy of the site allows no style attributes, so none are left. A formula that cannot
 * be read is shown as it was written.
 */
export function drawFormula(formula: string, display: boolean): Html {
  if (formula.length > longest) return html`<code>${formula}</code>`
  try {
    return trusted(
      withoutStyles(mathMLOf(formula, display))
        // Names that the author chose must not clash with ids of the page.
        .replace(/ id="/g, ` id="${idPrefix}`)
        .replace(/<a href='#/g, `<a href='#${idPrefix}`),
    )
  } catch {
    return html`<code>${formula}</code>`
  }
}
