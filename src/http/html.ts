import { type Html, type HtmlValue, weave } from '../content/html/template.ts'

export type { Html, HtmlValue }

/**
 * Writes a page of ours, with sentences in it: other than in the `html` of content, a line break stays, and so is the
 * blank between two words. Only indentation is left out; inside `<pre>`, bring the text in as a value.
 */
export function html(template: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return weave(withoutIndentation(template), values)
}

const trimmed = new WeakMap<TemplateStringsArray, string[]>()

/** A template is one object however often it runs, so its indentation goes only once. */
function withoutIndentation(template: TemplateStringsArray): string[] {
  let parts = trimmed.get(template)
  if (!parts) trimmed.set(template, (parts = template.map((part) => part.replace(/\n\s+/g, '\n'))))
  return parts
}
