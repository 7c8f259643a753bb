import { costlyAddresses, costlyEntities, costlyLines, deepMarks, longTails, longWords } from './costs.ts'

/** A source without the characters that its parser is slow on, and the way back. */
export interface Defused {
  readonly text: string
  restore(value: string): string
}

/**
 * Swaps characters of inputs on which satteri takes quadratic time and memory (`costs.ts`); nobody writes such inputs
 * by hand. Each is replaced by one character that occurs nowhere in the source, so that offsets stay the same.
 */
export function defuse(source: string): Defused {
  const first = [deepMarks, longWords, longTails, costlyEntities, costlyAddresses]
    .flatMap((find) => find(source))
    .toSorted((a, b) => a - b)
  const offsets = [...new Set([...first, ...costlyLines(source, first)])].toSorted((a, b) => a - b)
  if (offsets.length === 0) return { text: source, restore: (value) => value }

  const stands = new Map<string, string>()
  const parts: string[] = []
  let copied = 0
  for (const offset of offsets) {
    const original = source.charAt(offset)
    const stand = stands.get(original) ?? unusedCharacter(source, stands.size)
    stands.set(original, stand)
    parts.push(source.slice(copied, offset), stand)
    copied = offset + 1
  }
  parts.push(source.slice(copied))
  return {
    text: parts.join(''),
    restore: (value) => [...stands].reduce((text, [original, stand]) => text.replaceAll(stand, original), value),
  }
}

/**
 * Returns a character from Unicode's private use area that the text does not contain. `skip` passes over that many of
 * them.
 */
export function unusedCharacter(text: string, skip = 0): string {
  let left = skip
  for (let code = 0xe000; code < 0xf8ff; code++) {
    const character = String.fromCharCode(code)
    if (!text.includes(character) && left-- === 0) return character
  }
  // The text contains all 6,399 of them, so no author wrote it: a wrong letter in a very long word does no harm.
  return '\uF8FF'
}
