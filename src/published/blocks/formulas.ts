import { idPrefix } from '../../content/html/sanitize.ts'
import { type Html, html, trusted } from '../../content/html/template.ts'
import { withoutStyles } from './formula-looks.ts'
import type { Formulas } from './formulas-of-page.ts'

/**
 * Draws a formula as MathML. The policy of the site allows no style attributes, so none are left. A formula that cannot
 * be read is shown as it was written.
 */
export function drawFormula(formulas: Formulas, formula: string, display: boolean): Html {
  const markup = formulas.mathML(formula, display)
  if (markup === undefined) return html`<code>${formula}</code>`
  return trusted(
    withoutStyles(markup)
      // Names that the author chose must not clash with ids of the page.
      .replace(/ id="/g, ` id="${idPrefix}`)
      .replace(/<a href='#/g, `<a href='#${idPrefix}`),
  )
}
