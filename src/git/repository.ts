import type { Problem, RepositoryFiles } from './layout/shape.ts'
import type { DecodedText } from './content/texts.ts'

/** A commit, as much of it as is told. */
export interface Commit {
  oid: string
  message: string
}

/** A repository that can be read: one that was fetched, or a folder. */
export interface OpenRepository {
  files: RepositoryFiles
  /** What there is and cannot be read. */
  problems: readonly Problem[]
  /** Undefined for a folder. */
  commit: Commit | undefined
  /** Of Markdown and YAML. */
  textOf(path: string): DecodedText | undefined
  bytesOf(path: string): Promise<Buffer>
}

/** Work with a repository that cannot be done, and why: a sentence for whoever asked for it. */
export class GitFailure extends Error {
  readonly state: 'failure' | 'timeout'

  constructor(message: string, state: 'failure' | 'timeout' = 'failure') {
    super(message)
    this.state = state
  }
}

/** What a repository may bring along. */
export const repositoryLimits = {
  /** All there are, content or not. */
  files: 100_000,
  listBytes: 24 * 1024 ** 2,
  pages: 10_000,
  /** Of one text, and of all: larger ones are files. */
  textBytes: 2 * 1024 ** 2,
  allTextBytes: 64 * 1024 ** 2,
  /** Of what is not content and is kept for the way back, in number and bytes. */
  keptFiles: 2_000,
  keptBytes: 32 * 1024 ** 2,
}

/** Files that are read as text: pages and settings. */
export const isText = (path: string) => /\.(md|markdown|yaml|yml)$/i.test(path)
