import { TextDecoder } from 'node:util'
import { oldTextEncoding } from './encodings.ts'

/** The text of a page, in the encoding that its server or the page itself says it has. */
export function decodeHtml(bytes: Uint8Array, contentType: string | undefined, language: string | null): string {
  const head = Buffer.from(bytes.subarray(0, 2_048)).toString('latin1')
  const said = /charset\s*=\s*["']?([\w:.-]+)/i
  const label = said.exec(contentType ?? '')?.[1] ?? inAscii(said.exec(head)?.[1])
  return decoderFor(bytes, label ?? (isUtf8(bytes) ? 'utf-8' : oldTextEncoding(language))).decode(bytes)
}

/** What could be read without knowing the encoding is in none of two bytes for a sign, whatever it says: as browsers have it. */
const inAscii = (label: string | undefined) => (label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label)

/** Also where a sign or two are broken: of text in another encoding nearly all of them are. */
function isUtf8(bytes: Uint8Array): boolean {
  if (decodeUtf8(bytes) !== undefined) return true
  const text = new TextDecoder().decode(bytes)
  const broken = text.match(/\ufffd/g)?.length ?? 0
  const others = text.match(/[^\p{ASCII}\ufffd]/gu)?.length ?? 0
  return others > broken
}

/** The text of a file that does not say how it is encoded: what is no UTF-8 comes from an old Windows. */
export function decodeText(bytes: Uint8Array, language: string | null): string {
  const utf16 = markOf(bytes)
  if (utf16) return utf16.decode(bytes)
  return decodeUtf8(bytes) ?? new TextDecoder(oldTextEncoding(language)).decode(bytes)
}

/** Undefined where it is something else. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function markOf([first, second]: Uint8Array): TextDecoder | undefined {
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le')
  return first === 0xfe && second === 0xff ? new TextDecoder('utf-16be') : undefined
}

function decoderFor(bytes: Uint8Array, label: string): TextDecoder {
  const utf16 = markOf(bytes)
  if (utf16) return utf16
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}
