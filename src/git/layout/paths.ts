/**
 * Paths of files in a repository: separated by slashes, without one at the start or the end. The top is the empty path.
 */

export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash === -1 ? '' : path.slice(0, slash)
}

export const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

export const isMarkdown = (path: string) => /\.(md|markdown)$/i.test(path)

export const isReadme = (path: string) => /^readme\.(md|markdown)$/i.test(nameOf(path))

/** Removes the extension: `guides/setup.md` becomes `guides/setup`. */
export const withoutEnding = (path: string) => path.replace(/\.(md|markdown)$/i, '')

/** Resolves a relative path against a folder. Undefined if it leads out of the repository. */
export function resolvePath(folder: string, path: string): string | undefined {
  const steps = folder === '' ? [] : folder.split('/')
  for (const step of path.split('/')) {
    if (step === '..') {
      if (steps.pop() === undefined) return undefined
    } else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps.join('/')
}

/** Returns the relative path from one file to another, as it is written in a link. */
export function relativePath(fromFile: string, to: string): string {
  const from = folderOf(fromFile) === '' ? [] : folderOf(fromFile).split('/')
  const steps = to.split('/')
  let shared = 0
  while (shared < from.length && shared < steps.length - 1 && from[shared] === steps[shared]) shared++
  return [...from.slice(shared).map(() => '..'), ...steps.slice(shared)].join('/')
}

/**
 * Encodes a path for use in an address: characters that would end the address, or have a meaning there, are
 * percent-encoded. So is a colon in the first segment, which would otherwise be read as a URL scheme, and an ampersand
 * that would be read as the start of a character reference (`&amp;`).
 */
export function encodePath(path: string): string {
  return path
    .replace(/[\s()<>#?%"'\\`|]|&(?=#?[a-z0-9]+;)/gi, (character) =>
      encodeURIComponent(character).replace(/[()']/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .replace(/^[^/]*/, (first) => first.replaceAll(':', '%3A'))
}

/**
 * The paths that an address may stand for, likeliest first: without its query, the same decoded, and exactly as
 * written.
 */
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
 * Whether a file can be written at this path on any system: the path must not lead elsewhere, nor use a name that git
 * reserves.
 */
export function isPlainPath(path: string): boolean {
  if (path === '' || Buffer.byteLength(path) > 1_000) return false
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f\\\ufffd]/.test(path) || !path.isWellFormed()) return false
  return path
    .split('/')
    .every((step) => step !== '' && step !== '.' && step !== '..' && !/^\.git$|^git~\d+$/i.test(step))
}

/**
 * Returns a name under which every system can store a file. Windows has no names with these signs, or with a dot or a
 * blank at the end, and takes some names for devices, whatever their ending.
 */
export function portableName(name: string): string {
  const allowed = name.replace(/[<>:"|?*]+/g, '-').replace(/[. ]+$/, '')
  return /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\.|$)/i.test(allowed) ? `_${allowed}` : allowed
}
