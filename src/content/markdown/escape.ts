import { emojiNamed } from '../inlines/emoji.ts'
import { withoutBlanksAtEnd } from './lines.ts'

/**
 * Escapes text so that it means itself, wherever in a paragraph it is, or, with `isLast`, at its end. The starts of
 * lines are left to `escapeLineStarts`. Bare web and e-mail addresses become links in any case: GFM looks for them
 * after it has resolved escapes.
 */
export function escapeText(text: string, isLast = false): string {
  const broken = brokenAddresses(text, isLast)
  return text.replace(/[\\`*[\]<~_$&{:!.]/g, (character, offset: number) =>
    broken.has(offset) || needsEscape(text, character, offset, isLast)
      ? character === '&'
        ? '&amp;'
        : `\\${character}`
      : character,
  )
}

/**
 * Returns the offsets in addresses that need a backslash. GFM also looks for addresses before it resolves escapes, and
 * takes everything up to the next blank, so a backslash further on would become a part of the address. A backslash at
 * its beginning hides the address until escapes are resolved.
 */
function brokenAddresses(text: string, isLast: boolean): Set<number> {
  const found = new Set<number>()
  for (const { 0: run, index } of text.matchAll(/(?:https?:\/\/|www\.)[^\s<]*<?/gi)) {
    const signs = [...run.matchAll(/[\\`*[\]<~_$&{:!]/g)]
    if (!signs.some((sign) => needsEscape(text, sign[0], index + sign.index, isLast))) continue
    for (const sign of run.matchAll(signOfAddress)) found.add(index + sign.index)
  }
  return found
}

const signOfAddress = /(?<=https?):(?=\/\/)|(?<=www)\./gi

/**
 * Breaks an address at the end of the written text with a backslash, if anything but a blank follows. Blanks at the
 * edge of a line do not count as blanks here, because they are written as entities.
 */
export function hideLastAddress(written: string, next: string): string {
  const text = withoutBlanksAtEnd(written)
  const behind = written.slice(text.length) + next
  if (behind === '' || (/^[\s<]/.test(behind) && !isBlank(behind))) return written
  let start = text.length
  while (start > 0 && !/[\s<]/.test(text.charAt(start - 1))) start--
  return text.slice(0, start) + written.slice(start).replace(signOfAddress, '\\$&')
}

export const isBlank = (text: string): boolean => withoutBlanksAtEnd(text) === ''

function needsEscape(text: string, character: string, offset: number, isLast: boolean): boolean {
  const [before, after] = [text.charAt(offset - 1), text.charAt(offset + 1)]
  switch (character) {
    case '_':
      return !(isWordCharacter(before) && isWordCharacter(after))
    case '$':
      return before === '' || before === '$' || after === '' || after === '$'
    case '{':
      return after === '{' || after === '%' || after === '#'
    case '&':
      return /^&#?[a-zA-Z0-9]{1,32};/.test(text.slice(offset, offset + 40))
    case ':': {
      // A name at the end of the text would be completed by the colon of an emoji that follows.
      const name = /^:([a-z0-9_+-]{1,64})(?::|$)/i.exec(text.slice(offset, offset + 66))?.[1]
      return name !== undefined && emojiNamed(name) !== undefined
    }
    case '!':
      // A link after the text would become a picture.
      return after === '' && !isLast
    case '.':
      return false
    default:
      return true
  }
}

const isWordCharacter = (character: string): boolean => /[\p{L}\p{N}]/u.test(character)

/** Keeps the lines of a paragraph from being taken for headings, lists, tables and the like. */
export function escapeLineStarts(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) =>
      encodeEdges(line)
        .replace(/^(?=[>|])/, '\\')
        .replace(/^(?=#{1,6}(?:[ \t]|$))/, '\\')
        .replace(/^(?=[-+=](?:[ \t]|$)|--|==|:?-+[ \t]*[:|]|:-)/, '\\')
        .replace(/^(\d{1,9})(?=[.)](?:[ \t]|$))/, '$1\\'),
    )
    .join('\n')
}

/** Encodes the blanks at both ends of a line. Otherwise Markdown ignores them. */
export function encodeEdges(line: string): string {
  const text = withoutBlanksAtEnd(line)
  return text.replace(/^[ \t]+/, encodeBlanks) + encodeBlanks(line.slice(text.length))
}

const encodeBlanks = (blanks: string): string => blanks.replace(/[ \t]/g, (blank) => (blank === ' ' ? '&#32;' : '&#9;'))
