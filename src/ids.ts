import { hash, randomFillSync } from 'node:crypto'

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Time and count of the last id. If there are more ids than the count can hold, the next ones are dated a moment later.
 */
let lastMs = 0
let count = 0
const mostCounted = 0xfff

/** If the clock was set back by more than this, the new time is accepted. */
const longestAheadMs = 1_000

/**
 * Returns a new id: a version 7 UUID, so that rows created one after the other are next to each other in an index. The
 * ids of one process are in order even within a millisecond: lists and the record of changes rely on this.
 */
export function newId(now = Date.now()): string {
  const bytes = takeRandom()
  if (now > lastMs || now < lastMs - longestAheadMs) {
    lastMs = now
    // Random, so that two processes seldom have the same count, and in the lower half, to leave room for more.
    count = bytes.readUInt16BE(6) & (mostCounted >> 1)
  } else if (count < mostCounted) count += 1
  else {
    lastMs += 1
    count = 0
  }
  bytes.writeUIntBE(lastMs, 0, 6)
  bytes.writeUInt16BE(0x7000 | count, 6)
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return asText(bytes)
}

function asText(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/**
 * Random bytes are fetched for many ids at once: fetching them one by one takes longer than everything else about an
 * id.
 */
const pool = Buffer.alloc(16 * 256)
let used = pool.length

function takeRandom(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  return pool.subarray(used, (used += 16))
}

/**
 * Returns an id that is derived from a text: the same each time, and different from any other. It has version 8, which
 * `newId` never produces.
 */
export function derivedId(text: string): string {
  const bytes = hash('sha256', text, 'buffer').subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return asText(bytes)
}

/**
 * The id of nothing, for places that require an id where there is none. It is also the lowest id, where a walk through
 * ids begins.
 */
export const nilId = '00000000-0000-0000-0000-000000000000'

export function isId(text: string): boolean {
  return form.test(text)
}
