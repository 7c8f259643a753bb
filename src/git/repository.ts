import type { Problem, RepositoryFiles } from './layout/shape.ts'
import type { DecodedText } from './content/texts.ts'

/** A commit, with what is shown about it. */
export interface Commit {
  oid: string
  message: string
}

/** A repository that can be read: one that was fetched, or a folder. */
export interface OpenRepository {
  files: RepositoryFiles
  /** What exists but cannot be read. */
  problems: readonly Problem[]
  /** Undefined for a folder. */
  commit: Commit | undefined
  /** For Markdown and YAML. */
  textOf(path: string): DecodedText | undefined
  bytesOf(path: string): Promise<Buffer>
}

/**
 * An operation with a repository that cannot be performed. The message is a sentence for the person who requested it.
 */
export class GitFailure extends Error {
  readonly state: 'failure' | 'timeout'

  constructor(message: string, state: 'failure' | 'timeout' = 'failure') {
    super(message)
    this.state = state
  }
}

/** Limits for what a repository may contain. */
export const repositoryLimits = {
  /** All files, content or not. */
  files: 100_000,
  listBytes: 24 * 1024 ** 2,
  pages: 10_000,
  /** For one text, and for all together. Larger texts are treated as files. */
  textBytes: 2 * 1024 ** 2,
  allTextBytes: 64 * 1024 ** 2,
  /** The number and the bytes of files that are not content and are kept for the next export. */
  keptFiles: 2_000,
  keptBytes: 32 * 1024 ** 2,
}

/** Files that are read as text: pages and settings. */
export const isText = (path: string) => /\.(md|markdown|yaml|yml)$/i.test(path)
