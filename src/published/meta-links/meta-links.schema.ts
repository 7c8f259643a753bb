import Type from '../../http/type.ts'

/** Both are references to content, as they stand in documents. */
export const PageMetaLinks = Type.Object(
  {
    canonical: Type.Optional(
      Type.Object(
        { kind: Type.Literal('url'), url: Type.String() },
        { description: 'Where it is published: on the most open of the sites that show it.' },
      ),
    ),
    alternates: Type.Optional(
      Type.Array(Type.Object({ kind: Type.Literal('page'), page: Type.String(), space: Type.String() }), {
        description:
          'The same page in other languages, itself included: that of a space is its language. Where each is published, its own meta links tell.',
      }),
    ),
  },
  { $id: 'PageMetaLinks' },
)
