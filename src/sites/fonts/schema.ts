import { Id, Name, Nullable, OneOf } from '../../http/schemas.ts'
import Type from '../../http/type.ts'

const FontFamily = Name(1, 50)
const Weight = Type.Integer({ minimum: 1, maximum: 1000, description: '400 is regular, 700 bold.' })
const StorageKey = Type.String({
  minLength: 1,
  maxLength: 512,
  description: 'Of an upload of the kind `customization_font`: a WOFF2 or WOFF file.',
})

const definition = {
  id: Id('Of the font.'),
  custom: Type.Boolean({ description: 'Always true: fonts that come along are named by a word.' }),
  fontFamily: FontFamily,
  fontFaces: Type.Array(
    Type.Object({
      weight: Weight,
      sources: Type.Array(
        Type.Object({
          url: Type.String({ description: 'Everybody who has it gets the file.' }),
          format: Type.Optional(OneOf(['woff2', 'woff'] as const)),
        }),
        { minItems: 1 },
      ),
    }),
    { minItems: 1 },
  ),
}

/** A font as the look of a site has it. */
export const FontDefinition = Type.Object(definition, { $id: 'FontDefinition' })

export const CustomFont = Type.Object(
  { object: Type.Literal('custom-font'), ...definition, permissions: Type.Object({ edit: Type.Boolean() }) },
  { $id: 'CustomFont' },
)

/** More is more than any family has. */
export const mostFaces = 20

export const NewCustomFont = Type.Object(
  {
    fontFamily: FontFamily,
    fontFaces: Type.Array(Type.Object({ weight: Weight, storageKey: StorageKey }), {
      minItems: 1,
      maxItems: mostFaces,
      description: 'One for each weight, 400 among them.',
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
          'What is not named stays. A key takes the place of what there was of its weight, null removes that.',
      }),
    ),
  },
  { $id: 'CustomFontChanges' },
)
