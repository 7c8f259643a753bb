import type { Caller } from '../access/caller.ts'
import { findSpaceFor } from '../access/content.ts'
import { spaceRights } from '../access/rights.ts'
import { changedFields } from '../changes/changed-fields.ts'
import { recordChange } from '../changes/record.ts'
import { constraintBroken } from '../db/constraints.ts'
import type { SpaceRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { conflict, forbidden, invalid, taken } from '../http/errors.ts'
import { isId, newId } from '../ids.ts'
import { touchSitesWithAny } from '../sites/touch.ts'
import {
  type Translation,
  type TranslationKey,
  type Variant,
  type VisibleSpaces,
  deleteTranslation,
  findTranslation,
  insertTranslation,
  listTakenSpaces,
  replaceVariants,
  updateTranslation,
} from './queries.ts'

/** A translation as requested. Undefined fields stay as they are. */
export interface TranslationDraft {
  title: string
  source?: { space: string; language?: string | undefined } | null | undefined
  variants?: { language: string; space: string }[] | undefined
}

export async function createTranslation(
  tx: Transaction,
  caller: Caller,
  organizationId: string,
  { title, source = null, variants = [] }: TranslationDraft,
): Promise<Translation> {
  const key = { organization_id: organizationId, id: newId() }
  const from = await sourceOf(tx, caller, organizationId, source)
  const into = await variantsOf(tx, caller, key, variants)
  checkTogether({ ...from, variants: into }, source ? 'body.source' : 'body.variants')
  await insertTranslation(tx, { ...key, title, ...from })
  await keepVariants(tx, key, into)
  recordChange(tx, { ...about(key), action: 'translation.created' })
  touchSitesWithAny(tx, organizationId, spacesIn({ ...from, variants: into }))
  tx.leaveRights()
  return (await findTranslation(tx, organizationId, key.id))!
}

/**
 * Requires a locked translation. Spaces that the caller may not see stay as they are, whatever the request says.
 * Setting a value to what it already is counts as no change.
 */
export async function changeTranslation(
  tx: Transaction,
  caller: Caller,
  before: Translation,
  visible: VisibleSpaces,
  { title, source, variants }: TranslationDraft,
): Promise<Translation> {
  const { organization_id: organizationId, id } = before
  const from = await changedSource(tx, caller, before, visible, source)
  const into = await changedVariants(tx, caller, before, visible, variants)
  checkTogether({ ...from, variants: into }, source ? 'body.source' : 'body.variants')

  const changed = { ...before, title, ...from, variants: into }
  const fields = changedFields<Translation>(inOrder(changed), inOrder(before), columns)
  if (fields.length === 0) return before
  await updateTranslation(tx, changed)
  if (variants !== undefined) await keepVariants(tx, before, into)
  recordChange(tx, { ...about(before), action: 'translation.updated', fields })
  touchSitesWithAny(tx, organizationId, [...spacesIn(before), ...spacesIn({ ...from, variants: into })])
  tx.leaveRights()
  return (await findTranslation(tx, organizationId, id))!
}

const columns = {
  title: ['title'],
  source: ['source_id', 'source_language'],
  variants: ['variants'],
} as const satisfies Record<keyof TranslationDraft, readonly (keyof Translation)[]>

const inOrder = (translation: Translation): Translation => ({
  ...translation,
  variants: translation.variants.toSorted((a, b) => (a.language < b.language ? -1 : 1)),
})

const isHidden = (spaceId: string, { shown, trashed }: VisibleSpaces) => !shown.has(spaceId) && !trashed.has(spaceId)

async function changedSource(
  tx: Transaction,
  caller: Caller,
  before: Translation,
  visible: VisibleSpaces,
  source: TranslationDraft['source'],
): Promise<Pick<Translation, 'source_id' | 'source_language'>> {
  const { organization_id, source_id, source_language } = before
  const isOutOfSight = source_id !== null && isHidden(source_id, visible)
  if (source && isOutOfSight) throw conflict('You cannot see the source of this translation.')
  if (source === undefined || isOutOfSight) return { source_id, source_language }
  return sourceOf(tx, caller, organization_id, source)
}

/**
 * A variant whose space is in the trash keeps its place in case it is restored, unless another variant takes its
 * language.
 */
async function changedVariants(
  tx: Transaction,
  caller: Caller,
  before: Translation,
  visible: VisibleSpaces,
  variants: TranslationDraft['variants'],
): Promise<Variant[]> {
  if (variants === undefined) return before.variants
  const hidden = before.variants.filter(({ space_id }) => isHidden(space_id, visible))
  const named = await variantsOf(tx, caller, before, variants, hidden)
  const trashed = before.variants.filter(
    ({ space_id, language }) => visible.trashed.has(space_id) && !named.some((each) => each.language === language),
  )
  return [...hidden, ...trashed, ...named]
}

export async function removeTranslation(tx: Transaction, translation: Translation): Promise<void> {
  await deleteTranslation(tx, translation)
  recordChange(tx, { ...about(translation), action: 'translation.removed' })
  touchSitesWithAny(tx, translation.organization_id, spacesIn(translation))
  tx.leaveRights()
}

/**
 * The spaces whose sites show the translation: there, readers are led from one language to the other. Other sites show
 * nothing of it.
 */
const spacesIn = ({ source_id, variants }: Pick<Translation, 'source_id' | 'variants'>) => [
  ...(source_id === null ? [] : [source_id]),
  ...variants.map(({ space_id }) => space_id),
]

async function sourceOf(
  tx: Transaction,
  caller: Caller,
  organizationId: string,
  source: NonNullable<TranslationDraft['source']> | null,
): Promise<Pick<Translation, 'source_id' | 'source_language'>> {
  if (source === null) return { source_id: null, source_language: null }
  const space = await spaceToTranslate(tx, caller, organizationId, source.space, 'body.source.space')
  return { source_id: space.id, source_language: source.language ?? space.language }
}

async function variantsOf(
  tx: Transaction,
  caller: Caller,
  key: TranslationKey,
  variants: NonNullable<TranslationDraft['variants']>,
  others: readonly Variant[] = [],
): Promise<Variant[]> {
  const named: Variant[] = []
  for (const [i, { language, space }] of variants.entries()) {
    const { id } = await spaceToTranslate(tx, caller, key.organization_id, space, `body.variants.${i}.space`)
    const known = [...others, ...named]
    if (known.some((each) => each.language === language)) {
      throw invalid(`body.variants.${i}.language`, 'unique', 'there is another variant in this language')
    }
    if (known.some((each) => each.space_id === id)) {
      throw invalid(`body.variants.${i}.space`, 'unique', 'there is another variant with this space')
    }
    named.push({ language, space_id: id })
  }
  const elsewhere = await listTakenSpaces(
    tx,
    key,
    named.map(({ space_id }) => space_id),
  )
  const clash = named.findIndex(({ space_id }) => elsewhere.has(space_id))
  if (clash !== -1) throw inAnother(`body.variants.${clash}.space`)
  return named
}

/** Putting a space into a translation requires administering it, because it cannot be transferred from then on. */
async function spaceToTranslate(
  tx: Transaction,
  caller: Caller,
  organizationId: string,
  id: string,
  field: string,
): Promise<SpaceRow> {
  const found = isId(id) ? await findSpaceFor(tx, caller, id) : undefined
  if (found?.space.organization_id !== organizationId) {
    throw invalid(field, 'exists', 'is not a space of this organization')
  }
  if (!spaceRights(found.role).admin) throw forbidden('put this space into a translation')
  return found.space
}

type Members = Pick<Translation, 'source_id' | 'source_language' | 'variants'>

function checkTogether({ source_id, source_language, variants }: Members, field: string): void {
  // Of a source that was purged, only its language is left, which conflicts with nothing.
  if (source_id === null) return
  if (variants.some(({ space_id }) => space_id === source_id)) {
    throw invalid(field, 'unique', 'the source cannot be one of the variants')
  }
  if (source_language !== null && variants.some(({ language }) => language === source_language)) {
    throw invalid(field, 'unique', 'the source and a variant cannot have the same language')
  }
}

/** If two requests put the same space into different translations, the first one wins. */
async function keepVariants(tx: Transaction, key: TranslationKey, variants: readonly Variant[]): Promise<void> {
  await constraintBroken(replaceVariants(tx, key, variants), 'one_translation', () => inAnother('body.variants'))
}

const inAnother = (field: string) => taken(field, 'This space is already a variant in another translation.')

const about = ({ organization_id, id }: TranslationKey) => ({
  organizationId: organization_id,
  target: { type: 'translation', id },
})
