import { shortened } from '../../shortened.ts'
import { type DecodedText, decodeText } from '../content/texts.ts'
import { isPlainPath } from '../layout/paths.ts'
import type { Problem, RepositoryFile } from '../layout/shape.ts'
import { type Commit, GitFailure, type OpenRepository, isText, repositoryLimits } from '../repository.ts'
import { ObjectReader } from './objects.ts'
import { type GitAnswer, tookTooLong } from './run.ts'
import type { Workplace } from './workplace.ts'

/** Where the commit that was fetched is kept here. */
export const fetchedRef = 'refs/lectern/fetched'

/** Fetches the newest commit of the branch. Undefined where there is no such branch. */
export async function fetchCommit(place: Workplace): Promise<Commit | undefined> {
  const { url, ref } = place.remote
  const answer = await place.goOut(['fetch', '--quiet', '--no-tags', '--depth=1', '--', url, `+${ref}:${fetchedRef}`])
  if (answer.code !== 0) {
    if (/couldn't find remote ref|no matching remote head|remote ref does not exist/i.test(answer.stderr))
      return undefined
    throw failureOf(answer)
  }
  // Not `show`: even told to show no changes it looks for them, through all of the tree.
  const said = (await place.git(['log', '-1', '--format=%H%n%B', fetchedRef])).toString()
  const end = said.indexOf('\n')
  return {
    oid: said.slice(0, end),
    message: said
      .slice(end + 1)
      .trim()
      .toWellFormed()
      .replaceAll('\0', ''),
  }
}

/** What git says about the other side, in our words. */
export function failureOf({ stderr }: GitAnswer): GitFailure {
  const ours = stderr.replaceAll(/^remote:.*$/gm, '')
  if (/out of memory|malloc failed|mmap failed|file too large/i.test(ours))
    return new GitFailure('The repository is too large.')
  if (/no space left|disk quota/i.test(ours))
    return new GitFailure('The disk of this server is full. Whoever runs it can make room.')
  if (/Authentication failed|could not read (Username|Password)|error: 40[13]|HTTP 40[13]/i.test(stderr)) {
    return new GitFailure('The repository asks for a user and a password that may do this. Give them with its address.')
  }
  if (/not found|error: 404|does not appear to be a git repository/i.test(stderr)) {
    return new GitFailure('There is no repository at this address, or it cannot be seen without signing in.')
  }
  if (/redirect|error: 30\d/i.test(stderr)) return new GitFailure('The repository has moved. Use its new address.')
  if (/certificate|SSL|TLS/i.test(stderr))
    return new GitFailure('The host of the repository has no certificate that can be trusted.')
  if (/too slow|timed out/i.test(stderr)) return tookTooLong()
  if (/mismatched algorithms/i.test(stderr))
    return new GitFailure('The repository is one of SHA-256, which is not read.')
  return new GitFailure('The repository cannot be reached, or is none.')
}

/** A commit that was fetched, as a repository to read. */
export async function openCommit(place: Workplace, commit: Commit): Promise<OpenRepository> {
  const problems: Problem[] = []
  const files = await listTree(place, commit.oid, problems)
  const objects = new ObjectReader(place)
  place.onClose(() => objects.close())
  const texts = await readTexts(objects, files)
  return {
    files,
    problems,
    commit,
    textOf: (path) => texts.get(path),
    bytesOf: async (path) => (await objects.readAll([files.get(path)!.oid]))[0]!,
  }
}

/** Of a repository with much else in it, what else is there does not count then. */
const nameFolder = 'Name the folder that the pages are in.'

/** The files of the project, by their path in it. Nothing is checked out: links and programs of others stay names. */
export async function listTree(
  place: Workplace,
  commit: string,
  problems: Problem[],
): Promise<Map<string, RepositoryFile>> {
  const { projectDirectory } = place.remote
  const tree = projectDirectory === '' ? commit : `${commit}:${projectDirectory}`
  const isThere = await place.git(['cat-file', '-t', tree]).then(
    (type) => /^(tree|commit)$/.test(type.toString().trim()),
    () => false,
  )
  if (!isThere) throw new GitFailure(`There is no folder ${projectDirectory} in the repository.`)
  const maxBytes = repositoryLimits.listBytes
  const listed = (await place.git(['ls-tree', '-r', '-z', '-l', '--full-tree', tree], { maxBytes })).toString('utf8')
  const files = new Map<string, RepositoryFile>()
  for (const line of listed.split('\0')) {
    const [, mode, type, oid, size, path] = /^(\d+) (\w+) ([0-9a-f]+)\s+(\d+|-)\t(.*)$/s.exec(line) ?? []
    if (path === undefined) continue
    if (type === 'commit') problems.push({ path, message: 'is a submodule, which is not read' })
    else if (mode === '120000') problems.push({ path, message: 'is a symbolic link, which is not followed' })
    else if (!isPlainPath(path))
      problems.push({ path: shortened(path, 200), message: 'has a name that cannot be kept' })
    else files.set(path, { oid: oid!, size: Number(size), isExecutable: mode === '100755' })
    if (files.size > repositoryLimits.files)
      throw new GitFailure(`The repository has more than ${repositoryLimits.files} files. ${nameFolder}`)
  }
  return files
}

/** What is at a path of the repository: a tree, a blob (a link is one, too), a commit of a submodule, or nothing. */
export async function typeAt(place: Workplace, commit: string, path: string): Promise<string | undefined> {
  const listed = await place.git(['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', commit, '--', path])
  return /^\d+ (\w+) /.exec(listed.toString())?.[1]
}

async function readTexts(objects: ObjectReader, files: ReadonlyMap<string, RepositoryFile>) {
  const paths = [...files].flatMap(([path, { size }]) =>
    isText(path) && size <= repositoryLimits.textBytes ? [path] : [],
  )
  const total = paths.reduce((sum, path) => sum + files.get(path)!.size, 0)
  if (total > repositoryLimits.allTextBytes) throw new GitFailure(`The repository has too much text. ${nameFolder}`)
  const blobs = await objects.readAll(paths.map((path) => files.get(path)!.oid))
  return new Map<string, DecodedText>(paths.map((path, index) => [path, decodeText(blobs[index]!)]))
}
