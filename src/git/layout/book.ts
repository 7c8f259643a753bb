import { configPath, readLayoutConfig, readSmallYaml } from './config.ts'
import { isWithin, mayBePage, Finder } from './finder.ts'
import { listFolders } from './folders.ts'
import { readContents } from './contents.ts'
import { isMarkdown } from './paths.ts'
import type { Book, Problem, RepositoryFiles } from './shape.ts'
import { readSummary } from './summary.ts'

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
  return {
    config,
    hasSummary: text !== undefined,
    pages,
    includes,
    variables: readVariables(root, textOf, problems),
    problems,
  }
}

function readVariables(root: string, textOf: (path: string) => string | undefined, problems: Problem[]) {
  const path = variablesPath(root)
  const text = textOf(path)
  const values = text === undefined ? {} : readSmallYaml(text)
  if (!values) problems.push({ path, message: 'is no YAML that can be read: there are no variables' })
  return readVariableValues(values ?? {}, path, problems)
}

function readVariableValues(
  values: Record<string, unknown>,
  path: string,
  problems: Problem[],
): Record<string, string> {
  const variables: Record<string, string> = Object.create(null) as Record<string, string>
  for (const [name, value] of Object.entries(values)) {
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    if (isPlain && /^[A-Za-z_$][\w$]{0,63}$/.test(name)) variables[name] = String(value)
    else
      problems.push({ path, message: `${name.slice(0, 80)} is no variable: it needs a plain name and a plain value` })
  }
  return variables
}
