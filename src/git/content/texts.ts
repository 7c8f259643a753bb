import { createHash } from 'node:crypto'

/** The name that git gives to bytes. */
export function oidOf(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

export interface DecodedText {
  text: string
  /** What was read is not all that is there: written again, it would not be the same bytes. */
  isDamaged: boolean
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })

/** The text of a file. What is no UTF-8, or no text that can be kept, is replaced by the mark for that. */
export function decodeText(bytes: Uint8Array): DecodedText {
  try {
    const text = strict.decode(bytes)
    return text.includes('\0') ? { text: text.replaceAll('\0', '\uFFFD'), isDamaged: true } : { text, isDamaged: false }
  } catch {
    return { text: lenient.decode(bytes).replaceAll('\0', '\uFFFD'), isDamaged: true }
  }
}

/** What is told of such a file. */
export const inLfs = 'is stored in Git LFS, which is not supported'

/** Bytes that stand for a file which is kept elsewhere. */
export function isLfsPointer(bytes: Uint8Array): boolean {
  return bytes.length < 1_024 && Buffer.from(bytes).toString('latin1').startsWith('version https://git-lfs.github.com/')
}
