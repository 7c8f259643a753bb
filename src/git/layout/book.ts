import { configPath, readLayoutConfig } from './config.ts'
import { isWithin, mayBePage, Finder } from './finder.ts'
import { listFolders } from './folders.ts'
import { readContents } from './contents.ts'
import { isMarkdown } from './paths.ts'
import type { Book, RepositoryFiles } from './shape.ts'
import { readSummary } from './summary.ts'
import { readVariables } from './variables.ts'

export const includesFolder = (root: string) => within(root, '.gitbook/includes')
export const assetsFolder = (root: string) => within(root, '.gitbook/assets')
export const variablesPath = (root: string) => within(root, '.gitbook/vars.yaml')

const within = (root: string, path: string) => (root === '' ? path : `${root}/${path}`)

/** Reads a repository. What makes no sense is left out and named among the problems: it never throws. */
export function readBook(files: RepositoryFiles, textOf: (path: string) => string | undefined): Book {
  const { config, problems } = readLayoutConfig(textOf(configPath))
  const { root, summary } = config
  const includes = [...files.keys()]
    .filter((path) => isMarkdown(path) && isWithin(path, includesFolder(root)))
    .toSorted()
  const documents = [...files.keys()].filter((path) => mayBePage(path, root) && path !== summary)
  const text = files.has(summary) ? textOf(summary) : undefined
  const listed = text === undefined ? listFolders(documents, root) : readSummary(text)
  const pages = readContents(listed, {
    config,
    finder: new Finder(files, text === undefined ? '' : root),
    isDocument: (path) => isMarkdown(path) && path !== summary && !isWithin(path, includesFolder(root)),
    hasSummary: text !== undefined,
    problems,
  })
  const variables = readVariables(textOf(variablesPath(root)), variablesPath(root))
  problems.push(...variables.problems)
  return {
    config,
    hasSummary: text !== undefined,
    pages,
    includes,
    variables: variables.variables,
    problems,
  }
}
