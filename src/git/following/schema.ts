import { OneOf, Time } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { User } from '../../users/schema.ts'
import { GitOperation, providers, repository } from '../schema.ts'

const directions = ['both', 'import', 'export'] as const

export const NewGitFollowing = Type.Object({
  ...repository,
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description:
      'An HTTP or HTTPS URL, which may contain a user and a password. They are stored encrypted until syncing is turned off. ' +
      'If omitted, those given before for the same repository, branch and folder are kept.',
  }),
  direction: Type.Optional(
    OneOf(directions, { description: 'The direction in which changes are synced. Default: both.' }),
  ),
  commitMessage: Type.Optional(
    Type.String({ minLength: 1, maxLength: 10_000, description: 'Default: `Update` and the title of the space.' }),
  ),
})

export const GitFollowing = Type.Object(
  {
    url: Type.String({ description: 'Without user and password, which are never returned.' }),
    hasCredentials: Type.Boolean(),
    ref: Type.String(),
    repoProjectDirectory: Type.Optional(Type.String()),
    repoTreeURL: Type.Optional(Type.String()),
    repoCommitURL: Type.Optional(Type.String()),
    gitInfo: Type.Optional(Type.Object({ provider: OneOf(providers) })),
    direction: OneOf(directions),
    commitMessage: Type.Optional(Type.String()),
    setUpAt: Time,
    setUpBy: Type.Optional(User),
    state: OneOf(['following', 'waiting', 'failing', 'stopped'] as const, {
      description:
        '`waiting`: for somebody to merge a change request. `failing`: it will be tried again. `stopped`: the person who ' +
        'set it up is no longer allowed to sync, so somebody has to set it up again.',
    }),
    lastLookAt: Type.Optional(Time),
    nextLookAt: Type.Optional(Time),
    commit: Type.Optional(Type.String({ description: 'The latest commit of the branch at the last check.' })),
    changeRequest: Type.Optional(
      Type.Object(
        { id: Type.String(), number: Type.Integer() },
        {
          description:
            'Contains imported changes that could not go into the main content. Until it is merged, nothing is exported.',
        },
      ),
    ),
    problem: Type.Optional(
      Type.Object({
        message: Type.String({ description: 'What went wrong, and what to do.' }),
        since: Time,
        times: Type.Integer({ description: 'The number of consecutive failures.' }),
      }),
    ),
    operation: Type.Optional(GitOperation),
  },
  { $id: 'GitFollowing' },
)
