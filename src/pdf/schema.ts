import Type from 'typebox'

export const PdfQuery = Type.Object({
  page: Type.Optional(Type.String({ description: 'The id of a page: the PDF holds it and all pages below it.' })),
  only: Type.Optional(Type.Boolean({ description: 'The PDF holds the given page alone.' })),
})

export const PdfLink = Type.Object({
  url: Type.String({
    description: 'Where the file is. It is made when it is first fetched. Needs no token; ends after one to two hours.',
  }),
})
