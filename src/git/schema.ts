import { OneOf, Time } from '../http/schemas.ts'
import Type from '../http/type.ts'

export const providers = ['github', 'gitlab'] as const

const Url = (description: string) => Type.String({ format: 'http-url', maxLength: 2048, description })

/** The location of a repository, as given in every request. */
export const repository = {
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description:
      'An HTTP or HTTPS URL, which may contain a user and a password. They are stored encrypted until the run has finished.',
  }),
  ref: Type.String({ minLength: 1, maxLength: 255, description: 'A branch, such as `refs/heads/main`.' }),
  repoCacheID: Type.Optional(Type.String({ maxLength: 512, description: 'Accepted and ignored: nothing is cached.' })),
  repoTreeURL: Type.Optional(Url('The base URL for viewing files of the repository.')),
  repoCommitURL: Type.Optional(Url('The base URL for viewing commits; the id of the commit is appended.')),
  repoProjectDirectory: Type.Optional(
    Type.String({
      maxLength: 512,
      description: 'The folder of the repository that contains the project. Default: the whole repository.',
    }),
  ),
  timestamp: Type.Optional(
    Type.String({ format: 'date-time', description: 'Accepted and ignored: requests are processed in order.' }),
  ),
  gitInfo: Type.Optional(
    Type.Object({
      provider: Type.Optional(OneOf(providers)),
      url: Type.Optional(Url('The URL of the repository for people.')),
    }),
  ),
}

export const GitImport = Type.Object({
  ...repository,
  force: Type.Optional(
    Type.Boolean({ description: 'Overwrite the main content even if it has its own edits since the last sync.' }),
  ),
  standalone: Type.Optional(Type.Boolean({ description: 'Always import as a change request.' })),
})

export const GitExport = Type.Object({
  ...repository,
  commitMessage: Type.String({ minLength: 1, maxLength: 10_000 }),
  force: Type.Optional(Type.Boolean({ description: 'Overwrite commits that have not been imported.' })),
})

/** What everyone who can see the space is shown about its repository. */
const known = {
  installationStatus: OneOf(['active'] as const),
  installationProvider: Type.Optional(OneOf(providers)),
  repoName: Type.Optional(Type.String()),
  url: Type.Optional(Type.String()),
  updatedAt: Type.Optional(Time),
}

export const GitSyncOfSpace = Type.Object(known, {
  description: 'The repository that was last imported from or exported to.',
})

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
      revision: Type.Optional(
        Type.String({ description: 'The revision of the main content that matches the repository.' }),
      ),
      changeRequest: Type.Optional(Type.Object({ id: Type.String(), number: Type.Integer() })),
      commit: Type.Optional(Type.String()),
      pages: Type.Optional(Type.Integer()),
      files: Type.Optional(Type.Integer()),
      reusableContents: Type.Optional(Type.Integer()),
      changes: Type.Optional(Type.Integer({ description: 'For imports: what was created, changed or removed.' })),
      written: Type.Optional(Type.Integer({ description: 'For exports: the number of files.' })),
      removed: Type.Optional(Type.Integer()),
      problemCount: Type.Optional(Type.Integer()),
      problems: Type.Optional(
        Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
          description: 'What could not be imported completely, and why; the first 100.',
        }),
      ),
    }),
  ),
})

export const GitSync = Type.Object(
  {
    ...known,
    ref: Type.Optional(Type.String()),
    commit: Type.Optional(Type.String({ description: 'The commit that was last read or written.' })),
    operation: Type.Optional(GitOperation),
  },
  { $id: 'GitSync' },
)
