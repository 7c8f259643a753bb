/** Paths of files in a repository: with slashes between, none in front, none at the end. The top is the empty path. */

export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash === -1 ? '' : path.slice(0, slash)
}

export const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

export const isMarkdown = (path: string) => /\.(md|markdown)$/i.test(path)

export const isReadme = (path: string) => /^readme\.(md|markdown)$/i.test(nameOf(path))

/** `guides/setup.md` is `guides/setup` without its ending. */
export const withoutEnding = (path: string) => path.replace(/\.(md|markdown)$/i, '')

/** Where a relative path leads from a folder. Undefined where it leads out of the repository. */
export function resolvePath(folder: string, path: string): string | undefined {
  const steps = folder === '' ? [] : folder.split('/')
  for (const step of path.split('/')) {
    if (step === '..') {
      if (steps.pop() === undefined) return undefined
    } else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps.join('/')
}

/** How one file names another, as it stands in a link. */
export function relativePath(fromFile: string, to: string): string {
  const from = folderOf(fromFile) === '' ? [] : folderOf(fromFile).split('/')
  const steps = to.split('/')
  let shared = 0
  while (shared < from.length && shared < steps.length - 1 && from[shared] === steps[shared]) shared++
  return [...from.slice(shared).map(() => '..'), ...steps.slice(shared)].join('/')
}

/**
 * A path as it stands in an address: what would end the address, or mean something there, is spelled out. So is a colon in
 * the first name, up to which it would be taken for a kind of address.
 */
export function encodePath(path: string): string {
  return path
    .replace(/[\s()<>#?%"'\\`]/g, (character) =>
      encodeURIComponent(character).replace(/[()']/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .replace(/^[^/]*/, (first) => first.replaceAll(':', '%3A'))
}

/** The spellings that an address may have in the repository, likeliest first: as it is, and decoded. */
export function spellings(address: string): string[] {
  if (!/[?%]/.test(address)) return [address]
  const [plain = ''] = address.split('?')
  try {
    return [...new Set([plain, decodeURIComponent(plain), address])]
  } catch {
    return [plain]
  }
}

/**
 * Whether a file can be written there, on any system: nothing that leads elsewhere, and nothing that git keeps for
 * itself.
 */
export function isPlainPath(path: string): boolean {
  if (path === '' || Buffer.byteLength(path) > 1_000) return false
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f\\\ufffd]/.test(path) || !path.isWellFormed()) return false
  return path
    .split('/')
    .every((step) => step !== '' && step !== '.' && step !== '..' && !/^\.git$|^git~\d+$/i.test(step))
}
