/** The text of a page, in the encoding that its server or the page itself says it has. */
export function decodeHtml(bytes: Uint8Array, contentType: string | undefined): string {
  const head = Buffer.from(bytes.subarray(0, 2_048)).toString('latin1')
  const said = /charset\s*=\s*["']?([\w:.-]+)/i
  const label = said.exec(contentType ?? '')?.[1] ?? said.exec(head)?.[1] ?? 'utf-8'
  return decoderFor(bytes, label).decode(bytes)
}

function decoderFor(bytes: Uint8Array, label: string): TextDecoder {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le')
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}
