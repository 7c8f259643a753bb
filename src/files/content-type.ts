/**
 * Detects the type of a file from its bytes. The type declared by the sender counts only where bytes cannot tell: for
 * the kind of text, or for a format that we do not know.
 */
export function contentTypeOf(head: Buffer, name: string, declared?: string): string {
  const known = signatures.find(({ matches }) => matches(head))
  if (known) return typeof known.type === 'string' ? known.type : known.type(head)
  const claimed = (declared ?? '').split(';')[0]!.trim().toLowerCase()
  if (isText(head)) return markupOf(head) ?? textTypes.get(extensionOf(name)) ?? textTypeOf(claimed)
  return opaqueType.test(claimed) ? claimed : 'application/octet-stream'
}

interface Signature {
  type: string | ((head: Buffer) => string)
  matches: (head: Buffer) => boolean
}

const startsWith =
  (...bytes: (number | string)[]) =>
  (head: Buffer) =>
    head.subarray(0, wanted(bytes).length).equals(wanted(bytes))

const wanted = (bytes: (number | string)[]) =>
  Buffer.concat(bytes.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from([part]))))

const at = (offset: number, text: string) => (head: Buffer) =>
  head.subarray(offset, offset + text.length).toString('latin1') === text

const both = (first: Signature['matches'], second: Signature['matches']) => (head: Buffer) =>
  first(head) && second(head)

const signatures: Signature[] = [
  { type: 'image/png', matches: startsWith(0x89, 'PNG\r\n', 0x1a, '\n') },
  { type: 'image/jpeg', matches: startsWith(0xff, 0xd8, 0xff) },
  { type: 'image/gif', matches: (head) => startsWith('GIF87a')(head) || startsWith('GIF89a')(head) },
  { type: 'image/webp', matches: both(startsWith('RIFF'), at(8, 'WEBP')) },
  { type: 'audio/wav', matches: both(startsWith('RIFF'), at(8, 'WAVE')) },
  { type: isoMedia, matches: at(4, 'ftyp') },
  {
    type: 'video/webm',
    matches: both(startsWith(0x1a, 0x45, 0xdf, 0xa3), (head) => head.subarray(0, 64).includes('webm')),
  },
  { type: 'video/x-matroska', matches: startsWith(0x1a, 0x45, 0xdf, 0xa3) },
  { type: 'audio/mpeg', matches: startsWith('ID3') },
  { type: 'audio/mpeg', matches: (head) => head[0] === 0xff && [0xfb, 0xf3, 0xf2, 0xfa].includes(head[1] ?? 0) },
  { type: 'audio/ogg', matches: startsWith('OggS') },
  { type: 'audio/flac', matches: startsWith('fLaC') },
  { type: 'application/pdf', matches: startsWith('%PDF-') },
  { type: zipKind, matches: (head) => startsWith('PK', 3, 4)(head) || startsWith('PK', 5, 6)(head) },
  { type: 'application/gzip', matches: startsWith(0x1f, 0x8b, 8) },
  { type: 'application/x-7z-compressed', matches: startsWith('7z', 0xbc, 0xaf, 0x27, 0x1c) },
  { type: 'application/vnd.rar', matches: startsWith('Rar!', 0x1a, 7) },
  { type: 'application/x-cfb', matches: startsWith(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1) },
  { type: 'image/tiff', matches: (head) => startsWith('II*', 0)(head) || startsWith('MM', 0, '*')(head) },
  { type: 'image/x-icon', matches: startsWith(0, 0, 1, 0) },
  { type: 'image/bmp', matches: both(startsWith('BM'), (head) => head.length > 14 && head.readUInt32LE(6) === 0) },
  { type: 'font/woff', matches: startsWith('wOFF') },
  { type: 'font/woff2', matches: startsWith('wOF2') },
  { type: 'font/otf', matches: startsWith('OTTO', 0) },
  { type: 'font/ttf', matches: startsWith(0, 1, 0, 0, 0) },
  { type: 'application/wasm', matches: startsWith(0, 'asm') },
]

/** MP4 and related formats contain a brand. */
function isoMedia(head: Buffer): string {
  const brand = head.subarray(8, 12).toString('latin1')
  if (brand === 'avif' || brand === 'avis') return 'image/avif'
  if (/^(hei[cxms]|mif1|msf1)$/.test(brand)) return head.subarray(16, 48).includes('avif') ? 'image/avif' : 'image/heic'
  if (brand === 'qt  ') return 'video/quicktime'
  return brand.startsWith('M4A') || brand.startsWith('M4B') ? 'audio/mp4' : 'video/mp4'
}

/** Document formats that are zip archives are recognized by the names in them. */
function zipKind(head: Buffer): string {
  if (at(30, 'mimetypeapplication/epub+zip')(head)) return 'application/epub+zip'
  const openDocument = /^mimetype(application\/vnd\.oasis\.opendocument\.[a-z-]+)/.exec(
    head.subarray(30, 120).toString('latin1'),
  )
  if (openDocument) return openDocument[1]!
  if (!head.includes('[Content_Types].xml') && !head.includes('_rels/')) return 'application/zip'
  const office = 'application/vnd.openxmlformats-officedocument.'
  if (head.includes('word/')) return `${office}wordprocessingml.document`
  if (head.includes('xl/')) return `${office}spreadsheetml.sheet`
  return head.includes('ppt/') ? `${office}presentationml.presentation` : 'application/zip'
}

function isText(head: Buffer): boolean {
  if (head.includes(0)) return false
  try {
    // The head may end within a character: `stream` accepts that, and nothing else.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

/** A browser would sniff a text and might show it as a page, so the code that serves it needs to know. */
function markupOf(head: Buffer): string | undefined {
  const text = head
    .subarray(0, 4096)
    .toString()
    .replace(/^\uFEFF/, '')
    .replace(/^(?:\s+|<\?xml[^>]*\?>|<!--[\s\S]*?-->|<!DOCTYPE\s+svg[^>[]*(?:\[[^\]]*\]\s*)?>)+/i, '')
  if (/^<svg[\s>]/i.test(text)) return 'image/svg+xml'
  if (/^<(!doctype\s+html|html|head|body|script|iframe|style|meta|title|h1|div|table|a|p|br)[\s>]/i.test(text))
    return 'text/html'
  return /^\s*<\?xml/.test(head.subarray(0, 64).toString()) ? 'application/xml' : undefined
}

const textTypes = new Map([
  ['css', 'text/css'],
  ['csv', 'text/csv'],
  ['htm', 'text/html'],
  ['html', 'text/html'],
  ['ics', 'text/calendar'],
  ['js', 'text/javascript'],
  ['json', 'application/json'],
  ['md', 'text/markdown'],
  ['mjs', 'text/javascript'],
  ['svg', 'image/svg+xml'],
  ['vtt', 'text/vtt'],
  ['xml', 'application/xml'],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
])

const textTypeOf = (claimed: string) =>
  /^text\/[a-z0-9.+-]{1,60}$/.test(claimed) ||
  /^application\/(json|yaml|xml|toml|[a-z0-9.-]{1,40}\+(json|xml|yaml))$/.test(claimed)
    ? claimed
    : 'text/plain'

/** Bytes in a format that we cannot check may keep their declared type if no browser displays it by itself. */
const opaqueType =
  /^(application|font|model|chemical)\/(?!pdf$|xhtml|xml|javascript|zip$|gzip$)[a-z0-9][a-z0-9.+-]{0,80}$/

const extensionOf = (name: string) => /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
