import { OneOf } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { uploadKinds } from './uploads.queries.ts'

export const NewUpload = Type.Object({
  file: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 256 }),
    type: Type.String({ minLength: 1, maxLength: 255, description: 'What it is said to be; its bytes decide.' }),
    size: Type.Integer({ minimum: 0, description: 'How many bytes will be sent.' }),
  }),
  kind: OneOf(uploadKinds, {
    description:
      'What it is for. `organization_file`: content, by its key in `insert_files`. `customization_font`: a font.',
  }),
})

export const UploadAddress = Type.Object(
  {
    object: Type.Literal('storage-signed-url'),
    url: Type.String({ description: 'Send the bytes there with PUT, within an hour.' }),
    key: Type.String({ description: 'Names the bytes, once, for a day.' }),
  },
  { $id: 'UploadAddress' },
)
