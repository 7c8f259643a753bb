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
    description: `${whose}; null where it is not there. A text for \`body\`, else the value of the field.`,
  })

export const Conflict = Type.Object(
  {
    id: Type.String(),
    state: OneOf(['open', 'expected'] as const, {
      description: '`open`: left by an update, to be settled. `expected`: an update or a merge would meet it now.',
    }),
    kind: OneOf(kinds),
    entry: Type.Object({
      type: OneOf(['page', 'file', 'reusable-content', 'variable'] as const),
      id: Type.String(),
      title: Type.String(),
    }),
    field: Type.String({ description: '`page` where all of it is meant, `body`, `place`, or the name of a field.' }),
    base: side('What both started from'),
    ours: side('What the change request has'),
    theirs: side('What the main content has'),
  },
  { $id: 'Conflict' },
)
