import type { Inspected } from '../../files/inspect.ts'
import { sizeInWords } from '../../size-in-words.ts'

/** Limited because every reader of a site loads the file. */
export const mostBytes = 2_000_000

/** How much of a file is examined. */
export const headBytes = 4096

/** Font formats by content type, which is detected from the bytes. */
export const formats: Readonly<Record<string, 'woff2' | 'woff'>> = { 'font/woff2': 'woff2', 'font/woff': 'woff' }

const flavours = ['\0\x01\0\0', 'OTTO', 'true']
/** As many as fit into the examined part of the file. Fonts have about twenty. */
const mostTables = 200
/** The limit of browsers. A small file may become very large when unpacked. */
const mostUnpacked = 30_000_000

/**
 * Returns why a file is not a font for a site, or undefined if it can be one. The file is not unpacked or read any
 * further: browsers do that in their own sandboxes, and use another font if they reject it.
 */
export function noFont(
  head: Buffer,
  { contentType, size }: Pick<Inspected, 'contentType' | 'size'>,
): string | undefined {
  if (contentType === 'font/ttf' || contentType === 'font/otf')
    return 'is a TrueType or OpenType font. Make a WOFF2 file of it first, which readers load in half the time'
  const format = formats[contentType]
  if (format === undefined) return 'is not a WOFF2 or WOFF font'
  if (size > mostBytes) return `has more than ${sizeInWords(mostBytes)}, which every reader would have to load`
  const isWhole = format === 'woff2' ? isWoff2(head, size) : isWoff(head, size)
  return isWhole ? undefined : 'is damaged: what it says of itself does not fit its length'
}

/**
 * Checks the header fields that both formats share. `dataAt` is the offset of the lengths of the data after the tables.
 */
function isContainer(head: Buffer, size: number, dataAt: number): boolean {
  if (head.length < dataAt + 20) return false
  const tables = head.readUInt16BE(12)
  const [metaAt, metaLength] = [head.readUInt32BE(dataAt), head.readUInt32BE(dataAt + 4)]
  const [ownAt, ownLength] = [head.readUInt32BE(dataAt + 12), head.readUInt32BE(dataAt + 16)]
  return (
    flavours.includes(head.toString('latin1', 4, 8)) &&
    head.readUInt32BE(8) === size &&
    tables > 0 &&
    tables <= mostTables &&
    head.readUInt16BE(14) === 0 &&
    head.readUInt32BE(16) <= mostUnpacked &&
    metaAt + metaLength <= size &&
    ownAt + ownLength <= size
  )
}

/** All tables are compressed together. */
function isWoff2(head: Buffer, size: number): boolean {
  if (!isContainer(head, size, 28)) return false
  const packed = head.readUInt32BE(20)
  return packed > 0 && 48 + packed <= size
}

/** Each table has an offset, a length and an uncompressed length. */
function isWoff(head: Buffer, size: number): boolean {
  if (!isContainer(head, size, 24)) return false
  const tables = head.readUInt16BE(12)
  const end = 44 + 20 * tables
  if (head.length < end) return false
  return Array.from({ length: tables }, (_, at) => 44 + 20 * at).every((at) => {
    const [from, packed, unpacked] = [4, 8, 12].map((more) => head.readUInt32BE(at + more)) as [number, number, number]
    return from >= end && from + packed <= size && packed <= unpacked && unpacked <= mostUnpacked
  })
}
