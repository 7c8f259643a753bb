import { createHash } from 'node:crypto'
import { type PassThrough, Readable, Transform } from 'node:stream'
import { finished } from 'node:stream/promises'
import { packageOnFirstUse } from '../on-first-use.ts'

const yazl = packageOnFirstUse<typeof import('yazl')>('yazl')

/** A file of an archive. */
export interface Item {
  path: string
  content: string | Buffer | Readable
  /** Hears the SHA-256 of what was packed. */
  packed?: (sha256: string) => void
}

/** The last file of an archive: what is in it, so that whoever reads it knows that it is whole. */
export interface Manifest {
  format: 'lectern-export'
  version: 1
  kind: 'space' | 'organization' | 'instance'
  createdAt: string
  /** Of each file: its SHA-256 in hex, and how long it is. */
  files: Record<string, { sha256: string; size: number }>
}

export const manifestPath = 'manifest.json'

/** After each file: how many there are so far, and how many bytes. */
export type Progress = (files: number, bytes: number) => void

/** What is packed already helps nobody to be packed again. */
const isPacked = (path: string) => /\.(png|jpe?g|gif|webp|mp4|webm|zip|gz|pdf|woff2?)$/i.test(path)

/**
 * Files as a zip, one after the other, each made when its turn comes and as fast as whoever gets it takes it: a large
 * archive takes no more memory than a small one. If something fails, it breaks off without its manifest.
 */
export function packArchive(
  kind: Manifest['kind'],
  items: AsyncIterable<Item>,
  progress: Progress = () => {},
): Readable {
  const zip = new (yazl().ZipFile)()
  const output = zip.outputStream as PassThrough
  const failed = (error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error)))
  zip.on('error', failed)
  pack(zip, kind, items, output, progress).catch(failed)
  return output
}

type Zip = InstanceType<typeof import('yazl').ZipFile>

async function pack(
  zip: Zip,
  kind: Manifest['kind'],
  items: AsyncIterable<Item>,
  output: Readable,
  progress: Progress,
) {
  const files: Manifest['files'] = {}
  let [count, bytes] = [0, 0]
  const add = async ({ path, content, packed }: Item): Promise<void> => {
    const hash = createHash('sha256')
    let size = 0
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk)
        size += chunk.length
        done(null, chunk)
      },
    })
    // Whoever wanted it has gone: nobody will read this to its end.
    const giveUp = () => counted.destroy()
    output.once('close', giveUp)
    const begin = () => {
      const input = content instanceof Readable ? content : Readable.from([Buffer.from(content)], { objectMode: false })
      input.on('error', (error) => counted.destroy(error))
      return input.pipe(counted)
    }
    zip.addReadStreamLazy(path, { compress: !isPacked(path), mtime: epoch }, once(begin))
    loosenName(zip)
    await finished(counted).finally(() => content instanceof Readable && content.destroy())
    output.off('close', giveUp)
    const sha256 = hash.digest('hex')
    files[path] = { sha256, size }
    packed?.(sha256)
    progress((count += 1), (bytes += size))
  }
  for await (const item of items) {
    if (output.destroyed) return
    await add(item)
  }
  const manifest: Manifest = { format: 'lectern-export', version: 1, kind, createdAt: new Date().toISOString(), files }
  await add({ path: manifestPath, content: JSON.stringify(manifest, null, 1) })
  zip.end()
}

/**
 * Small buffers share their memory, with those that packing a file takes as well; and the zip keeps the name of each file
 * to its end. In memory of its own, a name holds on to nothing else: of 10,000 files that is 200 MB.
 */
function loosenName(zip: Zip): void {
  const entry = (zip as unknown as { entries?: { utf8FileName?: Buffer }[] }).entries?.at(-1)
  if (!entry?.utf8FileName) return
  const name = Buffer.alloc(entry.utf8FileName.length)
  entry.utf8FileName.copy(name)
  entry.utf8FileName = name
}

/**
 * The zip keeps what it was given for each file to its end. So that is nothing but this: what a file was made of is let go
 * when it is begun.
 */
function once(begin: () => Readable) {
  const box: { begin?: () => Readable } = { begin }
  return (done: (error: null, stream: Readable) => void) => {
    const stream = box.begin!()
    delete box.begin
    done(null, stream)
  }
}

/** The same content is the same bytes. */
const epoch = new Date('2000-01-01T00:00:00Z')
