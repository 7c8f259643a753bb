import Type from '../../http/type.ts'

/** Both are references to content, in the form that documents use. */
export const PageMetaLinks = Type.Object(
  {
    canonical: Type.Optional(
      Type.Object(
        { kind: Type.Literal('url'), url: Type.String() },
        { description: 'The URL where it is published, on the most public of the sites that show it.' },
      ),
    ),
    alternates: Type.Optional(
      Type.Array(Type.Object({ kind: Type.Literal('page'), page: Type.String(), space: Type.String() }), {
        description:
          'The same page in other languages, including itself; the language is that of its space. Their own meta links say where each is published.',
      }),
    ),
  },
  { $id: 'PageMetaLinks' },
)
