import { OneOf } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { User } from '../../users/schema.ts'

const exportStatuses = ['in-progress', 'completed', 'failed'] as const

export const ExportRun = Type.Object(
  {
    object: Type.Literal('export-run'),
    id: Type.String(),
    status: OneOf(exportStatuses, { description: '`failed`: whoever fetched it went away, or it could not be made.' }),
    target: Type.Object({
      space: Type.Optional(Type.String({ description: 'Left out where all of the organization is exported.' })),
    }),
    createdBy: Type.Optional(User),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
    completedAt: Type.Optional(Type.String({ format: 'date-time' })),
    progress: Type.Object({
      files: Type.Integer({ description: 'Files of the archive that were sent.' }),
      totalFiles: Type.Integer({ description: 'About how many there will be.' }),
      bytes: Type.Integer({ description: 'Of the files that were sent, before they were compressed.' }),
    }),
    urls: Type.Object({ location: Type.String() }),
  },
  { $id: 'ExportRun' },
)
