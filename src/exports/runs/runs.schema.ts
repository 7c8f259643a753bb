import { OneOf } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { User } from '../../users/schema.ts'

const exportStatuses = ['in-progress', 'completed', 'failed'] as const

export const ExportRun = Type.Object(
  {
    object: Type.Literal('export-run'),
    id: Type.String(),
    status: OneOf(exportStatuses, {
      description: '`failed`: the client disconnected, or the archive could not be created.',
    }),
    target: Type.Object({
      space: Type.Optional(Type.String({ description: 'Omitted if the whole organization is exported.' })),
    }),
    createdBy: Type.Optional(User),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
    completedAt: Type.Optional(Type.String({ format: 'date-time' })),
    progress: Type.Object({
      files: Type.Integer({ description: 'The number of files sent so far.' }),
      totalFiles: Type.Integer({ description: 'The estimated total number.' }),
      bytes: Type.Integer({ description: 'The size of the files sent so far, before compression.' }),
    }),
    urls: Type.Object({ location: Type.String() }),
  },
  { $id: 'ExportRun' },
)
