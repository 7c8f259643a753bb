import { shortened } from '../../shortened.ts'
import { ImportFailure } from '../failure.ts'
import { limits } from '../limits.ts'
import { Archive } from './archive.ts'

/**
 * Notion packs its exports twice, and large exports in several parts: an archive without pages that contains archives
 * stands for these, which belong together. Archives at a third level are not unpacked. The limits apply to all parts
 * together.
 */
export async function partsOf(
  archive: Archive,
  isPage: (path: string) => boolean,
  language: string | null,
): Promise<Archive[]> {
  const packed = archive.nested.filter((path) => /\.zip$/i.test(path))
  if (packed.length === 0 || archive.paths.some(isPage)) return [archive]
  const { entries, unpackedBytes } = limits.archive
  const parts: Archive[] = []
  const left = { bytes: limits.filesBytes, entries, unpacked: unpackedBytes }
  for (const path of packed.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))) {
    const { part, size } = await openWithin(archive, path, left.bytes, language)
    left.bytes -= size
    left.entries -= part.paths.length
    left.unpacked -= part.unpackedBytes
    if (left.entries < 0) throw new ImportFailure('archive', `has more than ${entries} entries`)
    if (left.unpacked < 0) throw new ImportFailure('archive', `unpacks to more than ${unpackedBytes} bytes`)
    parts.push(part)
  }
  return parts
}

async function openWithin(
  archive: Archive,
  path: string,
  maxBytes: number,
  language: string | null,
): Promise<{ part: Archive; size: number }> {
  try {
    const bytes = await archive.read(path, maxBytes)
    return { part: await Archive.open(bytes, language), size: bytes.length }
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error
    throw new ImportFailure('nested', `contains another archive, ${shortened(path, 200)}, which ${error.message}`)
  }
}
