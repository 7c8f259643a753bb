import { lstat, mkdir, open, readdir, readFile, rm, rmdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { reasonOf } from '../explained.ts'
import { type DecodedText, decodeText, oidOf } from './content/texts.ts'
import { folderOf, isPlainPath } from './layout/paths.ts'
import type { Problem, RepositoryFile } from './layout/shape.ts'
import { GitFailure, type OpenRepository, isText, repositoryLimits } from './repository.ts'

/** Reads a folder of this machine as a repository. Git's own files and links are left out. */
export async function openFolder(folder: string): Promise<OpenRepository> {
  const top = resolve(folder)
  const files = new Map<string, RepositoryFile>()
  const texts = new Map<string, DecodedText>()
  const problems: Problem[] = []
  let textBytes = 0
  for (const path of await listFiles(top, '', problems)) {
    const bytes = await readFile(join(top, path)).catch((error: unknown) => {
      throw new GitFailure(`The file ${join(top, path)} cannot be read: ${reasonOf(error)}.`)
    })
    const { mode } = await lstat(join(top, path))
    files.set(path, { oid: oidOf(bytes), size: bytes.length, isExecutable: (mode & 0o100) !== 0 })
    if (!isText(path) || bytes.length > repositoryLimits.textBytes) continue
    texts.set(path, decodeText(bytes))
    textBytes += bytes.length
    if (textBytes > repositoryLimits.allTextBytes) throw new GitFailure('The folder contains too much text.')
  }
  return {
    files,
    problems,
    commit: undefined,
    textOf: (path) => texts.get(path),
    bytesOf: (path) => readFile(join(top, path)),
  }
}

async function listFiles(top: string, below: string, problems: Problem[]): Promise<string[]> {
  const found = await readdir(join(top, below), { withFileTypes: true }).catch((error: unknown) => {
    throw new GitFailure(`The folder ${join(top, below)} cannot be read: ${reasonOf(error)}.`)
  })
  const paths: string[] = []
  for (const each of found.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === '' ? each.name : `${below}/${each.name}`
    if (each.name === '.git') continue
    if (!isPlainPath(path)) problems.push({ path, message: 'has a name that cannot be stored' })
    else if (each.isDirectory()) paths.push(...(await listFiles(top, path, problems)))
    else if (each.isFile()) paths.push(path)
    else problems.push({ path, message: 'is a link or a device, which is not followed' })
    if (paths.length > repositoryLimits.files)
      throw new GitFailure(`The folder has more than ${repositoryLimits.files} files.`)
  }
  return paths
}

/** A file to be written. */
export interface FileForFolder {
  path: string
  oid: string
  isExecutable: boolean
  bytes: () => Promise<Buffer>
}

/** Returns the git object ids of the files that a folder has at these paths. */
export async function oidsIn(folder: string, files: readonly FileForFolder[]): Promise<Map<string, string>> {
  const top = resolve(folder)
  const found = new Map<string, string>()
  for (const { path } of files) {
    await refuseLinks(top, path)
    const oid = await oidAt(join(top, path))
    if (oid !== undefined) found.set(path, oid)
  }
  return found
}

/**
 * Writes files into a folder. Existing files that are already right are not touched. Files that were written or read
 * here before and no longer exist in the space are removed, unless somebody changed them. Everything else in the folder
 * stays.
 */
export async function writeFolder(
  folder: string,
  files: readonly FileForFolder[],
  gone: readonly { path: string; oid: string }[],
): Promise<{ written: number; removed: number }> {
  const top = resolve(folder)
  try {
    await mkdir(top, { recursive: true })
    let written = 0
    for (const file of files) if (await writeOne(top, file)) written += 1
    let removed = 0
    for (const { path, oid } of gone) if (await removeOne(top, path, oid)) removed += 1
    return { written, removed }
  } catch (error) {
    // For example a full disk, or a folder of another user. When the export is repeated, files that were already
    // written stay as they are.
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new GitFailure(`The folder ${top} cannot be written: ${reasonOf(error)}.`)
  }
}

async function writeOne(top: string, { path, oid, isExecutable, bytes }: FileForFolder): Promise<boolean> {
  const place = join(top, path)
  await refuseLinks(top, path)
  if ((await oidAt(place)) === oid) return false
  await mkdir(dirname(place), { recursive: true })
  const before = await lstat(place).catch(() => undefined)
  const wasExecutable = before?.isFile() === true && (before.mode & 0o100) !== 0
  // Creates a new file, so that a link at this path is replaced instead of followed.
  await rm(place, { force: true })
  const file = await open(place, 'wx', isExecutable || wasExecutable ? 0o755 : 0o644)
  try {
    await file.writeFile(await bytes())
  } finally {
    await file.close()
  }
  return true
}

async function removeOne(top: string, path: string, oid: string): Promise<boolean> {
  await refuseLinks(top, path)
  if ((await oidAt(join(top, path))) !== oid) return false
  await rm(join(top, path), { force: true })
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) {
    // `rmdir` removes only folders that are empty now.
    const isGone = await rmdir(join(top, folder)).then(
      () => true,
      () => false,
    )
    if (!isGone) break
  }
  return true
}

/** Refuses to write through a folder that is a link to somewhere else. */
async function refuseLinks(top: string, path: string): Promise<void> {
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) {
    const found = await lstat(join(top, folder)).catch(() => undefined)
    if (found && !found.isDirectory()) throw new GitFailure(`${join(top, folder)} is in the way: it is not a folder.`)
  }
}

async function oidAt(place: string): Promise<string | undefined> {
  const found = await lstat(place).catch(() => undefined)
  if (found?.isDirectory()) throw new GitFailure(`${place} is in the way: it is a folder.`)
  return found?.isFile() ? oidOf(await readFile(place)) : undefined
}
