import type { Membership } from '../../access/caller.ts'
import { recordChange } from '../../changes/record.ts'
import type { Transaction } from '../../db/transaction.ts'
import { conflict, invalid } from '../../http/errors.ts'
import { newId } from '../../ids.ts'
import { touchSites } from '../touch.ts'
import {
  type FontKey,
  type FontRow,
  type NewFace,
  type SitesSetIn,
  countFonts,
  deleteFaces,
  deleteFont,
  findFont,
  findSitesSetIn,
  insertFont,
  listSitesSetIn,
  renameFont,
  upsertFace,
} from './queries.ts'
import { mostFaces } from './schema.ts'

const mostFonts = 50
/** Required: without this weight, text would be shown in another font. */
export const textWeight = 400

export interface FontDraft {
  organizationId: string
  family: string
  faces: NewFace[]
}

export async function addFont(tx: Transaction, { organizationId, family, faces }: FontDraft): Promise<FontRow> {
  if ((await countFonts(tx, organizationId)) >= mostFonts)
    throw conflict(`This organization already has ${mostFonts} fonts. Delete one first.`)
  requireWeights(faces.map(({ weight }) => weight))
  const font = { organization_id: organizationId, id: newId() }
  await insertFont(tx, font, family)
  for (const face of faces) await upsertFace(tx, font, face)
  recordChange(tx, { ...about(font), action: 'font.created' })
  return (await findFont(tx, organizationId, font.id))!
}

export interface FontChange {
  family?: string | undefined
  /** Replace the faces of the same weight. */
  faces: NewFace[]
  /** Weights to remove. */
  without: number[]
}

/**
 * Changes a font. Sites that use it show the change at once. Parts that do not change are neither written nor recorded.
 */
export async function changeFont(tx: Transaction, font: FontRow, change: FontChange): Promise<FontRow> {
  const { family = font.family } = change
  const weights = new Map(font.faces.map(({ weight, name, bytes }) => [weight, { name, hash: bytes.hash }]))
  const fresh = change.faces.filter(({ weight, name, hash }) => {
    const kept = weights.get(weight)
    return kept?.hash !== hash || kept.name !== name
  })
  const gone = change.without.filter((weight) => weights.has(weight))
  const left = new Set([...weights.keys(), ...fresh.map(({ weight }) => weight)])
  for (const weight of gone) left.delete(weight)
  requireWeights([...left])
  const fields = [
    ...(family === font.family ? [] : ['fontFamily']),
    ...(fresh.length + gone.length > 0 ? ['fontFaces'] : []),
  ]
  if (fields.length === 0) return font
  await renameFont(tx, font, family)
  await deleteFaces(tx, font, gone)
  for (const face of fresh) await upsertFace(tx, font, face)
  recordChange(tx, { ...about(font), action: 'font.updated', fields })
  touchSites(tx, font.organization_id, await listSitesSetIn(tx, font))
  return (await findFont(tx, font.organization_id, font.id))!
}

/**
 * The caller may not be allowed to change the sites that use the font, so it cannot be deleted until those use another
 * one.
 */
export async function removeFont(tx: Transaction, font: FontRow, membership: Membership): Promise<void> {
  const sites = await findSitesSetIn(tx, font, membership)
  const where = inWords(sites)
  if (where !== undefined) throw conflict(`“${font.family}” is the font of ${where}. Choose another font there first.`)
  await deleteFont(tx, font)
  recordChange(tx, { ...about(font), action: 'font.removed' })
}

/** Lists the sites for a message. Returns undefined if there are none. */
export function inWords({ titles, others }: SitesSetIn): string | undefined {
  const named = titles.slice(0, 5).map((title) => `“${title}”`)
  const more = titles.length - named.length + others
  if (named.length === 0) return others === 0 ? undefined : 'sites that you cannot see'
  return more === 0 ? named.join(', ') : `${named.join(', ')} and ${more} more`
}

function requireWeights(weights: readonly number[]): void {
  const at = 'body.fontFaces'
  if (new Set(weights).size < weights.length) throw invalid(at, 'unique', 'may have one file for each weight')
  if (weights.length > mostFaces) throw invalid(at, 'maxItems', `may have at most ${mostFaces} weights`)
  if (!weights.includes(textWeight))
    throw invalid(at, 'regular', `must have the weight ${textWeight}, which text is set in`)
}

const about = ({ organization_id, id }: FontKey) => ({
  organizationId: organization_id,
  target: { type: 'font', id },
})
