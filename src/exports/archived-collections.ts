import type { Static } from 'typebox'
import { collectionLevels, tooManyLevels } from '../collections/levels.ts'
import { AnId, MaybeRole, Nullable, Time } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { inPlaces, inSet, readArchived, wrongIn } from './archived.ts'
import type { Archive } from './open-archive.ts'
import type { JsonRow } from './queries.ts'

const ArchivedCollections = Type.Array(
  Type.Object({
    id: AnId(),
    parent_id: Type.Optional(Nullable(AnId())),
    title: Type.String({ minLength: 1, maxLength: 50 }),
    description: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
    inherits: Type.Optional(Type.Boolean()),
    level: Type.Optional(MaybeRole),
    position: Type.String(),
    created_at: Type.Optional(Time),
  }),
)

export async function readCollections(archive: Archive): Promise<JsonRow[]> {
  return readArchived(archive, 'collections.json', ArchivedCollections, (rows) => {
    inSet(rows, '', 'id', ({ id }) => id)
    inPlaces(rows, '')
    checkTree(rows)
  })
}

/**
 * The database checks the parent of each collection, but neither for cycles, whose collections would never be found, nor
 * for how deeply they are nested.
 */
function checkTree(rows: Static<typeof ArchivedCollections>): void {
  const parents = new Map(rows.map(({ id, parent_id }) => [id, parent_id]))
  const levels = new Map<string, number>()
  for (const [index, { id }] of rows.entries()) {
    const around = new Set<string>()
    for (let at: string | null | undefined = id; at && !levels.has(at); at = parents.get(at)) {
      if (around.has(at)) throw wrongIn('', index, 'parent_id', 'puts the collection in itself')
      around.add(at)
    }
    for (const each of [...around].toReversed()) levels.set(each, (levels.get(parents.get(each) ?? '') ?? 0) + 1)
    if (levels.get(id)! > collectionLevels) throw wrongIn('', index, 'parent_id', `is too deep: ${tooManyLevels}`)
  }
}
