import { OneOf, Time } from '../http/schemas.ts'
import Type from '../http/type.ts'

export const providers = ['github', 'gitlab'] as const

const Url = (description: string) => Type.String({ format: 'http-url', maxLength: 2048, description })

/** Where it is, as all who ask for something say it. */
export const repository = {
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description:
      'An http or https address, which may have a user and a password. They are kept, sealed, until it is done.',
  }),
  ref: Type.String({ minLength: 1, maxLength: 255, description: 'A branch, such as `refs/heads/main`.' }),
  repoCacheID: Type.Optional(Type.String({ maxLength: 512, description: 'Taken and not used: nothing is cached.' })),
  repoTreeURL: Type.Optional(Url('Where files of the repository can be looked at.')),
  repoCommitURL: Type.Optional(Url('Where its commits can be looked at; their ids go behind it.')),
  repoProjectDirectory: Type.Optional(
    Type.String({
      maxLength: 512,
      description: 'The folder of the repository that is the project. Left out: all of it.',
    }),
  ),
  timestamp: Type.Optional(
    Type.String({ format: 'date-time', description: 'Taken and not used: what is asked first is done first.' }),
  ),
  gitInfo: Type.Optional(
    Type.Object({
      provider: Type.Optional(OneOf(providers)),
      url: Type.Optional(Url('Where people find the repository.')),
    }),
  ),
}

export const GitImport = Type.Object({
  ...repository,
  force: Type.Optional(
    Type.Boolean({ description: 'Into the main content, though that has edits of its own since the last time.' }),
  ),
  standalone: Type.Optional(Type.Boolean({ description: 'As a change request, whatever the main content has.' })),
})

export const GitExport = Type.Object({
  ...repository,
  commitMessage: Type.String({ minLength: 1, maxLength: 10_000 }),
  force: Type.Optional(
    Type.Boolean({ description: 'Over what was committed there, and not imported, since the last time.' }),
  ),
})

/** What the repository of a space is, for those who see the space. */
const known = {
  installationStatus: OneOf(['active'] as const),
  installationProvider: Type.Optional(OneOf(providers)),
  repoName: Type.Optional(Type.String()),
  url: Type.Optional(Type.String()),
  updatedAt: Type.Optional(Time),
}

export const GitSyncOfSpace = Type.Object(known, { description: 'The repository it was last read from or written to.' })

/** An import or an export. */
export const GitOperation = Type.Object({
  id: Type.String(),
  direction: OneOf(['import', 'export'] as const),
  state: OneOf(['running', 'success', 'failure', 'timeout'] as const),
  phase: Type.Optional(OneOf(['waiting', 'fetching', 'reading', 'writing'] as const)),
  startedAt: Time,
  endedAt: Type.Optional(Time),
  error: Type.Optional(Type.String()),
  result: Type.Optional(
    Type.Object({
      revision: Type.Optional(Type.String({ description: 'Of the main content, which says the same now.' })),
      changeRequest: Type.Optional(Type.Object({ id: Type.String(), number: Type.Integer() })),
      commit: Type.Optional(Type.String()),
      pages: Type.Optional(Type.Integer()),
      files: Type.Optional(Type.Integer()),
      reusableContents: Type.Optional(Type.Integer()),
      changes: Type.Optional(Type.Integer({ description: 'Of an import: what was made, changed or removed.' })),
      written: Type.Optional(Type.Integer({ description: 'Of an export: files.' })),
      removed: Type.Optional(Type.Integer()),
      problemCount: Type.Optional(Type.Integer()),
      problems: Type.Optional(
        Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
          description: 'What did not come, or not quite, and why; the first hundred.',
        }),
      ),
    }),
  ),
})

export const GitSync = Type.Object(
  {
    ...known,
    ref: Type.Optional(Type.String()),
    commit: Type.Optional(Type.String({ description: 'The commit that was read or written last.' })),
    operation: Type.Optional(GitOperation),
  },
  { $id: 'GitSync' },
)
