import { OneOf } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { uploadKinds } from './uploads.queries.ts'

export const NewUpload = Type.Object({
  file: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 256 }),
    type: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The declared type. The actual type is detected from the bytes.',
    }),
    size: Type.Integer({ minimum: 0, description: 'The size of the upload in bytes.' }),
  }),
  kind: OneOf(uploadKinds, {
    description:
      'The purpose. `organization_file`: content, used by its key in `insert_files`. `customization_font`: a font.',
  }),
})

export const UploadAddress = Type.Object(
  {
    object: Type.Literal('storage-signed-url'),
    url: Type.String({ description: 'Send the bytes to this URL with PUT, within one hour.' }),
    key: Type.String({ description: 'Identifies the upload. Can be used once, within a day.' }),
  },
  { $id: 'UploadAddress' },
)
