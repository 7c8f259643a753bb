import { idPrefix } from '../../content/html/sanitize.ts'
import { type Html, html, trusted } from '../../content/html/template.ts'
import { packageOnFirstUse } from '../../on-first-use.ts'
import { withoutStyles } from './formula-looks.ts'

const temml = packageOnFirstUse<{ renderToString(formula: string, options: object): string }>('temml')

/** A longer formula is shown as it was written. */
const longest = 10_000

/**
 * Draws a formula as MathML. The policy of the site allows no style attributes, so none are left. A formula that cannot
 * be read is shown as it was written. Nothing in a formula leads anywhere or runs (`trust` is off).
 */
export function drawFormula(formula: string, display: boolean): Html {
  if (formula.length > longest) return html`<code>${formula}</code>`
  try {
    const options = { displayMode: display, throwOnError: true, trust: false, annotate: false, maxExpand: 200 }
    return trusted(
      withoutStyles(temml().renderToString(formula, options))
        // Names that the author chose must not clash with ids of the page.
        .replace(/ id="/g, ` id="${idPrefix}`)
        .replace(/<a href='#/g, `<a href='#${idPrefix}`),
    )
  } catch {
    return html`<code>${formula}</code>`
  }
}
