import { OneOf, Time } from '../../../http/schemas.ts'
import Type from '../../../http/type.ts'

const results = ['look', 'other-branch', 'no-push', 'stopped'] as const

const result = OneOf(results, {
  description:
    '`look`: the branch is checked now. `other-branch`: the push was to another branch. `no-push`: the call was a test, or ' +
    'about something else. `stopped`: the space is not kept in sync until somebody sets that up again.',
})

export const GitHook = Type.Object(
  {
    url: Type.String({ description: 'The URL for the Git host to call.' }),
    setUpAt: Time,
    lastCall: Type.Optional(
      Type.Object(
        { at: Time, result },
        { description: 'The last call with the right secret, and what happened then.' },
      ),
    ),
    lastRefusedAt: Type.Optional({
      ...Time,
      description: 'When it was last called with no secret or a wrong one.',
    }),
  },
  { $id: 'GitHook' },
)

export const CreatedGitHook = Type.Object(
  {
    ...GitHook.properties,
    secret: Type.String({ description: 'The secret that calls are signed with. Shown only once.' }),
  },
  { $id: 'CreatedGitHook' },
)

export const GitHookCall = Type.Object(
  {
    result,
    message: Type.String({
      description: 'The same as text, for people who look at the responses that their Git host recorded.',
    }),
  },
  { $id: 'GitHookCall' },
)
