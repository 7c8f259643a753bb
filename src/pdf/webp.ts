import { readFile } from 'node:fs/promises'
import { crc32, deflateSync } from 'node:zlib'
import decode, { init } from '@jsquash/webp/decode.js'

/** A decoded picture takes four bytes per pixel, several times over. */
const mostPixels = 25_000_000

let ready: Promise<void> | undefined

/** Converts a WebP picture to PNG: the typesetter does not support WebP. */
export async function pngOfWebp(webp: Uint8Array): Promise<Buffer> {
  if (pixelsOf(Buffer.from(webp.buffer, webp.byteOffset, webp.byteLength)) > mostPixels) throw new Error('Too large')
  // By default, the decoder would fetch its code from the address it was loaded from, as browsers do.
  ready ??= readFile(new URL(import.meta.resolve('@jsquash/webp/codec/dec/webp_dec.wasm'))).then((wasmBinary) =>
    init({ wasmBinary }),
  )
  await ready
  const { width, height, data } = await decode(new Uint8Array(webp).buffer)
  return writePng(width, height, Buffer.from(data.buffer, data.byteOffset, data.byteLength))
}

/**
 * Returns the number of pixels of the picture itself, whatever the header of the file claims. An animation has no such
 * picture: its first frame is not drawn.
 */
function pixelsOf(webp: Buffer): number {
  for (let at = 12; at + 18 <= webp.length;) {
    const kind = webp.toString('latin1', at, at + 4)
    if (kind === 'VP8 ') return (webp.readUInt16LE(at + 14) & 0x3fff) * (webp.readUInt16LE(at + 16) & 0x3fff)
    if (kind === 'VP8L') {
      const bits = webp.readUInt32LE(at + 9)
      return (1 + (bits & 0x3fff)) * (1 + ((bits >>> 14) & 0x3fff))
    }
    const size = webp.readUInt32LE(at + 4)
    at += 8 + size + (size % 2)
  }
  throw new Error('There is no picture in it')
}

function writePng(width: number, height: number, pixels: Buffer): Buffer {
  const isOpaque = pixels.every((value, index) => index % 4 !== 3 || value === 255)
  const bytesPerPixel = isOpaque ? 3 : 4
  const lines = Buffer.alloc(height * (1 + width * bytesPerPixel))
  for (let y = 0, to = 0, from = 0; y < height; y++) {
    to += 1
    for (let x = 0; x < width; x++, from += 4, to += bytesPerPixel) {
      pixels.copy(lines, to, from, from + bytesPerPixel)
    }
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, isOpaque ? 2 : 6, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  // The typesetter unpacks it again at once, so packing it well would be wasted.
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(lines, { level: 1 })), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...parts])
}

function chunk(kind: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), content])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(content.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([size, body, sum])
}
