import { escapeHtml } from './escape.ts'

/**
 * Markup that is safe to send. Only `html`, `weave` and `trusted` create it, so a plain string can never pass for it.
 */
export class Html {
  readonly #markup: string

  constructor(markup: string) {
    this.#markup = markup
  }

  toString(): string {
    return this.#markup
  }
}

export type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[]

/**
 * Escapes all values, except markup that is already `Html`. Attribute values belong in double quotes. Line breaks and
 * indentation in a template are the layout of our source (set by the formatter) and are not written, except as the
 * blank between two attributes: where white space is needed, write it as a value.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return weave(partsOf(strings), values)
}

/** Joins the fixed parts of a template, which are written as they are, and the values between them. */
export function weave(parts: readonly string[], values: readonly HtmlValue[]): Html {
  let markup = parts[0] ?? ''
  for (let at = 0; at < values.length; at++) markup += toMarkup(values[at]) + (parts[at + 1] ?? '')
  return new Html(markup)
}

const knownParts = new WeakMap<TemplateStringsArray, readonly string[]>()

function partsOf(strings: TemplateStringsArray): readonly string[] {
  const known = knownParts.get(strings)
  if (known) return known
  let insideTag = false
  const parts = strings.map((part) =>
    part
      .split(/(\s*\n\s*)/)
      .map((piece, index) => {
        // Between two attributes, a line break is the blank that separates them.
        if (index % 2 === 1) return insideTag ? ' ' : ''
        insideTag = endsInsideTag(piece, insideTag)
        return piece
      })
      .join(''),
  )
  knownParts.set(strings, parts)
  return parts
}

function endsInsideTag(piece: string, before: boolean): boolean {
  const [opened, closed] = [piece.search(/<[a-z!](?!.*<[a-z!/])/is), piece.lastIndexOf('>')]
  if (opened === -1 && closed === -1) return before
  return opened > closed
}

/** The only entry for markup from elsewhere. It must have been sanitized. */
export function trusted(markup: string): Html {
  return new Html(markup)
}

/** Returns ` name="value"` for each attribute that has a value; `true` means an attribute without one. */
export function attributes(values: Record<string, string | number | boolean | undefined>): Html {
  let markup = ''
  for (const name in values) {
    const value = values[name]
    if (value === undefined || value === false) continue
    markup += value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`
  }
  return trusted(markup)
}

function toMarkup(value: HtmlValue): string {
  if (value instanceof Html) return value.toString()
  if (typeof value === 'string') return escapeHtml(value)
  if (Array.isArray(value)) return value.reduce<string>((markup, each) => markup + toMarkup(each), '')
  return value === false || value === null || value === undefined ? '' : escapeHtml(String(value))
}
