import { OneOf } from '../http/schemas.ts'
import Type from '../http/type.ts'

export const PdfQuery = Type.Object({
  page: Type.Optional(Type.String({ description: 'The id of a page: the PDF contains it and all pages below it.' })),
  only: Type.Optional(Type.Boolean({ description: 'The PDF contains only the given page.' })),
})

export const PdfLink = Type.Object({
  url: Type.String({
    description:
      'The URL of the file, which is created when it is first fetched. Needs no token; valid for one to two hours. With ' +
      '`Prefer: respond-async` it answers 202 with `status` and `progress` while the file is being created.',
  }),
  status: OneOf(['absent', 'reading', 'waiting', 'typesetting', 'ready'] as const, {
    description: '`absent`: nobody has fetched it yet. `waiting`: other files come first.',
  }),
  progress: Type.Optional(
    Type.Object({
      pages: Type.Integer({ description: 'The number of pages read so far.' }),
      totalPages: Type.Optional(Type.Integer()),
    }),
  ),
})
