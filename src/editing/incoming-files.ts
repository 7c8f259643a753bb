import { FetchFailure } from '../fetch/failure.ts'
import { type Incoming, discard, receiveBlob } from '../files/blobs.ts'
import { hasTooManyPixels } from '../files/inspect.ts'
import type { App } from '../http/routes.ts'
import { TooManyBytes } from '../storage/receive.ts'
import { ChangePath } from './refusals.ts'
import type { Change, ChangeOf } from './schema.ts'

type NewFile = ChangeOf<'insert_files'>['files'][number]

/** Bytes that came with a batch, or were fetched for it, by `<index of the change>.<index of the file>`. */
export type IncomingFiles = ReadonlyMap<string, Incoming>

interface Wanted {
  key: string
  file: NewFile
  field: string
  path: ChangePath
}

const maxBase64Bytes = 1_048_576
const fetchedAtOnce = 4
/** Limit for fetching all files of a batch together: a request may take 30 s. */
const allFetchesMs = 20_000

export async function receiveFiles(app: App, changes: readonly Change[]): Promise<IncomingFiles> {
  const wanted = changes.flatMap(filesOf)
  for (const each of wanted) checkFile(each)

  const received = new Map<string, Incoming>()
  const deadline = Date.now() + allFetchesMs
  const queue = wanted.filter(({ file }) => file.key === undefined)
  const take = async () => {
    for (let next = queue.shift(); next; next = queue.shift())
      received.set(next.key, await receiveOne(app, next, deadline))
  }
  const done = await Promise.allSettled(Array.from({ length: fetchedAtOnce }, take))
  const failed = done.find((each) => each.status === 'rejected')
  if (!failed) return received
  await discard([...received.values()])
  throw failed.reason
}

function filesOf(change: Change, index: number): Wanted[] {
  if (change.operation !== 'insert_files') return []
  const path = new ChangePath(index)
  return change.files.map((file, at) => ({ key: `${index}.${at}`, file, field: `files.${at}`, path }))
}

function checkFile({ file, field, path }: Wanted): void {
  checkName(file.name, `${field}.name`, path)
  const given = (['url', 'base64', 'key'] as const).filter((source) => file[source] !== undefined)
  if (given.length !== 1) throw path.invalid(field, 'source', 'needs exactly one of url, base64 and key')
  if (file.base64 === undefined) return
  if (file.contentType === undefined) throw path.invalid(`${field}.contentType`, 'required', 'is required')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(file.base64) || file.base64.length % 4 !== 0) {
    throw path.invalid(`${field}.base64`, 'base64', 'must be base64, with its padding and without line breaks')
  }
}

/** A file name becomes a part of addresses. */
export function checkName(name: string, field: string, path: ChangePath): void {
  // oxlint-disable-next-line no-control-regex
  if (/[/\\\u0000-\u001f\u007f]/.test(name) || /^\.{1,2}$/.test(name)) {
    throw path.invalid(field, 'name', 'must be a file name, without slashes')
  }
}

async function receiveOne(app: App, { file, field, path }: Wanted, deadline: number): Promise<Incoming> {
  const maxBytes = file.base64 === undefined ? app.config.limits.uploadBytes : maxBase64Bytes
  const source = file.base64 === undefined ? 'url' : 'base64'
  try {
    const { bytes, declared } = await bytesOf(app, file, deadline)
    const incoming = await receiveBlob(app.config, [bytes], { name: file.name, declared, maxBytes })
    if (!hasTooManyPixels(incoming.blob)) return incoming
    await discard([incoming])
    throw path.invalid(`${field}.${source}`, 'pixels', 'at most 50 megapixels')
  } catch (error) {
    if (error instanceof TooManyBytes) throw path.invalid(`${field}.${source}`, 'maxBytes', `at most ${maxBytes} bytes`)
    if (error instanceof FetchFailure) throw path.invalid(`${field}.url`, error.reason, error.message)
    throw error
  }
}

async function bytesOf(app: App, { url, base64, contentType }: NewFile, deadline: number) {
  if (base64 !== undefined) return { bytes: Buffer.from(base64, 'base64'), declared: contentType }
  const totalMs = deadline - Date.now()
  if (totalMs <= 0) throw new FetchFailure('timeout')
  const fetched = await app.fetcher.download(url!, { totalMs })
  return { bytes: fetched.bytes, declared: contentType ?? fetched.contentType }
}
