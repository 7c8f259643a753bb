import { inLfs, isLfsPointer } from '../content/texts.ts'
import { configPath, readLayoutConfig } from './config.ts'
import { isPlace, isWithin, mayBePage, Finder } from './finder.ts'
import { listFolders } from './folders.ts'
import { readContents } from './contents.ts'
import { isMarkdown, resolvePath } from './paths.ts'
import type { Book, LayoutConfig, RepositoryFiles } from './shape.ts'
import { readSummary } from './summary.ts'
import { readVariables } from './variables.ts'

export const includesFolder = (root: string) => within(root, '.gitbook/includes')
export const assetsFolder = (root: string) => within(root, '.gitbook/assets')
export const variablesPath = (root: string) => within(root, '.gitbook/vars.yaml')

const within = (root: string, path: string) => (root === '' ? path : `${root}/${path}`)

/** Reads a repository. Invalid parts are left out and reported as problems; it never throws. */
export function readBook(files: RepositoryFiles, anyTextOf: (path: string) => string | undefined): Book {
  const isPointer = (path: string) => isLfsPointer(Buffer.from(anyTextOf(path) ?? ''))
  const textOf = (path: string) => (isPointer(path) ? undefined : anyTextOf(path))
  const unread = (path: string) => (isPointer(path) ? inLfs : 'is too large to be read')
  const { config, problems } = readLayoutConfig(textOf(configPath))
  const isUnread = (path: string) => files.has(path) && textOf(path) === undefined
  const say = (path: string, message: string) => problems.push({ path, message })
  if (isUnread(configPath)) say(configPath, `${unread(configPath)}: it is treated as empty`)
  const { root, summary } = config
  const includes = [...files.keys()]
    .filter((path) => isMarkdown(path) && isWithin(path, includesFolder(root)))
    .toSorted()
  sayMissing(config, files, say)
  const documents = [...files.keys()].filter((path) => mayBePage(path, root) && path !== summary)
  const text = files.has(summary) ? textOf(summary) : undefined
  if (isUnread(summary)) say(summary, `${unread(summary)}: the folders are the table of contents instead`)
  const found = text === undefined ? undefined : readSummary(text)
  const isNone = found?.length === 0 && !isTitleAlone(text!)
  if (isNone) say(summary, 'lists no pages: the folders are the table of contents instead')
  const listed = isNone ? undefined : found
  const hasSummary = listed !== undefined
  if (!hasSummary) sayUnread([...files.keys()], root, say)
  const pages = readContents(listed ?? listFolders(documents, root), {
    config,
    finder: new Finder(files, hasSummary ? root : ''),
    isDocument: (path) => isMarkdown(path) && path !== summary && !isWithin(path, includesFolder(root)),
    hasSummary,
    problems,
  })
  const ofVariables = variablesPath(root)
  const variables = readVariables(textOf(ofVariables), ofVariables)
  problems.push(...variables.problems)
  if (isUnread(ofVariables)) say(ofVariables, `${unread(ofVariables)}: there are no variables`)
  return {
    config,
    hasSummary,
    pages,
    includes,
    variables: variables.variables,
    problems,
  }
}

/** A path that was configured, differs from the default and does not exist must be a misspelling. */
function sayMissing(
  { root, readme, summary }: LayoutConfig,
  files: RepositoryFiles,
  say: (path: string, message: string) => void,
): void {
  const isMissing = (path: string, usual: string) => path !== resolvePath(root, usual) && !files.has(path)
  const named = (path: string, name: string) => `names ${path} as structure.${name}, which is not in the repository`
  if (isMissing(summary, 'SUMMARY.md'))
    say(configPath, `${named(summary, 'summary')}: the folders are the table of contents instead`)
  if (isMissing(readme, 'README.md')) say(configPath, named(readme, 'readme'))
}

/** Reports text files in other formats, because people who rely on them should know that they are left out. */
function sayUnread(paths: readonly string[], root: string, say: (path: string, message: string) => void): void {
  const isText = (path: string) => /\.(mdx|rst|adoc|asciidoc|org|textile|ipynb)$/i.test(path)
  const [first, ...others] = paths.filter((path) => isText(path) && isPlace(path, root)).toSorted()
  if (first === undefined) return
  const all = others.length === 0 ? 'is' : `and ${others.length} other file${others.length === 1 ? '' : 's'} are`
  const [pages, them] = others.length === 0 ? ['it is not a page', 'it'] : ['they are not pages', 'them']
  const instead = first.toLowerCase().endsWith('.mdx') ? 'Import a zip of MDX, or' : `Convert ${them}, or import`
  say(first, `${all} not Markdown, so ${pages} here. ${instead} the website that is built from ${them}`)
}

/**
 * An export of a space without pages writes a title alone. Any other table of contents without pages was meant to list
 * some.
 */
const isTitleAlone = (summary: string) => /^#[^\n]*$/.test(summary.trim())
