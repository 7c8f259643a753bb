import { type JsonObject, at, isTrue } from './json.ts'
import { type Field, choicesOf, fieldsOf, isList, mapValuesOf, otherFieldOf, shapeOf } from './shape.ts'
import type { Spec } from './spec.ts'

/** Limit for the fields that one operation adds to a page: a schema can unfold into millions of them. */
export const mostFields = 1_500
export const deepest = 10

/** Requests and responses differ: some fields occur only in one of them. */
export type Way = 'request' | 'response'

/** A schema that is shown for an operation, and its direction. */
export interface Body {
  schema: unknown
  way: Way
}

/** Returns the fields for this direction, and under a star the additional ones whose names are not known in advance. */
export function fieldsFor(spec: Spec, value: JsonObject, way: Way): readonly Field[] {
  const all = fieldsOf(value)
  const ways = going.get(all) ?? {}
  going.set(all, ways)
  const fields = (ways[way] ??= all.filter((each) => goes(spec, each, way)))
  const schema = otherFieldOf(value)
  const other = schema && { name: '*', schema, isRequired: false }
  return other && goes(spec, other, way) ? [...fields, other] : fields
}

function goes(spec: Spec, { schema }: Field, way: Way): boolean {
  return !isTrue(spec.resolve(schema).value, way === 'request' ? 'readOnly' : 'writeOnly')
}

/** Each list of fields is filtered only once per direction. */
const going = new WeakMap<readonly Field[], Partial<Record<Way, readonly Field[]>>>()

/** Returns how many levels of nested fields there is room for. The top level is always shown. */
export function levelsFor(spec: Spec, bodies: readonly Body[], fields: number): number {
  const fits = (levels: number) => {
    const room = { fields, visits: 2 * mostFields, levels }
    for (const { schema, way } of bodies) measure(spec, schema, way, [], 0, room)
    return room.fields >= 0 && room.visits >= 0
  }
  return [deepest, 5, 4, 3, 2].find(fits) ?? 1
}

/** Returns how many fields a schema has at its top level. */
export function countFields(spec: Spec, { schema, way }: Body): number {
  const room = { fields: 0, visits: 100, levels: 1 }
  measure(spec, schema, way, [], 0, room)
  return -room.fields
}

interface Room {
  fields: number
  visits: number
  levels: number
}

/** Subtracts what a schema would need from the available room. */
function measure(spec: Spec, schema: unknown, way: Way, above: readonly string[], level: number, room: Room): void {
  const isOver = room.fields < 0 || room.visits-- < 0
  if (isOver || level >= room.levels || above.length >= deepest) return
  const { value, pointer } = shapeOf(spec, schema)
  if (pointer !== undefined && above.includes(pointer)) return
  const within = [...above, pointer ?? '']
  const fields = fieldsFor(spec, value, way)
  room.fields -= fields.length
  if (room.fields < 0) return
  for (const field of fields) measure(spec, field.schema, way, within, level + 1, room)
  const variants = choicesOf(spec, value).flatMap(({ schemas }) => schemas)
  for (const each of variants) measure(spec, each, way, within, level, room)
  if (fields.length > 0 || variants.length > 0) return
  const next = isList(value) ? at(value, 'items') : mapValuesOf(value)
  if (next !== undefined) measure(spec, next, way, within, level, room)
}
