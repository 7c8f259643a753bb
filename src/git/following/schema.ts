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
      'An http or https address, which may have a user and a password. They are kept, sealed, until somebody ends it. ' +
      'Left out, those stay that were given for the same repository, branch and folder.',
  }),
  direction: Type.Optional(
    OneOf(directions, { description: 'Which changes go by themselves: of both sides, where it is left out.' }),
  ),
  commitMessage: Type.Optional(
    Type.String({ minLength: 1, maxLength: 10_000, description: 'Left out: `Update` and the title of the space.' }),
  ),
})

export const GitFollowing = Type.Object(
  {
    url: Type.String({ description: 'Without user and password: those are in no answer.' }),
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
        '`waiting`: for people, who merge a change request. `failing`: it is tried again. `stopped`: whoever set it up ' +
        'may not sync any more, and somebody has to set it up anew.',
    }),
    lastLookAt: Type.Optional(Time),
    nextLookAt: Type.Optional(Time),
    commit: Type.Optional(Type.String({ description: 'The newest one of the branch, at the last look.' })),
    changeRequest: Type.Optional(
      Type.Object(
        { id: Type.String(), number: Type.Integer() },
        {
          description:
            'It has what came and could not go into the main content. Until it is merged, nothing is written out.',
        },
      ),
    ),
    problem: Type.Optional(
      Type.Object({
        message: Type.String({ description: 'What is wrong, and what to do.' }),
        since: Time,
        times: Type.Integer({ description: 'How often it failed, one time after the other.' }),
      }),
    ),
    operation: Type.Optional(GitOperation),
  },
  { $id: 'GitFollowing' },
)
