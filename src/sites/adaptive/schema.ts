import { OneOf, Time } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import type { ClaimsSchema } from './claims.ts'

/** Claims nest and may have any name, so their contents are checked when they are read. */
const JsonSchema = Type.Unsafe<ClaimsSchema>(
  Type.Object(
    {
      $schema: Type.Optional(Type.String()),
      type: OneOf(['object'] as const),
      properties: Type.Record(Type.String(), Type.Unknown()),
      additionalProperties: Type.Optional(Type.Boolean()),
    },
    {
      description:
        'A JSON Schema (draft-07) with the claims of visitors: booleans, strings (optionally with an `enum`), numbers, ' +
        'arrays of these, and objects of all of them. Claims in the object `unsigned` are taken from URLs and cookies.',
    },
  ),
)

export const AdaptiveSchema = Type.Object(
  { object: Type.Literal('site-adaptive-schema'), jsonSchema: JsonSchema, updatedAt: Time },
  { $id: 'SiteAdaptiveSchema' },
)

export const AdaptiveSchemaChanges = Type.Object(
  { jsonSchema: Type.Unknown({ description: 'As returned by the API.' }) },
  { $id: 'SiteAdaptiveSchemaChanges' },
)

export const TemplateConditions = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        description: Type.String(),
        condition: Type.String({ description: 'An example to use as it is or to start from.' }),
      }),
    ),
  },
  { $id: 'SiteAdaptiveTemplateConditions' },
)
