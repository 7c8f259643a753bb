import { isPosition } from '../content/positions.ts'
import { invalid } from '../http/errors.ts'
import { AnId, MaybeRole, Nullable, OneOf, Time } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { asBody } from '../http/validation.ts'
import { languages } from '../spaces/languages.ts'
import { MergeRules } from '../spaces/merge-rules.ts'
import { namingFile, readArchived } from './archived.ts'
import type { CommentLine, SpaceSettings } from './export.ts'
import type { Archive } from './open-archive.ts'
import { ArchivedGrants, ArchivedPerson } from './people/archived-people.ts'
import type { ExportedGrants, ExportedPerson, JsonRow } from './queries.ts'

const maybe = <Schema extends Parameters<typeof Nullable>[0]>(schema: Schema) => Type.Optional(Nullable(schema))

const ArchivedSpace = Type.Object({
  id: AnId(),
  collection: Nullable(AnId()),
  title: Type.String({ minLength: 1, maxLength: 50 }),
  emoji: Nullable(Type.String({ minLength: 1 })),
  icon: Nullable(Type.String({ format: 'http-url', maxLength: 2048 })),
  editMode: OneOf(['live', 'locked'] as const),
  language: Nullable(OneOf(languages)),
  inherits: Type.Boolean(),
  level: MaybeRole,
  position: Type.String(),
  mergeRules: MergeRules,
  permissions: ArchivedGrants,
  formerPaths: Type.Array(Type.Object({ path: Type.String(), entry: AnId(), moved_at: Type.Optional(Time) })),
})

export type ArchivedSettings = SpaceSettings & { permissions: ExportedGrants; formerPaths: JsonRow[] }

export async function readSettings(archive: Archive, path: string): Promise<ArchivedSettings> {
  const settings = await readArchived(archive, path, ArchivedSpace, ({ position, mergeRules }) => {
    if (!isPosition(position)) throw invalid('body.position', 'position', 'must be a position')
    if (mergeRules.type === 'rules' && !mergeRules.rules)
      throw invalid('body.mergeRules.rules', 'required', 'is required')
  })
  return settings as ArchivedSettings
}

const Comment = Type.Object({
  id: AnId(),
  parent_id: maybe(AnId()),
  author_id: AnId(),
  markdown: Type.String(),
  posted_at: Type.Optional(Time),
  edited_at: maybe(Time),
  resolved_at: maybe(Time),
  resolved_by: Nullable(AnId()),
  page_id: maybe(AnId()),
  page: maybe(Type.Object({ title: Type.String(), path: Type.Optional(Type.String()) })),
  node: maybe(Type.String()),
  node_preview: maybe(Type.String()),
  node_doc: maybe(Type.String()),
  replies: Type.Optional(Type.Integer({ minimum: 0 })),
})

const Reaction = Type.Object({
  comment_id: AnId(),
  user_id: AnId(),
  name: Type.String(),
  emoji: Type.String(),
  reacted_at: Type.Optional(Time),
})

const ArchivedComment = Type.Object({ comment: Comment, reactions: Type.Array(Reaction) })

/**
 * The comments of a space, each checked against the schema. A reply must belong to a comment that is not a reply
 * itself.
 */
export async function readComments(archive: Archive, path: string): Promise<CommentLine[]> {
  const comments: CommentLine[] = []
  const parents = new Map<string, { parent: string | null; where: string }>()
  for await (const [said, where] of archive.numberedLines<unknown>(path)) {
    const line = namingFile(where, () => {
      const known = asBody(ArchivedComment, said)
      if (parents.has(known.comment.id)) throw invalid('body.comment.id', 'archive', 'is there twice')
      return known
    })
    parents.set(line.comment.id, { parent: line.comment.parent_id ?? null, where })
    comments.push(line)
  }
  for (const { parent, where } of parents.values()) {
    if (parent === null || parents.get(parent)?.parent === null) continue
    namingFile(where, () => {
      throw invalid('body.comment.parent_id', 'archive', 'is not a comment of the archive that can have replies')
    })
  }
  return comments
}

export const readPeople = (archive: Archive, path: string): Promise<ExportedPerson[]> =>
  readArchived(archive, path, Type.Array(ArchivedPerson))
