import { OneOf, Time } from '../../../http/schemas.ts'
import Type from '../../../http/type.ts'

const results = ['look', 'other-branch', 'no-push', 'stopped'] as const

const result = OneOf(results, {
  description:
    '`look`: the branch is looked at now. `other-branch`: the push was to none that is followed. `no-push`: something else has ' +
    'happened, or it was a test. `stopped`: the space is kept in step no more until somebody sets it up again.',
})

export const GitHook = Type.Object(
  {
    url: Type.String({ description: 'The address that the host of the repository is to call.' }),
    setUpAt: Time,
    lastCall: Type.Optional(
      Type.Object(
        { at: Time, result },
        { description: 'The last one that had the secret, and what was done about it.' },
      ),
    ),
    lastRefusedAt: Type.Optional({
      ...Time,
      description: 'When it was last called without the secret, or with another.',
    }),
  },
  { $id: 'GitHook' },
)

export const CreatedGitHook = Type.Object(
  {
    ...GitHook.properties,
    secret: Type.String({ description: 'What calls are signed with: shown this once and never again.' }),
  },
  { $id: 'CreatedGitHook' },
)

export const GitHookCall = Type.Object(
  {
    result,
    message: Type.String({ description: 'The same for people, who read it where the host keeps what was answered.' }),
  },
  { $id: 'GitHookCall' },
)
