/** Anything that begins with a `<`, as browsers read it. Without a name, it neither opens nor closes an element. */
export interface Markup {
  readonly end: number
  readonly name: string
  readonly closing: boolean
}

const tagBegins = /<(\/?)([a-z][^\t\n\f\r />]*)/iy
const between = /[\t\n\f\r /]*/y
const attribute =
  /[^\t\n\f\r />][^\t\n\f\r />=]*(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\t\n\f\r >"'][^\t\n\f\r >]*)?)?/y

/**
 * Unlike `scanTags`, which looks for what people write, this reads what a parser makes of any input: names with any
 * characters, attributes without blanks between them, comments however they end. Undefined if it has no end, so nothing
 * follows it.
 */
export function readMarkup(html: string, at: number): Markup | undefined {
  tagBegins.lastIndex = at
  const [whole, slash, written = ''] = tagBegins.exec(html) ?? []
  if (whole === undefined) return unnamed(endOfOther(html, at))
  const end = endOfTag(html, at + whole.length)
  // To a parser, only ASCII letters have another case.
  const name = /^[\x20-\x7e]*$/.test(written) ? written.toLowerCase() : written
  return end === undefined ? undefined : { end, name, closing: slash !== '' }
}

function endOfTag(html: string, from: number): number | undefined {
  for (let at = from; ; at = attribute.lastIndex) {
    between.lastIndex = at
    between.test(html)
    attribute.lastIndex = between.lastIndex
    if (html[attribute.lastIndex] === '>') return attribute.lastIndex + 1
    if (!attribute.test(html)) return undefined
  }
}

/** Returns the end of a comment, of anything that is parsed as a comment, or of a `<` that is just a character. */
function endOfOther(html: string, at: number): number | undefined {
  if (!/[/!?]/.test(html.charAt(at + 1))) return at + 1
  if (!html.startsWith('<!--', at)) return after(html, '>', at)
  const [short] = /^-?>/.exec(html.slice(at + 4, at + 6)) ?? []
  if (short !== undefined) return at + 4 + short.length
  commentEnds.lastIndex = at + 4
  return commentEnds.test(html) ? commentEnds.lastIndex : undefined
}

const commentEnds = /--!?>/g

function after(html: string, sign: string, at: number): number | undefined {
  const found = html.indexOf(sign, at)
  return found === -1 ? undefined : found + sign.length
}

const unnamed = (end: number | undefined) => (end === undefined ? undefined : { end, name: '', closing: false })
