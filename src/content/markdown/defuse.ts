import { costlyAddresses, costlyEntities, costlyLines, deepMarks, longTails, longWords } from './costs.ts'

/** A source without what its parser is slow on, and the way back. */
export interface Defused {
  readonly text: string
  restore(value: string): string
}

/**
 * satteri takes quadratic time, and memory, on some inputs that nobody writes by hand (`costs.ts`). Their characters
 * are swapped for ones that occur nowhere in the source, one to one, so that offsets stay as they are.
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

/** A character that the text does not use, from the range that Unicode leaves to private agreements. */
export function unusedCharacter(text: string, skip = 0): string {
  let left = skip
  for (let code = 0xe000; code < 0xf8ff; code++) {
    const character = String.fromCharCode(code)
    if (!text.includes(character) && left-- === 0) return character
  }
  // All 6,399 of them in one text: no author, so a wrong letter in a very long word does no harm.
  return '\uF8FF'
}
