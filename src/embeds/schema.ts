import { OneOf } from '../http/schemas.ts'
import Type from '../http/type.ts'

export const EmbedQuery = Type.Object({
  url: Type.String({ format: 'http-url', maxLength: 2048, description: 'The URL of any page on the web.' }),
})

export const Embed = Type.Object(
  {
    type: OneOf(['link'] as const, { description: 'Always a link: pages show no content of other servers.' }),
    title: Type.String({
      description: 'The title of the page; its URL if it has none or does not respond.',
    }),
    site: Type.String({ description: 'The name of the website, or its host.' }),
    icon: Type.Optional(Type.String({ description: 'The URL of its icon.' })),
  },
  { $id: 'Embed' },
)
