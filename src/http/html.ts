import { type Html, type HtmlValue, weave } from '../content/html/template.ts'

export type { Html, HtmlValue }

/**
 * Writes one of our pages, which contains sentences: unlike in the `html` of content, line breaks stay, and with them
 * the space between two words. Only indentation is removed. Inside `<pre>`, insert the text as a value.
 */
export function html(template: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return weave(withoutIndentation(template), values)
}

const trimmed = new WeakMap<TemplateStringsArray, string[]>()

/** A template is the same object each time it runs, so its indentation is removed only once. */
function withoutIndentation(template: TemplateStringsArray): string[] {
  let parts = trimmed.get(template)
  if (!parts) trimmed.set(template, (parts = template.map((part) => part.replace(/\n\s+/g, '\n'))))
  return parts
}
