import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { StringDecoder } from 'node:string_decoder'
import { crc32 } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { Explained, reasonOf } from '../explained.ts'
import { packageOnFirstUse } from '../on-first-use.ts'
import { type Manifest, type Progress, manifestPath } from './archive.ts'

const yauzl = packageOnFirstUse<typeof import('yauzl')>('yauzl')

/** An archive made by Lectern. Every byte is checked against the manifest while it is read. */
export class Archive {
  readonly manifest: Manifest
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>
  /** Called after each file that was read to its end. */
  onRead: Progress = () => {}
  #read = { files: 0, bytes: 0 }

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, manifest: Manifest) {
    this.#zip = zip
    this.#entries = entries
    this.manifest = manifest
  }

  static async open(path: string, ...kinds: Manifest['kind'][]): Promise<Archive> {
    const zip = await openZip(path)
    const entries = await listEntries(zip)
    const entry = entries.get(manifestPath)
    if (!entry) throw new Explained(`${path} is not a Lectern archive, or is incomplete: it has no manifest.`)
    const manifest = await readManifest(zip, entry)
    if (manifest.format !== 'lectern-export' || manifest.version !== 1) {
      throw new Explained(`${path} was made by another version of Lectern.`)
    }
    if (!kinds.includes(manifest.kind)) {
      const other = manifest.kind === 'instance' ? 'restore' : 'import'
      const wanted = kinds.map(withArticle).join(' or ')
      throw new Explained(`${path} contains ${withArticle(manifest.kind)}, not ${wanted}: use "lectern ${other}".`)
    }
    const missing = Object.keys(manifest.files).find((each) => !entries.has(each))
    if (missing !== undefined) throw new Explained(`${path} is incomplete: ${missing} is missing.`)
    return new Archive(zip, entries, manifest)
  }

  close(): void {
    this.#zip.close()
  }

  has(path: string): boolean {
    return Object.hasOwn(this.manifest.files, path)
  }

  paths(): string[] {
    return Object.keys(this.manifest.files)
  }

  /** Reads the bytes of a file. Fails at the end if they do not match the manifest. */
  async *read(path: string): AsyncGenerator<Buffer> {
    const expected = this.has(path) ? this.manifest.files[path] : undefined
    if (!expected) throw new Explained(`The archive has no ${path}.`)
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of bytesOf(this.#zip, this.#entries.get(path)!)) {
      hash.update(chunk)
      size += chunk.length
      if (size > expected.size) throw damaged(path)
      yield chunk
    }
    if (size !== expected.size || hash.digest('hex') !== expected.sha256) throw damaged(path)
    this.onRead((this.#read.files += 1), (this.#read.bytes += size))
  }

  async json<Value>(path: string): Promise<Value> {
    return parsed((await buffer(this.read(path))).toString(), path)
  }

  /** Reads a file with one JSON value per line. */
  async *lines<Value>(path: string): AsyncGenerator<Value> {
    for await (const [value] of this.numberedLines<Value>(path)) yield value
  }

  /** The same, with the place of each value for error messages. */
  async *numberedLines<Value>(path: string): AsyncGenerator<[Value, string]> {
    let number = 0
    for await (const line of this.textLines(path)) {
      const where = `${path}, line ${(number += 1)}`
      yield [parsed(line, `${where},`), where]
    }
  }

  async *textLines(path: string): AsyncGenerator<string> {
    const decoder = new StringDecoder('utf8')
    let rest = ''
    for await (const chunk of this.read(path)) {
      // Not with `readline`: it also breaks lines at characters that may occur in a text.
      const lines = (rest + decoder.write(chunk)).split('\n')
      rest = lines.pop()!
      yield* lines
    }
    if (rest !== '') yield rest
  }
}

const withArticle = (kind: Manifest['kind']) => (kind === 'space' ? 'a space' : `an ${kind}`)

function parsed<Value>(text: string, where: string): Value {
  try {
    return JSON.parse(text) as Value
  } catch {
    throw new Explained(`The archive cannot be restored: ${where} is not valid JSON. Nothing was changed.`)
  }
}

const damaged = (path: string) => new Explained(`The archive is damaged: ${path} does not match its manifest.`)

/** yauzl refuses names that lead out of the archive. */
function openZip(path: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    yauzl().open(path, { lazyEntries: true, autoClose: false }, (error, zip) => {
      if (error) reject(new Explained(`${path} cannot be read: ${reasonOf(error)}`))
      else resolve(zip)
    })
  })
}

function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      entries.set(entry.fileName, entry)
      zip.readEntry()
    })
    zip.on('end', () => resolve(entries))
    zip.on('error', (error: Error) => reject(new Explained(`The archive is damaged: ${error.message}`)))
    zip.readEntry()
  })
}

/** All other files are checked against the manifest. The manifest itself is checked against its checksum in the zip. */
async function readManifest(zip: ZipFile, entry: Entry): Promise<Manifest> {
  const bytes = await buffer(bytesOf(zip, entry))
  if (crc32(bytes) !== entry.crc32) throw new Explained('The archive is damaged: its manifest was changed.')
  return parsed(bytes.toString(), manifestPath)
}

/** Data that cannot be unpacked is damaged. An error of the operating system, such as a failing disk, is passed on. */
async function* bytesOf(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of await openEntry(zip, entry)) yield chunk as Buffer
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error
    throw new Explained(`The archive is damaged: ${entry.fileName} cannot be read.`, { cause: error })
  }
}

function openEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)))
  })
}
