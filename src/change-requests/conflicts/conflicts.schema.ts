import type { ConflictKind } from '../../content/merge/conflicts.ts'
import { OneOf } from '../../http/schemas.ts'
import Type from '../../http/type.ts'

const kinds = [
  'field',
  'body',
  'place',
  'cycle',
  'deleted-here',
  'deleted-there',
  'parent-deleted-here',
  'parent-deleted-there',
] as const satisfies ConflictKind[]

const side = (whose: string) =>
  Type.Unknown({
    description: `${whose}; null if it does not exist there. Text for \`body\`, otherwise the value of the field.`,
  })

export const Conflict = Type.Object(
  {
    id: Type.String(),
    state: OneOf(['open', 'expected'] as const, {
      description:
        '`open`: left by an update and still to be resolved. `expected`: would occur if the change request were updated or merged now.',
    }),
    kind: OneOf(kinds),
    entry: Type.Object({
      type: OneOf(['page', 'file', 'reusable-content', 'variable'] as const),
      id: Type.String(),
      title: Type.String(),
    }),
    field: Type.String({ description: '`page` for the page as a whole, `body`, `place`, or the name of a field.' }),
    base: side('The common ancestor'),
    ours: side('The change request'),
    theirs: side('The main content'),
  },
  { $id: 'Conflict' },
)
