import { TextDecoder } from 'node:util'

/** The text of a page, in the encoding that its server or the page itself says it has. */
export function decodeHtml(bytes: Uint8Array, contentType: string | undefined): string {
  const head = Buffer.from(bytes.subarray(0, 2_048)).toString('latin1')
  const said = /charset\s*=\s*["']?([\w:.-]+)/i
  const label = said.exec(contentType ?? '')?.[1] ?? said.exec(head)?.[1] ?? 'utf-8'
  return decoderFor(bytes, label).decode(bytes)
}

/** The text of a file that does not say how it is encoded: what is no UTF-8 comes from an old Windows. */
export function decodeText(bytes: Uint8Array): string {
  const utf16 = markOf(bytes)
  if (utf16) return utf16.decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
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
