import { OneOf } from '../http/schemas.ts'
import Type from '../http/type.ts'

export const PdfQuery = Type.Object({
  page: Type.Optional(Type.String({ description: 'The id of a page: the PDF holds it and all pages below it.' })),
  only: Type.Optional(Type.Boolean({ description: 'The PDF holds the given page alone.' })),
})

export const PdfLink = Type.Object({
  url: Type.String({
    description:
      'Where the file is. It is made when it is first fetched. Needs no token; ends after one to two hours. With ' +
      '`Prefer: respond-async` it answers 202 with `status` and `progress` for as long as the file is made.',
  }),
  status: OneOf(['absent', 'reading', 'waiting', 'typesetting', 'ready'] as const, {
    description: '`absent`: nobody has fetched it yet. `waiting`: other files are typeset first.',
  }),
  progress: Type.Optional(
    Type.Object({
      pages: Type.Integer({ description: 'Pages of the content that were read.' }),
      totalPages: Type.Optional(Type.Integer()),
    }),
  ),
})
