import { pageQuery } from '../http/paging.ts'
import Type from '../http/type.ts'

const Urls = Type.Object({ app: Type.String() })

const FoundSection = Type.Object({
  id: Type.String({
    description: 'Its anchor in the page; the id of the page for what stands above the first heading.',
  }),
  title: Type.String(),
  path: Type.String({ description: 'The path of the page, with the anchor.' }),
  body: Type.String({ description: 'Text around what was found, without any markup.' }),
  urls: Urls,
})

export const FoundPage = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    path: Type.String(),
    sections: Type.Array(FoundSection, { description: 'Those with something of what was asked, the best first.' }),
    urls: Urls,
  },
  { $id: 'FoundPage' },
)

export const FoundSpace = Type.Object(
  { id: Type.String(), title: Type.String(), pages: Type.Array(FoundPage, { description: 'The ten best.' }) },
  { $id: 'FoundSpace' },
)

export const SearchQuery = Type.Object({
  query: Type.String({
    maxLength: 512,
    description: 'Words, all of which are to be found; "words in quotes" in this order.',
  }),
  ...pageQuery,
})
