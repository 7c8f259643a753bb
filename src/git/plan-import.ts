import type { Db } from '../db/connect.ts'
import { listBodies } from '../revisions/bodies.ts'
import type { Entry } from '../revisions/entries.ts'
import { type Line, findMainLine } from '../revisions/lines.ts'
import { bindOthers } from './content/bind-others.ts'
import { type FileToFetch, type MadeContent, makeContent } from './content/make.ts'
import { readRepository } from './content/read.ts'
import { configPath } from './layout/config.ts'
import { isWithin } from './layout/finder.ts'
import type { BookPage, LayoutConfig, Problem } from './layout/shape.ts'
import { type GitSync, type SpaceToSync, findGitSync, findSpaceToSync, listContent } from './queries.ts'
import { GitFailure, type OpenRepository, repositoryLimits } from './repository.ts'
import { type KnownStates, readStates } from './state.ts'

/** A space whose repository is read or written. */
export interface SyncedSpace {
  organizationId: string
  spaceId: string
  /** The address of this installation. */
  url: string
}

/**
 * The planned import of a repository, computed from what can be read. It is written if none of that has changed in the
 * meantime.
 */
export interface ImportPlan extends SpaceToSync, KnownStates {
  sync: GitSync | undefined
  main: Line
  /** The current main content. */
  head: readonly Entry[]
  /** The content of the repository. Files do not have their bytes yet. */
  entries: Entry[]
  toFetch: FileToFetch[]
  bodies: MadeContent['bodies']
  redirects: MadeContent['redirects']
  /** Files of the repository that are not content. */
  others: string[]
  /** Texts that are not entirely valid, and were read as well as possible. */
  damaged: string[]
  problems: Problem[]
}

export async function planImport(db: Db, space: SyncedSpace, repository: OpenRepository): Promise<ImportPlan> {
  const { organizationId, spaceId } = space
  const [found, sync] = await Promise.all([
    findSpaceToSync(db, organizationId, spaceId),
    findGitSync(db, organizationId, spaceId),
  ])
  if (!found) throw new GitFailure('The space no longer exists.')
  const main = await findMainLine(db, organizationId, spaceId)
  const head = await listContent(db, main.head)
  const states = await readStates(db, sync)

  const read = await readRepository(repository, {
    entries: states.seen?.entries ?? head,
    bodiesOf: async (docs) =>
      new Map((await listBodies(db, organizationId, [...docs])).map(({ hash, markdown }) => [hash, markdown])),
  })
  refuseWithoutRoot(read.book.config, repository)
  refuseTooMany(read.book.pages)
  const made = await makeContent(read, spaceId, new Date().toISOString())
  await bindOthers(db, space, made, read)
  const isContent = contentPaths(made)
  const texts = [...read.documents.keys(), ...read.includes.keys()]
  const damaged = texts.filter((path) => repository.textOf(path)?.isDamaged)
  return {
    ...found,
    ...states,
    sync,
    main,
    head,
    entries: made.entries,
    toFetch: made.toFetch,
    bodies: made.bodies,
    redirects: made.redirects,
    others: [...repository.files.keys()].filter((path) => !isContent.has(path)).toSorted(),
    damaged,
    problems: [
      ...repository.problems.map((each) => withWayOut(each, read.book.config)),
      ...read.book.problems,
      ...damaged.map(notAllText),
    ],
  }
}

const notAllText = (path: string): Problem => ({
  path,
  message: 'is not all UTF-8 text: what cannot be read is shown as \uFFFD. Save it as UTF-8',
})

/** Adds what to do if the unreadable file is one that defines the layout, since that matters more than other files. */
function withWayOut({ path, message }: Problem, { summary }: LayoutConfig): Problem {
  if (path === summary) {
    const instead = 'the folders are the table of contents instead'
    const wayOut = `Put the file itself there, or set it as structure.summary in ${configPath}`
    return { path, message: `${message}: ${instead}. ${wayOut}` }
  }
  if (path === configPath) return { path, message: `${message}: it is treated as empty. Put the file itself there` }
  return { path, message }
}

/** A missing root would be read as an empty book, which would empty the space. */
function refuseWithoutRoot({ root }: LayoutConfig, { files }: OpenRepository): void {
  if ([...files.keys()].some((path) => isWithin(path, root)) || files.size === 0) return
  throw new GitFailure(`There is no folder ${root} in the repository, but ${configPath} names it as the root.`)
}

function refuseTooMany(pages: readonly BookPage[]): void {
  const count = (of: readonly BookPage[]): number => of.reduce((sum, each) => sum + 1 + count(each.pages), 0)
  if (count(pages) > repositoryLimits.pages) {
    throw new GitFailure(`The repository has more than ${repositoryLimits.pages} pages.`)
  }
}

function contentPaths({ entries, toFetch }: MadeContent): Set<unknown> {
  const all = [...entries, ...toFetch.map(({ entry }) => entry)]
  return new Set(all.map(({ data }) => (data?.['git'] as { path: string } | undefined)?.path))
}
