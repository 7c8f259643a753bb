import { Id, Name, Nullable, OneOf } from '../../http/schemas.ts'
import Type from '../../http/type.ts'

const FontFamily = Name(1, 50)
const Weight = Type.Integer({ minimum: 1, maximum: 1000, description: '400 is regular, 700 bold.' })
const StorageKey = Type.String({
  minLength: 1,
  maxLength: 512,
  description: 'The key of an upload of kind `customization_font`: a WOFF2 or WOFF file.',
})

const definition = {
  id: Id('The id of the font.'),
  custom: Type.Boolean({ description: 'Always true: built-in fonts are identified by name.' }),
  fontFamily: FontFamily,
  fontFaces: Type.Array(
    Type.Object({
      weight: Weight,
      sources: Type.Array(
        Type.Object({
          url: Type.String({ description: 'Anybody who has this URL can download the file.' }),
          format: Type.Optional(OneOf(['woff2', 'woff'] as const)),
        }),
        { minItems: 1 },
      ),
    }),
    { minItems: 1 },
  ),
}

/** A font as it appears in the look of a site. */
export const FontDefinition = Type.Object(definition, { $id: 'FontDefinition' })

export const CustomFont = Type.Object(
  { object: Type.Literal('custom-font'), ...definition, permissions: Type.Object({ edit: Type.Boolean() }) },
  { $id: 'CustomFont' },
)

/** No family has more weights. */
export const mostFaces = 20

export const NewCustomFont = Type.Object(
  {
    fontFamily: FontFamily,
    fontFaces: Type.Array(Type.Object({ weight: Weight, storageKey: StorageKey }), {
      minItems: 1,
      maxItems: mostFaces,
      description: 'One for each weight, including 400.',
    }),
  },
  { $id: 'NewCustomFont' },
)

export const CustomFontChanges = Type.Object(
  {
    fontFamily: Type.Optional(FontFamily),
    fontFaces: Type.Optional(
      Type.Array(Type.Object({ weight: Weight, storageKey: Nullable(StorageKey) }), {
        maxItems: 2 * mostFaces,
        description:
          'Weights that are not named stay as they are. A key replaces the file of its weight; null removes it.',
      }),
    ),
  },
  { $id: 'CustomFontChanges' },
)
