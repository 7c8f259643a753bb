import { pageQuery } from '../http/paging.ts'
import { Name, Nullable, OneOf, Time } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { languages } from '../spaces/languages.ts'

const Language = OneOf(languages)

const Variant = Type.Object({ language: Language, space: Type.String({ description: 'The id of the space.' }) })

export const TranslationSettings = Type.Object(
  {
    object: Type.Literal('translation-settings'),
    id: Type.String(),
    title: Type.String(),
    languages: Type.Array(Type.String(), { description: 'Of the source and the variants.' }),
    source: Type.Optional(
      Type.Object(
        { space: Type.String(), language: Type.Optional(Type.String()) },
        { description: 'The space that is translated.' },
      ),
    ),
    variants: Type.Array(Variant, { description: 'The spaces with the translations.' }),
    createdAt: Time,
    updatedAt: Time,
    permissions: Type.Object({ view: Type.Boolean(), edit: Type.Boolean() }),
    urls: Type.Object({ location: Type.String() }),
  },
  { $id: 'TranslationSettings' },
)

const settings = {
  title: Name(1, 100),
  source: Type.Optional(
    Nullable(
      Type.Object(
        {
          space: Type.String({ description: 'The id of the space.' }),
          language: Type.Optional(Language),
        },
        { description: 'The space that is translated. The default language is that of the space.' },
      ),
    ),
  ),
  variants: Type.Optional(
    Type.Array(Variant, {
      maxItems: 50,
      description: 'One for each language. A space can be in only one translation.',
    }),
  ),
}

export const NewTranslation = Type.Object(settings)

/** Omitted fields stay as they are. */
export const TranslationChanges = Type.Object(settings)

export const pageStates = ['missing', 'current', 'behind'] as const

export const TranslationPageStatus = Type.Object(
  {
    object: Type.Literal('translation-page-status'),
    page: Type.Object(
      { id: Type.String(), title: Type.String(), path: Type.Optional(Type.String()) },
      { description: 'A page of the source.' },
    ),
    language: Type.String(),
    space: Type.String({ description: 'The id of the variant.' }),
    status: OneOf(pageStates, {
      description:
        '`missing`: the variant has no such page. `behind`: the title, the description or the text of the source changed ' +
        'since it was translated.',
    }),
    variant: Type.Optional(
      Type.Object(
        {
          page: Type.String({ description: 'The id of the page.' }),
          translatedFrom: Type.Optional(
            Type.String({
              description: 'The revision of the source that was translated. Omitted if it was never given.',
            }),
          ),
          updatedAt: Type.Optional(Type.String()),
        },
        { description: 'The page in the variant: the one marked as its translation, or the one with the same id.' },
      ),
    ),
  },
  { $id: 'TranslationPageStatus' },
)

export const TranslationStatusQuery = Type.Object({
  ...pageQuery,
  language: Type.Optional(Type.String({ maxLength: 20, description: 'Only this variant.' })),
  status: Type.Optional(OneOf(pageStates)),
})
