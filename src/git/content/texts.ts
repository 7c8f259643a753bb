import { createHash } from 'node:crypto'

/** Returns the object id that git gives to these bytes. */
export function oidOf(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

export interface DecodedText {
  text: string
  /** Whether the text is not all of the original: writing it back would not give the same bytes. */
  isDamaged: boolean
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })

/** Decodes the text of a file. Invalid UTF-8, and NUL characters that cannot be stored, become U+FFFD. */
export function decodeText(bytes: Uint8Array): DecodedText {
  try {
    const text = strict.decode(bytes)
    return text.includes('\0') ? { text: text.replaceAll('\0', '\uFFFD'), isDamaged: true } : { text, isDamaged: false }
  } catch {
    return { text: lenient.decode(bytes).replaceAll('\0', '\uFFFD'), isDamaged: true }
  }
}

/** The problem that is reported for such a file. */
export const inLfs = 'is stored in Git LFS, which is not supported'

/** Whether these bytes are a Git LFS pointer: it stands for a file that is stored elsewhere. */
export function isLfsPointer(bytes: Uint8Array): boolean {
  return bytes.length < 1_024 && Buffer.from(bytes).toString('latin1').startsWith('version https://git-lfs.github.com/')
}
