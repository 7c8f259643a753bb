import { buffer } from 'node:stream/consumers'
import yauzl from 'yauzl'
import { ImportFailure } from '../failure.ts'
import { limits } from '../limits.ts'
import { decodeUtf8 } from '../reader/decode.ts'
import { oldNameEncoding } from '../reader/encodings.ts'

/** Archives within an archive. */
const packed = /\.(zip|tar|gz|tgz|bz2|xz|7z|rar|zst)$/i

/** A zip archive that is safe to unpack. An entry is unpacked only when it is read. */
export class Archive {
  readonly #zip: yauzl.ZipFile
  readonly #entries: ReadonlyMap<string, yauzl.Entry>
  readonly #nested: ReadonlyMap<string, yauzl.Entry>
  readonly unpackedBytes: number
  /** Symbolic links in the archive. They are not followed. */
  readonly links: readonly string[]

  private constructor(zip: yauzl.ZipFile, entries: readonly yauzl.Entry[]) {
    const files = entries.filter((each) => !isLink(each))
    const byPath = (entries: readonly yauzl.Entry[]) => new Map(entries.map((each) => [each.fileName, each]))
    this.#zip = zip
    this.#entries = byPath(files.filter(({ fileName }) => !packed.test(fileName)))
    this.#nested = byPath(files.filter(({ fileName }) => packed.test(fileName)))
    this.links = entries.filter(isLink).map(({ fileName }) => fileName)
    this.unpackedBytes = files.reduce((total, { uncompressedSize }) => total + uncompressedSize, 0)
  }

  /**
   * Throws an ImportFailure that describes what is wrong with the archive. The language determines how names without an
   * encoding are decoded.
   */
  static async open(bytes: Uint8Array, language: string | null): Promise<Archive> {
    const zip = await openZip(bytes)
    const entries = await listEntries(zip, language)
    refuseBombs(entries)
    return new Archive(
      zip,
      entries.filter(({ fileName }) => !fileName.endsWith('/') && !isLitter(fileName)),
    )
  }

  get paths(): string[] {
    return [...this.#entries.keys()]
  }

  /** Archives in this archive. */
  get nested(): string[] {
    return [...this.#nested.keys()]
  }

  async read(path: string, maxBytes: number): Promise<Buffer> {
    const entry = this.#entries.get(path) ?? this.#nested.get(path)
    if (!entry) throw new ImportFailure('missing', 'is not in the archive')
    if (entry.uncompressedSize > maxBytes)
      throw new ImportFailure('too-large', `is too large: at most ${maxBytes} bytes`)
    try {
      // The stream fails if an entry is larger than announced.
      return await buffer(await openStream(this.#zip, entry))
    } catch {
      throw new ImportFailure('unreadable', 'cannot be unpacked')
    }
  }
}

function openZip(bytes: Uint8Array): Promise<yauzl.ZipFile> {
  const { promise, resolve, reject } = Promise.withResolvers<yauzl.ZipFile>()
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  yauzl.fromBuffer(data, { lazyEntries: true, strictFileNames: false, validateEntrySizes: true }, (error, zip) => {
    if (error) reject(new ImportFailure('archive', 'is not a readable zip archive'))
    else resolve(zip)
  })
  return promise
}

function listEntries(zip: yauzl.ZipFile, language: string | null): Promise<yauzl.Entry[]> {
  const { promise, resolve, reject } = Promise.withResolvers<yauzl.Entry[]>()
  const { entries: most } = limits.archive
  if (zip.entryCount > most) return Promise.reject(new ImportFailure('archive', `has more than ${most} entries`))
  const entries: yauzl.Entry[] = []
  zip.on('entry', (entry: yauzl.Entry) => {
    entry.fileName = nameOf(entry, language)
    const problem = problemOf(entry)
    if (problem) return reject(new ImportFailure('archive', problem))
    entries.push(entry)
    if (entries.length > most) return reject(new ImportFailure('archive', `has more than ${most} entries`))
    zip.readEntry()
  })
  zip.on('end', () => resolve(entries))
  zip.on('error', (error: Error) =>
    reject(
      new ImportFailure(
        'archive',
        /path|file ?name/i.test(error.message) ? 'has a path that leads out of it' : 'is not a readable zip archive',
      ),
    ),
  )
  zip.readEntry()
  return promise
}

const isUtf8 = 0x800
const hasUnicodeName = 0x7075

/** macOS writes UTF-8 without declaring it, and old versions of Windows use the encoding of their system. */
function nameOf(
  { fileName, fileNameRaw, generalPurposeBitFlag, extraFields }: yauzl.Entry,
  language: string | null,
): string {
  if ((generalPurposeBitFlag & isUtf8) !== 0 || extraFields.some(({ id }) => id === hasUnicodeName)) return fileName
  const old = oldNameEncoding(language)
  const name = decodeUtf8(fileNameRaw) ?? (old && new TextDecoder(old).decode(fileNameRaw))
  return name?.replaceAll('\\', '/') ?? fileName
}

function problemOf(entry: yauzl.Entry): string | undefined {
  const { fileName } = entry
  if (fileName.startsWith('/') || /^[a-z]:/i.test(fileName) || fileName.split(/[/\\]/).includes('..'))
    return 'has a path that leads out of it'
  if (fileName.includes('\0') || fileName.length > 1_000) return 'has a path that no file can have'
  return entry.isEncrypted() ? 'is protected by a password' : undefined
}

const isLink = ({ externalFileAttributes }: yauzl.Entry) => ((externalFileAttributes >>> 28) & 0xf) === 0xa

function refuseBombs(entries: readonly yauzl.Entry[]): void {
  const { unpackedBytes, ratio } = limits.archive
  const total = { packed: 0, unpacked: 0 }
  for (const { compressedSize, uncompressedSize } of entries) {
    total.packed += compressedSize
    total.unpacked += uncompressedSize
    const isBomb = uncompressedSize > 1024 ** 2 && uncompressedSize > ratio * compressedSize
    if (isBomb) throw new ImportFailure('archive', `contains a file that unpacks to more than ${ratio} times its size`)
  }
  if (total.unpacked > unpackedBytes) throw new ImportFailure('archive', `unpacks to more than ${unpackedBytes} bytes`)
  if (total.unpacked > 1024 ** 2 && total.unpacked > ratio * total.packed)
    throw new ImportFailure('archive', `unpacks to more than ${ratio} times its size`)
}

/** Files that operating systems and Git leave behind in archives. */
const isLitter = (path: string) => /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|\.git\/)/.test(path)

function openStream(zip: yauzl.ZipFile, entry: yauzl.Entry): Promise<NodeJS.ReadableStream> {
  const { promise, resolve, reject } = Promise.withResolvers<NodeJS.ReadableStream>()
  zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)))
  return promise
}
