import { generateKeyBetween } from 'fractional-indexing'

/** The fields that determine the order of siblings. */
export type Placed = { entry: string; position: string }

/** The key of the new entry, and new keys for siblings that had the same key as their left neighbour. */
export type Placement = { position: string; rekeyed: Placed[] }

/**
 * Puts `entry` before `siblings[index]` (at the end if `index` is their number). `siblings` are in order and do not
 * contain the entry itself; from `index` on they must reach at least to the first one with a different key.
 *
 * Two branches that insert at the same place may, rarely, end with equal keys. Their order is still defined, by id, but
 * nothing fits between them, so the equal ones on the right get new keys first.
 */
export function placeAt(siblings: readonly Placed[], index: number, entry: string): Placement {
  const left = siblings[index - 1]?.position ?? null
  const following = siblings.slice(index)
  const different = following.findIndex((sibling) => sibling.position !== left)
  const equal = different === -1 ? following : following.slice(0, different)
  const right = following[equal.length]?.position ?? null

  const position = keyBetween(entry, left, right)
  const rekeyed: Placed[] = []
  for (const { entry } of equal) {
    rekeyed.push({ entry, position: keyBetween(entry, rekeyed.at(-1)?.position ?? position, right) })
  }
  return { position, rekeyed }
}

/** Orders siblings by key, then by id, both by byte (they are ASCII; the database uses `collate "C"`). */
export function byPosition(a: Placed, b: Placed): number {
  if (a.position !== b.position) return a.position < b.position ? -1 : 1
  return a.entry < b.entry ? -1 : Number(a.entry > b.entry)
}

/**
 * Returns a key strictly between two others; null is the open end. It ends in letters derived from the entry's id: two
 * branches that add pages at the same place get different keys, and two sides that make the same move get the same key.
 * With a random ending, that same move would be reported as a conflict.
 */
export function keyBetween(entry: string, left: string | null, right: string | null): string {
  const suffix = suffixOf(entry)
  if (right === null) return generateKeyBetween(left, null) + suffix
  // The fraction is dropped. Otherwise prepending would halve towards the integer: 729 characters after 10,000 entries.
  if (left === null) return generateKeyBetween(null, integerPart(right)) + suffix

  let middle = generateKeyBetween(left, right)
  // A right neighbour that begins with the midpoint may sort before midpoint and suffix.
  while (middle + suffix >= right) middle = generateKeyBetween(middle, right)
  return middle + suffix
}

/** Whether a text is a key with room before and behind it. `keyBetween` makes no key of anything else. */
export function isPosition(text: string): boolean {
  if (!/^[A-Za-z][0-9A-Za-z]+$/.test(text)) return false
  try {
    return generateKeyBetween(text, null) > text && generateKeyBetween(null, integerPart(text)) < text
  } catch {
    return false
  }
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Returns four digits of a hash (FNV-1a): ids made at the same moment share their beginning, hashes do not. */
function suffixOf(entry: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < entry.length; i++) hash = Math.imul(hash ^ entry.charCodeAt(i), 0x01000193) >>> 0

  let suffix = ''
  for (let i = 0; i < 3; i++) {
    suffix += digits[hash % 62]
    hash = Math.floor(hash / 62)
  }
  // A key must not end in zero: there would be nothing between it and the same key without the zero.
  return suffix + digits[1 + (hash % 61)]
}

/**
 * Returns the integer part of a key. The first letter tells its length: `a` is followed by one digit, `b` by two, `Z`
 * by one, `Y` by two.
 */
function integerPart(key: string): string {
  const head = key.charCodeAt(0)
  const length = head >= 97 ? head - 97 + 2 : 90 - head + 2
  return key.slice(0, length)
}
