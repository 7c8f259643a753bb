/** Markup that may be put out as it stands. Only `html` and `raw` make it: the private field keeps lookalikes out. */
class Markup {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

export type Html = Markup

/** What a template takes: text is escaped, lists are joined, and what is not there leaves no trace. */
export type Content = Html | string | number | undefined | null | false | readonly Content[]

/**
 * Writes markup. Every value is escaped for text and for quoted attributes alike, so an attribute always needs its
 * quotes. The indentation of the template is left out; inside `<pre>`, bring the text in as a value.
 */
export function html(template: TemplateStringsArray, ...values: Content[]): Html {
  const fixed = withoutIndentation(template)
  let text = fixed[0]!
  for (let at = 0; at < values.length; at++) text += write(values[at]) + fixed[at + 1]!
  return new Markup(text)
}

/** The one door for markup that `html` did not write. Whoever opens it answers for what comes through. */
export function raw(markup: string): Html {
  return new Markup(markup)
}

function write(content: Content): string {
  if (typeof content === 'string') return escape(content)
  if (content instanceof Markup) return content.toString()
  if (Array.isArray(content)) return content.map(write).join('')
  return content === undefined || content === null || content === false ? '' : escape(String(content))
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!)
}

const trimmed = new WeakMap<TemplateStringsArray, string[]>()

/** A template is one object however often it runs, so its indentation goes only once. */
function withoutIndentation(template: TemplateStringsArray): string[] {
  let parts = trimmed.get(template)
  if (!parts) trimmed.set(template, (parts = template.map((part) => part.replace(/\n\s+/g, '\n'))))
  return parts
}
