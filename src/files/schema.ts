import Type from '../http/type.ts'

export const File = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    contentType: Type.String(),
    downloadURL: Type.String({ description: 'Needs no token. Valid for one to two hours.' }),
    size: Type.Integer({ description: 'In bytes.' }),
    dimensions: Type.Optional(Type.Object({ width: Type.Integer(), height: Type.Integer() })),
    git: Type.Optional(Type.Object({ oid: Type.String(), path: Type.String() })),
  },
  { $id: 'File' },
)
