import { Id, Time } from '../../http/schemas.ts'
import Type from '../../http/type.ts'

export const SitePicture = Type.Object(
  {
    object: Type.Literal('site-picture'),
    id: Id('Of the picture.'),
    name: Type.String(),
    contentType: Type.String({ description: 'By its bytes.' }),
    size: Type.Integer({ description: 'In bytes.' }),
    width: Type.Optional(Type.Integer()),
    height: Type.Optional(Type.Integer()),
    url: Type.String({ description: 'For `logo` and `favicon` of the look. Everybody who has it gets the picture.' }),
    createdAt: Time,
  },
  { $id: 'SitePicture' },
)

export const NewSitePicture = Type.Object(
  { key: Type.String({ description: 'Of an upload of the kind `organization_file`.' }) },
  { $id: 'NewSitePicture' },
)
