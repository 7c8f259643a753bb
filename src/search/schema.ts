import { pageQuery } from '../http/paging.ts'
import Type from '../http/type.ts'

const Urls = Type.Object({ app: Type.String() })

const FoundSection = Type.Object({
  id: Type.String({
    description: 'The anchor on the page; the id of the page for text above the first heading.',
  }),
  title: Type.String(),
  path: Type.String({ description: 'The path of the page, including the anchor.' }),
  body: Type.String({ description: 'The text around the match, without markup.' }),
  urls: Urls,
})

export const FoundPage = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    path: Type.String(),
    sections: Type.Array(FoundSection, { description: 'The matching sections, best match first.' }),
    urls: Urls,
  },
  { $id: 'FoundPage' },
)

export const FoundSpace = Type.Object(
  { id: Type.String(), title: Type.String(), pages: Type.Array(FoundPage, { description: 'The ten best matches.' }) },
  { $id: 'FoundSpace' },
)

export const SearchQuery = Type.Object({
  query: Type.String({
    maxLength: 512,
    description: 'Words that must all be found; "words in quotes" must appear in this order.',
  }),
  ...pageQuery,
})
