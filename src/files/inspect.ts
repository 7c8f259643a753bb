import { open } from 'node:fs/promises'
import type { StoredFile } from '../storage/store.ts'
import { contentTypeOf } from './content-type.ts'
import { type Dimensions, dimensionsOf } from './dimensions.ts'

/** What is known about bytes once they have been inspected. */
export interface Inspected extends Partial<Dimensions> {
  hash: string
  size: number
  contentType: string
}

/** Image headers may come after long metadata. Nothing is searched for beyond this many bytes. */
const headBytes = 1024 * 1024

const maxPixels = 50_000_000

export async function inspect(file: StoredFile, name: string, declared?: string): Promise<Inspected> {
  const head = await readHead(file.path, headBytes)
  const contentType = contentTypeOf(head, name, declared)
  return { hash: file.hash, size: file.size, contentType, ...dimensionsOf(contentType, head) }
}

/** A program that shows an image decodes all of it: a small file can be a very large picture. */
export function hasTooManyPixels({ contentType, width = 0, height = 0 }: Inspected): boolean {
  return contentType !== 'image/svg+xml' && width * height > maxPixels
}

/** The first `length` bytes of a file, or fewer if it is shorter. */
export async function readHead(path: string, length: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
