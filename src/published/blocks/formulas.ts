import { idPrefix } from '../../content/html/sanitize.ts'
import { type Html, html, trusted } from '../../content/html/template.ts'
import { packageOnFirstUse } from '../../on-first-use.ts'
import { withoutStyles } from './formula-looks.ts'

const temml = packageOnFirstUse<{ renderToString(formula: string, options: object): string }>('temml')

/** A longer formula is shown as it was written. */
const longest = 10_000

/**
 * A formula as MathML. The policy of the site allows no style attribute, so none is left; what it cannot read is shown
 * as it was written. Nothing in a formula leads anywhere or runs (`trust` is off).
 */
export function drawFormula(formula: string, display: boolean): Html {
  if (formula.length > longest) return html`<code>${formula}</code>`
  try {
    const options = { displayMode: display, throwOnError: true, trust: false, annotate: false, maxExpand: 200 }
    return trusted(
      withoutStyles(temml().renderToString(formula, options))
        // What its author named must not take the name of something of the page.
        .replace(/ id="/g, ` id="${idPrefix}`)
        .replace(/<a href='#/g, `<a href='#${idPrefix}`),
    )
  } catch {
    return html`<code>${formula}</code>`
  }
}
