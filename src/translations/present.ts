import type { Static } from 'typebox'
import type { Membership } from '../access/caller.ts'
import type { languages } from '../spaces/languages.ts'
import { type SeenTranslation, translationRights } from './access.ts'
import type { Translation, VisibleSpaces } from './queries.ts'
import type { TranslationPageStatus, TranslationSettings } from './schema.ts'
import type { PageStatusRow } from './status.queries.ts'

type Language = (typeof languages)[number]

/**
 * Presents a translation as a member sees it: without the spaces that they may not see, and without their languages.
 */
export function presentTranslation(
  { translation, membership, visible }: SeenTranslation,
  url: string,
): Static<typeof TranslationSettings> {
  const source = sourceOf(translation, visible)
  const variants = visibleVariants(translation, visible)
  const spoken = [source?.language, ...variants.map(({ language }) => language)]
  return {
    object: 'translation-settings',
    id: translation.id,
    title: translation.title,
    languages: spoken.filter((language) => language !== undefined),
    ...(source && { source }),
    variants: variants.map(({ language, space_id }) => ({ language: language as Language, space: space_id })),
    createdAt: translation.created_at.toISOString(),
    updatedAt: translation.updated_at.toISOString(),
    permissions: translationRights(membership.role),
    urls: { location: locationOf(membership, translation, url) },
  }
}

export function visibleVariants({ variants }: Translation, { shown }: VisibleSpaces): Translation['variants'] {
  return variants.filter(({ space_id }) => shown.has(space_id))
}

function sourceOf({ source_id, source_language }: Translation, { shown }: VisibleSpaces) {
  if (source_id === null || !shown.has(source_id)) return undefined
  return { space: source_id, ...(source_language !== null && { language: source_language }) }
}

export function presentPageStatus(row: PageStatusRow, path: string | undefined): Static<typeof TranslationPageStatus> {
  return {
    object: 'translation-page-status',
    page: { id: row.entry, title: row.title, ...(path !== undefined && { path }) },
    language: row.language,
    space: row.space_id,
    status: row.status,
    ...(row.variant_entry !== null && {
      variant: {
        page: row.variant_entry,
        ...(row.translated_from !== null && { translatedFrom: row.translated_from }),
        ...(row.variant_updated_at !== null && { updatedAt: row.variant_updated_at }),
      },
    }),
  }
}

const locationOf = ({ organization }: Membership, { id }: Translation, url: string) =>
  `${url}/v1/orgs/${organization.id}/translations/${id}`
