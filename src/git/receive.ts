import { createHash } from 'node:crypto'
import type { Config } from '../config.ts'
import { type Incoming, discard, receiveBlob } from '../files/blobs.ts'
import { hasTooManyPixels } from '../files/inspect.ts'
import { type FileData, asData, fileData } from '../pages/entry-data.ts'
import type { Entry } from '../revisions/entries.ts'
import { inLfs, isLfsPointer } from './content/texts.ts'
import { nameOf } from './layout/paths.ts'
import type { Problem } from './layout/shape.ts'
import type { ImportPlan } from './plan-import.ts'
import type { KeptFile } from './queries.ts'
import { type OpenRepository, repositoryLimits } from './repository.ts'

/** Bytes that an import brings along. */
export interface ReceivedBytes {
  /** Entries of the files of the content, complete. */
  files: Entry[]
  kept: KeptFile[]
  /** Files that are too large, or too many, to be kept: only their paths are. */
  unkept: string[]
  incoming: Incoming[]
  problems: Problem[]
}

/** Receives what is new. `known` are the files that are kept already. */
export async function receiveBytes(
  config: Config,
  repository: OpenRepository,
  plan: ImportPlan,
  known: readonly KeptFile[],
): Promise<ReceivedBytes> {
  const received: ReceivedBytes = { files: [], kept: [], unkept: [], incoming: [], problems: [] }
  try {
    const left = await receiveFiles(config, repository, plan, received)
    await receiveOthers(config, repository, { plan, left, known }, received)
    return received
  } catch (error) {
    await discard(received.incoming)
    throw error
  }
}

/** Returns the paths of those that cannot be files of the content. */
async function receiveFiles(
  config: Config,
  repository: OpenRepository,
  { toFetch, problems }: ImportPlan,
  received: ReceivedBytes,
): Promise<string[]> {
  const maxBytes = config.limits.uploadBytes
  const left: string[] = []
  for (const { entry, path } of toFetch) {
    const refuse = (message: string) => {
      // If the file was meant to be a page, the problem has been reported already.
      if (!problems.some((each) => each.path === path && each.message === message))
        received.problems.push({ path, message })
      left.push(path)
    }
    if (repository.files.get(path)!.size > maxBytes) {
      refuse(`is too large for a file: at most ${maxBytes} bytes`)
      continue
    }
    const bytes = await repository.bytesOf(path)
    if (isLfsPointer(bytes)) {
      refuse(inLfs)
      continue
    }
    const incoming = await receiveBlob(config, [bytes], { name: nameOf(path), maxBytes })
    received.incoming.push(incoming)
    if (hasTooManyPixels(incoming.blob)) refuse('is a picture of more than 50 megapixels')
    else received.files.push(withBlob(entry, incoming))
  }
  return left
}

function withBlob(entry: Entry, { blob: { hash: blob, ...known } }: Incoming): Entry {
  const { name, git } = fileData(entry)
  const data: FileData = { name, ...known, blob, ...(git && { git }) }
  return { ...entry, data: asData(data) }
}

interface Others {
  plan: ImportPlan
  left: readonly string[]
  known: readonly KeptFile[]
}

/** Keeps files that are not content for the next export, up to a limit. */
async function receiveOthers(
  config: Config,
  repository: OpenRepository,
  { plan, left, known }: Others,
  received: ReceivedBytes,
): Promise<void> {
  const before = new Map(known.map((each) => [`${each.path} ${each.oid}`, each]))
  const damaged = new Set(plan.damaged)
  const { keptBytes, keptFiles } = repositoryLimits
  let bytes = 0
  for (const path of [...plan.damaged, ...[...plan.others, ...left].toSorted(importantFirst)]) {
    const { oid, size, isExecutable = false } = repository.files.get(path)!
    // A file that is too large does not exclude the others.
    if (bytes + size > keptBytes || received.kept.length === keptFiles) {
      received.unkept.push(path)
      continue
    }
    bytes += size
    const same = before.get(`${path} ${oid}`)
    const blob = same?.blob ?? (await receiveOther(config, repository, path, received))
    received.kept.push({ path, oid, blob, executable: isExecutable, of_content: damaged.has(path) })
  }
  const [first, ...others] = received.unkept
  if (first !== undefined) received.problems.push({ path: first, message: notKeptHere(others.length) })
}

const notKeptHere = (others: number) =>
  others === 0
    ? 'is a file of the repository that is not kept here: there is too much'
    : `and ${others} other file${others === 1 ? '' : 's'} of the repository are not kept here: there is too much`

/** Files that define the layout have to come back. Among the others, those near the top matter most. */
function importantFirst(a: string, b: string): number {
  const weight = (path: string) =>
    /(^|\/)(SUMMARY\.md|\.gitbook\.yaml|vars\.yaml)$/.test(path) ? 0 : path.split('/').length
  return weight(a) - weight(b) || (a < b ? -1 : 1)
}

async function receiveOther(config: Config, repository: OpenRepository, path: string, { incoming }: ReceivedBytes) {
  const bytes = await repository.bytesOf(path)
  const known = incoming.find(({ blob }) => blob.size === bytes.length && blob.hash === hashOf(bytes))
  if (known) return known.blob.hash
  const received = await receiveBlob(config, [bytes], { name: nameOf(path), maxBytes: repositoryLimits.keptBytes })
  incoming.push(received)
  return received.blob.hash
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
