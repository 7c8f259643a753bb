import { shortened } from '../../shortened.ts'
import { type DecodedText, decodeText } from '../content/texts.ts'
import { isPlainPath } from '../layout/paths.ts'
import type { Problem, RepositoryFile } from '../layout/shape.ts'
import { type Commit, GitFailure, type OpenRepository, isText, repositoryLimits } from '../repository.ts'
import { ObjectReader } from './objects.ts'
import { type GitCall, incomplete, runGit } from './run.ts'
import type { Workplace } from './workplace.ts'

/** Opens a fetched commit as a repository to read. */
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

/** The size of a file whose bytes were not fetched: larger than any limit. */
export const notThere = Number.POSITIVE_INFINITY

/** Runs git on what was fetched. If it fails, the server may have left out something that belongs to it. */
export async function readHere(place: Workplace, args: readonly string[], more?: Partial<GitCall>): Promise<Buffer> {
  const { code, stdout } = await runGit(args, place.call(more))
  if (code !== 0) throw incomplete()
  return stdout
}

/** If the repository contains much else, that does not count once the folder is given. */
const nameFolder = 'Specify the folder that contains the pages.'

/**
 * Lists the files of the project by their path in it. Nothing is checked out, so links and programs of others remain
 * mere names.
 */
export async function listTree(
  place: Workplace,
  commit: string,
  problems: Problem[],
): Promise<Map<string, RepositoryFile>> {
  const { projectDirectory } = place.remote
  const isThere = projectDirectory === '' || (await typeAt(place, commit, projectDirectory)) === 'tree'
  if (!isThere) throw new GitFailure(`There is no folder ${projectDirectory} in the repository.`)
  const tree = projectDirectory === '' ? commit : `${commit}:${projectDirectory}`
  const maxBytes = repositoryLimits.listBytes
  const args = ['ls-tree', '-r', '-z', '-l', '--full-tree', tree]
  const listed = (await readHere(place, args, { maxBytes })).toString('utf8')
  const files = new Map<string, RepositoryFile>()
  for (const line of listed.split('\0')) {
    const [, mode, type, oid, size, path] = /^(\d+) (\w+) ([0-9a-f]+)\s+(\d+|-|BAD)\t(.*)$/s.exec(line) ?? []
    if (path === undefined) continue
    if (type === 'commit') problems.push({ path, message: 'is a submodule, which is not read' })
    else if (mode === '120000') problems.push({ path, message: 'is a symbolic link, which is not followed' })
    else if (!isPlainPath(path))
      problems.push({ path: shortened(path, 200), message: 'has a name that cannot be stored' })
    else files.set(path, { oid: oid!, size: size === 'BAD' ? notThere : Number(size), isExecutable: mode === '100755' })
    if (files.size > repositoryLimits.files)
      throw new GitFailure(`The repository has more than ${repositoryLimits.files} files. ${nameFolder}`)
  }
  return files
}

/**
 * Returns the type of the object at a path: a tree, a blob (also for a link), a commit for a submodule, or undefined.
 */
export async function typeAt(place: Workplace, commit: string, path: string): Promise<string | undefined> {
  const listed = await readHere(place, ['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', commit, '--', path])
  return /^\d+ (\w+) /.exec(listed.toString())?.[1]
}

async function readTexts(objects: ObjectReader, files: ReadonlyMap<string, RepositoryFile>) {
  if ([...files].some(([path, { size }]) => isText(path) && size === notThere)) throw incomplete()
  const paths = [...files].flatMap(([path, { size }]) =>
    isText(path) && size <= repositoryLimits.textBytes ? [path] : [],
  )
  const total = paths.reduce((sum, path) => sum + files.get(path)!.size, 0)
  if (total > repositoryLimits.allTextBytes)
    throw new GitFailure(`The repository contains too much text. ${nameFolder}`)
  const blobs = await objects.readAll(paths.map((path) => files.get(path)!.oid))
  return new Map<string, DecodedText>(paths.map((path, index) => [path, decodeText(blobs[index]!)]))
}
