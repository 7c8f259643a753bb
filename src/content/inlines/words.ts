import type { Inline } from '../inlines.ts'
import { emojiNamed } from './emoji.ts'

// An expression has at most 1,024 characters and no braces; stopping at the next brace keeps this linear.
const special = /\{\{([^{}\r\n]{1,1024})\}\}|:([a-z0-9_+-]+)(?=:)/gi

/** Names that expressions refer to. Other braces belong to templates that the text is about. */
const known = /\b(?:visitor|(?:space|page)\??\.vars)\b/

/**
 * Finds `{{ expressions }}` and `:emoji:` in a text. `written` is the text in the source: an expression or emoji that
 * is escaped there, by a backslash or an entity, stays text.
 */
export function inlinesFromWords(text: string, written = text): Inline[] {
  if (!text.includes('{{') && !text.includes(':')) return text === '' ? [] : [{ type: 'text', text }]
  const escaped = written === text ? undefined : escapedOffsets(text, written)
  const found: Inline[] = []
  let copied = 0
  for (const match of text.matchAll(special)) {
    // The colon that ends one name may begin the next, unless the first was an emoji.
    if (match.index < copied) continue
    const inline = specialInline(match[1], match[2])
    const end = match.index + match[0].length + (match[2] === undefined ? 0 : 1)
    const literal = escaped?.has(match.index) || escaped?.has(match.index + 1) || escaped?.has(end - 1)
    if (!inline || literal) continue
    if (match.index > copied) found.push({ type: 'text', text: text.slice(copied, match.index) })
    found.push(inline)
    copied = end
  }
  if (copied < text.length) found.push({ type: 'text', text: text.slice(copied) })
  return found
}

const entity = /&(?:#?[a-z0-9]{1,32});/iy

/** Returns the offsets of characters that are written in the source with a backslash or as an entity. */
function escapedOffsets(text: string, written: string): Set<number> {
  const escaped = new Set<number>()
  let at = 0
  for (let offset = 0; offset < text.length; offset++) {
    const character = text[offset]
    const backslash = written[at] === '\\' && written[at + 1] === character && /[!-/:-@[-`{-~]/.test(character ?? '')
    if (backslash) {
      escaped.add(offset)
      at += 2
      continue
    }
    entity.lastIndex = at
    const encoded = entity.exec(written)?.[0]
    if (encoded !== undefined && (character !== '&' || /^&(?:amp|#38|#x26);$/i.test(encoded))) {
      escaped.add(offset)
      at += encoded.length
      continue
    }
    // Any other difference is the indentation or the quote marks of a later line.
    while (at < written.length && written[at] !== character) at++
    at++
  }
  return escaped
}

function specialInline(expression: string | undefined, name = ''): Inline | undefined {
  if (expression !== undefined)
    return known.test(expression) ? { type: 'expression', source: expression.trim() } : undefined
  const emoji = emojiNamed(name)
  return emoji === undefined ? undefined : { type: 'emoji', name, text: emoji }
}
