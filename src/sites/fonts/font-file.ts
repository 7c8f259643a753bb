import type { Inspected } from '../../files/inspect.ts'
import { sizeInWords } from '../../size-in-words.ts'

/** Every reader of a site loads it. */
export const mostBytes = 2_000_000

/** As much of a file as is looked at. */
export const headBytes = 4096

/** By their bytes. */
export const formats: Readonly<Record<string, 'woff2' | 'woff'>> = { 'font/woff2': 'woff2', 'font/woff': 'woff' }

const flavours = ['\0\x01\0\0', 'OTTO', 'true']
/** As many as there is room for in what is looked at; fonts have some twenty. */
const mostTables = 200
/** What browsers take. A small file may become a very large one. */
const mostUnpacked = 30_000_000

/**
 * Why a file is no font for a site; undefined where it can be one. Nothing is unpacked or read further here: browsers do
 * that, each behind walls of its own, and take another font where they do not like it.
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

/** What both have in their first bytes. `dataAt` is where the lengths of what is behind the tables stand. */
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

/** All tables are packed as one. */
function isWoff2(head: Buffer, size: number): boolean {
  if (!isContainer(head, size, 28)) return false
  const packed = head.readUInt32BE(20)
  return packed > 0 && 48 + packed <= size
}

/** Each table has its place, its length, and the one that it has unpacked. */
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
