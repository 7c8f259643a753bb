/** Detects what files are by their names. */

export type FileKind = 'markdown' | 'html' | 'docx' | 'zip'

/** Returns the kind of a file. A docx document is a zip archive as well, so the name decides. */
export function kindOf({ name, bytes }: { name: string; bytes: Uint8Array }): FileKind | undefined {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase()
  const isPacked = bytes[0] === 0x50 && bytes[1] === 0x4b
  if (ending === 'docx') return 'docx'
  if (ending === 'zip' || (isPacked && ending === undefined)) return 'zip'
  if (ending === 'html' || ending === 'htm' || ending === 'xhtml') return 'html'
  return ending === 'md' || ending === 'markdown' || ending === 'mdx' || ending === 'txt' ? 'markdown' : undefined
}

/** Returns how a file of an archive is read, or undefined if it is not a page. */
export function pageKind(path: string): Exclude<FileKind, 'zip'> | undefined {
  if (/\.(md|markdown|mdx)$/i.test(path)) return 'markdown'
  if (/\.(html?|xhtml)$/i.test(path)) return 'html'
  return /\.docx$/i.test(path) ? 'docx' : undefined
}

/** Texts that a user may expect to be pages, but that cannot be read here. */
export const isForeign = (path: string) =>
  /\.(rst|adoc|asciidoc|org|textile|mediawiki|ipynb|doc|odt|rtf)$/i.test(path) && !/(^|\/)\./.test(path)

/** Files of GitBook: content that pages include, and variables that expressions refer to. */
export const isInclude = (path: string) => /(^|\/)\.gitbook\/includes\/.+\.(md|markdown)$/i.test(path)
export const isVariables = (path: string) => /(^|\/)\.gitbook\/vars\.yaml$/.test(path)

/** The table of contents of a book, or of a wiki. */
export const isSummary = (path: string) => /(^|\/)(SUMMARY|_[Ss]idebar)\.md$/.test(path)

/** The first page of an export, at the top of the archive. */
export const isIndex = (path: string) => /^([^/]+\/)?index\.html?$/i.test(path)

/** Sorts paths. A folder has the place of its own page. */
export function byPath(a: string, b: string): number {
  const plain = (path: string) =>
    path.replace(/(README|_?index)\.(mdx?|markdown|html?)$/i, '').replace(/\.(md|markdown|mdx|html?|docx)$/i, '')
  return plain(a).localeCompare(plain(b), 'en', { numeric: true })
}

export const nameOf = (path: string) => path.split('/').at(-1) ?? path

/** Returns the folder of a path, with a slash at its end. Empty at the top level. */
export const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)
