/** What files are, as their names tell. */

export type FileKind = 'markdown' | 'html' | 'docx' | 'zip'

/** What a file is: a document of a word processor is an archive, too, so its name decides. */
export function kindOf({ name, bytes }: { name: string; bytes: Uint8Array }): FileKind | undefined {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase()
  const isPacked = bytes[0] === 0x50 && bytes[1] === 0x4b
  if (ending === 'docx') return 'docx'
  if (ending === 'zip' || (isPacked && ending === undefined)) return 'zip'
  if (ending === 'html' || ending === 'htm' || ending === 'xhtml') return 'html'
  return ending === 'md' || ending === 'markdown' || ending === 'mdx' || ending === 'txt' ? 'markdown' : undefined
}

/** What a file of an archive is read as; undefined where it is no page. */
export function pageKind(path: string): Exclude<FileKind, 'zip'> | undefined {
  if (/\.(md|markdown|mdx)$/i.test(path)) return 'markdown'
  if (/\.(html?|xhtml)$/i.test(path)) return 'html'
  return /\.docx$/i.test(path) ? 'docx' : undefined
}

/** Texts that somebody may take for pages, and that nobody here can read. */
export const isForeign = (path: string) =>
  /\.(rst|adoc|asciidoc|org|textile|mediawiki|ipynb|doc|odt|rtf)$/i.test(path) && !/(^|\/)\./.test(path)

/** As GitBook keeps them: what pages include, and what expressions name. */
export const isInclude = (path: string) => /(^|\/)\.gitbook\/includes\/.+\.(md|markdown)$/i.test(path)
export const isVariables = (path: string) => /(^|\/)\.gitbook\/vars\.yaml$/.test(path)

/** Of a book, or of a wiki. */
export const isSummary = (path: string) => /(^|\/)(SUMMARY|_[Ss]idebar)\.md$/.test(path)

/** The first page of an export, at its top. */
export const isIndex = (path: string) => /^([^/]+\/)?index\.html?$/i.test(path)

/** Folders stand where their own page stands. */
export function byPath(a: string, b: string): number {
  const plain = (path: string) =>
    path.replace(/(README|_?index)\.(mdx?|markdown|html?)$/i, '').replace(/\.(md|markdown|mdx|html?|docx)$/i, '')
  return plain(a).localeCompare(plain(b), 'en', { numeric: true })
}

export const nameOf = (path: string) => path.split('/').at(-1) ?? path

/** With a slash at its end; nothing at the top. */
export const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)
