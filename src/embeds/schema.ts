import { OneOf } from '../http/schemas.ts'
import Type from '../http/type.ts'

export const EmbedQuery = Type.Object({
  url: Type.String({ format: 'http-url', maxLength: 2048, description: 'The address of a page anywhere on the web.' }),
})

export const Embed = Type.Object(
  {
    type: OneOf(['link'] as const, { description: 'Always a link: nothing of other servers is shown in pages.' }),
    title: Type.String({
      description: 'What the page calls itself; its address, where it says nothing or does not answer.',
    }),
    site: Type.String({ description: 'What it calls its website, else its host.' }),
    icon: Type.Optional(Type.String({ description: 'The address of the icon that it names.' })),
  },
  { $id: 'Embed' },
)
