import { crc32, deflateRawSync } from 'node:zlib'

export interface Packed {
  name: string
  bytes: Buffer | string
  /** Its name as bytes, in an encoding that the archive does not declare. */
  unmarked?: Buffer
  /** Values in the directory of the archive that differ from the actual ones. */
  claims?: { size?: number; mode?: number }
}

/** Writes a zip archive by hand, so that it can contain what no tool would write. */
export function zipOf(files: readonly Packed[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes, unmarked, claims = {} } of files) {
    const data = Buffer.from(bytes)
    const packed = deflateRawSync(data)
    const title = unmarked ?? Buffer.from(name)
    const size = claims.size ?? data.length
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(unmarked ? 0 : 0x800, 2)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(data), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(size, 18)
    fields.writeUInt16LE(title.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, title, packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(((claims.mode ?? 0o100644) << 16) >>> 0, 6)
    tail.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), fields, tail, title]))
    parts.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, listed, Buffer.from('PK\x05\x06'), end])
}
