import { Id, Time } from '../../http/schemas.ts'
import Type from '../../http/type.ts'

export const SitePicture = Type.Object(
  {
    object: Type.Literal('site-picture'),
    id: Id('The id of the picture.'),
    name: Type.String(),
    contentType: Type.String({ description: 'Detected from its bytes.' }),
    size: Type.Integer({ description: 'In bytes.' }),
    width: Type.Optional(Type.Integer()),
    height: Type.Optional(Type.Integer()),
    url: Type.String({
      description: 'For `logo` and `favicon` in the customization. Anybody who has this URL can download the picture.',
    }),
    createdAt: Time,
  },
  { $id: 'SitePicture' },
)

export const NewSitePicture = Type.Object(
  { key: Type.String({ description: 'The key of an upload of kind `organization_file`.' }) },
  { $id: 'NewSitePicture' },
)
