import { TextDecoder } from 'node:util'
import { oldTextEncoding } from './encodings.ts'

/** Decodes a page, in the encoding that its server or the page itself declares. */
export function decodeHtml(bytes: Uint8Array, contentType: string | undefined, language: string | null): string {
  const head = Buffer.from(bytes.subarray(0, 2_048)).toString('latin1')
  const said = /charset\s*=\s*["']?([\w:.-]+)/i
  const label = said.exec(contentType ?? '')?.[1] ?? inAscii(said.exec(head)?.[1])
  return decoderFor(bytes, label ?? (isUtf8(bytes) ? 'utf-8' : oldTextEncoding(language))).decode(bytes)
}

/** A declaration that was found by reading the page as ASCII cannot mean UTF-16. Browsers treat it as UTF-8, too. */
const inAscii = (label: string | undefined) => (label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label)

/** Also accepts text with a few broken characters. In text of another encoding nearly all of them are broken. */
function isUtf8(bytes: Uint8Array): boolean {
  if (decodeUtf8(bytes) !== undefined) return true
  const text = new TextDecoder().decode(bytes)
  const broken = text.match(/\ufffd/g)?.length ?? 0
  const others = text.match(/[^\p{ASCII}\ufffd]/gu)?.length ?? 0
  return others > broken
}

/**
 * Decodes a file that does not declare its encoding. If it is not UTF-8, it is assumed to come from an old version of
 * Windows.
 */
export function decodeText(bytes: Uint8Array, language: string | null): string {
  const utf16 = markOf(bytes)
  if (utf16) return utf16.decode(bytes)
  return decodeUtf8(bytes) ?? new TextDecoder(oldTextEncoding(language)).decode(bytes)
}

/** Returns undefined if the bytes are not UTF-8. */
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
