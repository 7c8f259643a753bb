import { hash, randomFillSync } from 'node:crypto'

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Of the last id. More than a count can hold are as if they were made a moment later. */
let lastMs = 0
let count = 0
const mostCounted = 0xfff

/** A clock that was set back by more is believed. */
const longestAheadMs = 1_000

/**
 * A new id: a version 7 uuid, so that rows made one after the other stand one after the other in an index. Those of one
 * process are in their order also where they were made within a millisecond: lists and the record of changes go by it.
 */
export function newId(now = Date.now()): string {
  const bytes = takeRandom()
  if (now > lastMs || now < lastMs - longestAheadMs) {
    lastMs = now
    // By chance, so that two processes seldom count alike, and with room for more.
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

/** Randomness is fetched for many ids at once: one by one it takes longer than all else about them. */
const pool = Buffer.alloc(16 * 256)
let used = pool.length

function takeRandom(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  return pool.subarray(used, (used += 16))
}

/** An id that is made of a text: the same each time, and unlike any other. Of version 8, which `newId` never makes. */
export function derivedId(text: string): string {
  const bytes = hash('sha256', text, 'buffer').subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return asText(bytes)
}

/** The id of nothing: where one has to stand, and there is none; and the lowest of all, where a walk through them begins. */
export const nilId = '00000000-0000-0000-0000-000000000000'

export function isId(text: string): boolean {
  return form.test(text)
}
