export interface Dimensions {
  width: number
  height: number
}

/** The size of an image, from its header. Nothing is decoded, so an image cannot be a decompression bomb. */
export function dimensionsOf(contentType: string, head: Buffer): Dimensions | undefined {
  try {
    const found = readers[contentType]?.(head)
    return found && found.width > 0 && found.height > 0 ? found : undefined
  } catch {
    // Truncated or damaged: it has no dimensions, but is still accepted as a file.
    return undefined
  }
}

const readers: Record<string, (head: Buffer) => Dimensions | undefined> = {
  'image/png': (head) => ({ width: head.readUInt32BE(16), height: head.readUInt32BE(20) }),
  'image/gif': (head) => ({ width: head.readUInt16LE(6), height: head.readUInt16LE(8) }),
  'image/jpeg': ofJpeg,
  'image/webp': ofWebp,
  'image/avif': ofAvif,
  'image/svg+xml': ofSvg,
}

/** Reads segments up to the frame header. Orientations 5 to 8 of Exif are ignored. */
function ofJpeg(head: Buffer): Dimensions | undefined {
  for (let offset = 2; offset < head.length;) {
    if (head[offset] !== 0xff) return undefined
    const marker = head[offset + 1]!
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { width: head.readUInt16BE(offset + 7), height: head.readUInt16BE(offset + 5) }
    offset += marker === 0xff ? 1 : 2 + head.readUInt16BE(offset + 2)
  }
  return undefined
}

function ofWebp(head: Buffer): Dimensions | undefined {
  switch (head.subarray(12, 16).toString('latin1')) {
    case 'VP8X':
      return { width: 1 + head.readUIntLE(24, 3), height: 1 + head.readUIntLE(27, 3) }
    case 'VP8L': {
      const bits = head.readUInt32LE(21)
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
    }
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
    default:
      return undefined
  }
}

/** Tiles and thumbnails contain their sizes too: the largest is that of the picture. */
function ofAvif(head: Buffer): Dimensions | undefined {
  let largest: Dimensions | undefined
  for (let found = head.indexOf('ispe'); found !== -1; found = head.indexOf('ispe', found + 4)) {
    const size = { width: head.readUInt32BE(found + 8), height: head.readUInt32BE(found + 12) }
    if (!largest || size.width * size.height > largest.width * largest.height) largest = size
  }
  return largest
}

/** An SVG can claim any number, and this is the largest one that can be stored. Other images have fewer pixels. */
const largestLength = 2 ** 31 - 1

function ofSvg(head: Buffer): Dimensions | undefined {
  const found = writtenInSvg(head)
  return found && Math.max(found.width, found.height) <= largestLength ? found : undefined
}

/** Width and height if they are plain numbers, otherwise those of the view box. */
function writtenInSvg(head: Buffer): Dimensions | undefined {
  const tag = /<svg\b[^>]*>/i.exec(head.subarray(0, 16_384).toString())?.[0] ?? ''
  const length = (name: string) => {
    const value = new RegExp(`\\s${name}\\s*=\\s*["']\\s*([\\d.]{1,12})(?:px)?\\s*["']`).exec(tag)?.[1]
    return value === undefined ? undefined : Math.round(Number(value))
  }
  const [width, height] = [length('width'), length('height')]
  if (width && height) return { width, height }
  const box = /\sviewBox\s*=\s*["']([-\d.\s,e]{1,100})["']/
    .exec(tag)?.[1]
    ?.trim()
    .split(/[\s,]+/)
  return box?.length === 4 ? { width: Math.round(Number(box[2])), height: Math.round(Number(box[3])) } : undefined
}
