import type { Archive } from './archive.ts'
import { folderOf } from './kinds.ts'

/** A folder with another edition of the same documentation: another version, or another language. */
export interface Edition {
  folder: string
  reason: string
}

/**
 * The editions that a Docusaurus project keeps beside the documentation that it shows. Here, each edition is a space.
 */
export interface Editions {
  /** Returns undefined if the path belongs to no other edition. */
  of: (path: string) => Edition | undefined
  /**
   * The folder of the version that the site shows, and the folder of the documentation that it replaces, which is not
   * published.
   */
  shown?: { version: string; docs: string }
}

/** An archive may also contain samples and packages of third parties, at deeper levels. */
const mostProjects = 10
/** Longer settings files are ignored. */
const longestSettings = 200_000

const alone = 'pack it separately, and import it into its own space'
const versions = /^(?:[\w-]+_)?versioned_docs\/[^/]+\//
const languages = /^i18n\/[^/]+\//

export async function editionsIn(archive: Archive, textOf: (bytes: Buffer) => string): Promise<Editions> {
  const { paths } = archive
  const read = async (path: string) =>
    paths.includes(path) ? textOf(await archive.read(path, longestSettings).catch(() => Buffer.of())) : ''
  const project = projectIn(paths)
  const version = project && (await versionShown(project, paths, read))
  // If the archive contains nothing but versions, none of them is another edition.
  const isAll = version === undefined && !paths.some((path) => path.startsWith(project?.docs ?? ''))
  if (!project || isAll) return { of: () => undefined }
  const { top, docs } = project
  const kinds: [RegExp, string][] = [
    [versions, `is another version of the documentation: ${alone}`],
    [languages, `is the documentation in another language: ${alone}`],
  ]
  return {
    of: (path) => {
      if (version !== undefined && path.startsWith(version)) return undefined
      if (version !== undefined && path.startsWith(docs))
        return { folder: docs, reason: `is the next version, which the project does not publish: ${alone}` }
      const below = path.startsWith(top) ? path.slice(top.length) : ''
      const [edition] = kinds.flatMap(([pattern, reason]) => {
        const folder = pattern.exec(below)?.[0]
        return folder === undefined ? [] : [{ folder: top + folder, reason }]
      })
      return edition
    },
    ...(version !== undefined && { shown: { version, docs } }),
  }
}

interface Project {
  config: string
  /** The folder that the project is in. */
  top: string
  docs: string
}

/** Finds the project. It may be in a folder of a repository, beside the documentation. */
function projectIn(paths: readonly string[]): Project | undefined {
  const configs = paths.filter((path) => /^(?:.*\/)?docusaurus\.config\.[cm]?[jt]s$/.test(path))
  const nearest = configs.toSorted((a, b) => a.length - b.length).slice(0, mostProjects)
  const hasFiles = (folder: string) => paths.some((path) => path.startsWith(folder))
  for (const config of nearest) {
    const top = folderOf(config)
    const docs = [top, top.replace(/[^/]+\/$/, '')].map((folder) => `${folder}docs/`).find(hasFiles)
    if (docs !== undefined) return { config, top, docs }
    // Documentation that is not published may be missing in the archive.
    if (hasFiles(`${top}versioned_docs/`)) return { config, top, docs: `${top}docs/` }
  }
  return undefined
}

/** Returns the folder of the version that replaces the documentation, if the documentation is not published. */
async function versionShown(
  { config, top }: Project,
  paths: readonly string[],
  read: (path: string) => Promise<string>,
): Promise<string | undefined> {
  const settings = withoutComments(await read(config))
  const without = leavingOutCurrent(settings)
  if (without === undefined) return undefined
  const [, last] = /\blastVersion['"]?\s*:\s*['"`]([^'"`]+)['"`]/.exec(without) ?? []
  const listed = readList(await read(`${top}versions.json`))
  const all = `${top}versioned_docs/`
  // Many versions may be listed, and there may be many files.
  const there = new Set(
    paths.filter((path) => path.startsWith(all)).map((path) => path.slice(0, path.indexOf('/', all.length) + 1)),
  )
  return [...(last === undefined ? [] : [last]), ...listed]
    .map((name) => `${all}version-${name}/`)
    .find((folder) => there.has(folder))
}

/**
 * Returns the settings of the documentation if they exclude it from publication. The settings file is a program, which
 * is not executed: only literal values are read. An instance with an id is a different documentation.
 */
function leavingOutCurrent(settings: string): string | undefined {
  return settings
    .matchAll(/\bincludeCurrentVersion['"]?\s*:\s*false\b/g)
    .take(mostProjects)
    .map(({ index }) => objectAround(settings, index))
    .find((object) => !/\bid['"]?\s*:\s*['"`](?!default['"`])/.test(object))
}

/** Returns the text of the object around a position, without the objects nested in it. */
function objectAround(text: string, at: number): string {
  let [before, after] = ['', '']
  for (let i = at - 1, depth = 0; i >= 0; i--) {
    const sign = text.charAt(i)
    if (sign === '{' && depth === 0) break
    if (sign === '}') depth++
    else if (sign === '{') depth--
    else if (depth === 0) before = sign + before
  }
  for (let i = at, depth = 0; i < text.length; i++) {
    const sign = text.charAt(i)
    if (sign === '}' && depth === 0) break
    if (sign === '{') depth++
    else if (sign === '}') depth--
    else if (depth === 0) after += sign
  }
  return before + after
}

const quoted = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/
const tokens = new RegExp(String.raw`\\.|${quoted.source}|/\*.*?(?:\*/|$)|//[^\n]*`, 'gs')

/**
 * Removes comments. Quoted text is kept: glob patterns look like comments, and so do addresses. A comment that is not
 * closed is kept.
 */
function withoutComments(text: string): string {
  return text.replace(tokens, (token) => (token.startsWith('//') || /^\/\*.*\*\/$/s.test(token) ? ' ' : token))
}

function readList(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}
