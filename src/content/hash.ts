/** A hash of 52 bits, quick and not for secrets (two multiplicative 32-bit lanes, as in cyrb53). */
export function hash(text: string): number {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 0x9e3779b1)
    low = Math.imul(low ^ code, 0x5f356495)
  }
  return finish(high, low)
}

/** Combines two hashes into one; their order matters. */
export function combine(first: number, second: number): number {
  const high = Math.imul((first / lowRange) ^ 0x9e3779b1, 0x5f356495) ^ (second / lowRange)
  const low = Math.imul(first ^ 0x41c6ce57, 0x9e3779b1) ^ second
  return finish(high, low)
}

const lowRange = 0x100000

function finish(high: number, low: number): number {
  const mixed = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35)
  const other = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed >>> 0) * lowRange + ((other >>> 0) & (lowRange - 1))
}

const letters = '0123456789abcdefghjkmnpqrstvwxyz'

/** A hash as a word of eleven letters and digits. (`toString(36)` takes ten times as long.) */
export function hashWord(value: number): string {
  const low = value % lowRange
  const high = (value - low) / lowRange
  let word = ''
  for (let shift = 0; shift < 32; shift += 5) word += letters.charAt((high >>> shift) & 31)
  for (let shift = 0; shift < 20; shift += 5) word += letters.charAt((low >>> shift) & 31)
  return word
}
