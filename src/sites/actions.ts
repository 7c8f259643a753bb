import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import { changedFields } from '../changes/changed-fields.ts'
import { recordChange } from '../changes/record.ts'
import { untitled } from '../collections/actions.ts'
import { constraintBroken } from '../db/constraints.ts'
import type { SiteRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { failpoint } from '../failpoints.ts'
import { ApiError, invalid, taken } from '../http/errors.ts'
import { newId } from '../ids.ts'
import type { Secrets } from '../secrets.ts'
import { firstCharacters } from '../shortened.ts'
import { createSpace } from '../spaces/actions.ts'
import { type Hosts, mayBeHostOfSite, proxyAsKept } from './addresses.ts'
import { putSpace } from './structure/building.ts'
import { setDefaultSection, setDefaultSpace } from './structure/defaults.ts'
import { basenamesFor, checkBasename } from './paths.ts'
import {
  type NewSiteRow,
  type SiteKey,
  deleteSite,
  holdProxies,
  insertSite,
  isWithinProxyOfOthers,
  listTakenBasenames,
  listUntitledSites,
  updateSite,
} from './queries.ts'
import { sampleSpace } from './sample.ts'
import type { SiteChanges } from './schema.ts'
import type { HeldSite } from './see.ts'
import { type Skeleton, isHidden } from './structure/structure.ts'
import { touchSite } from './touch.ts'
import { newSigningKey } from './publishing-auth/signing-key.ts'

export interface SiteDraft {
  organizationId: string
  creatorId: string
  type: string
  title?: string | undefined
  visibility: SiteRow['visibility']
  /** Spaces to add to the site, or the kind of space to create for it. */
  spaces: { id: string; title: string }[] | 'sample' | 'empty'
}

/** Creates a site, not yet published. */
export async function createSite(tx: Transaction, secrets: Secrets, draft: SiteDraft): Promise<string> {
  const { organizationId, creatorId, type, visibility } = draft
  const title = draft.title ?? untitled(await listUntitledSites(tx, organizationId))
  const site = { organization_id: organizationId, id: newId() }
  await insertNamed(tx, { ...site, type, title, visibility, auth_key: newSigningKey(secrets), created_by: creatorId })
  recordChange(tx, { ...about(site), action: 'site.created' })

  const spaces = typeof draft.spaces === 'string' ? [await newSpace(tx, draft, draft.spaces, title)] : draft.spaces
  const skeleton: Skeleton = { groups: [], sections: [], links: [], siteSpaces: [] }
  for (const space of spaces) skeleton.siteSpaces.push(await putSpace(tx, site, skeleton, space, null))
  return site.id
}

/** Checks several names at a time, because titles repeat. */
async function insertNamed(tx: Transaction, row: Omit<NewSiteRow, 'basename'>): Promise<void> {
  const names = basenamesFor(row.title)
  for (;;) {
    const candidates = Array.from({ length: 32 }, () => names.next().value!)
    const takenOnes = await listTakenBasenames(tx, row.organization_id, candidates)
    for (const basename of candidates) {
      // Another request may have taken it in the meantime.
      if (!takenOnes.has(basename) && (await insertSite(tx, { ...row, basename }))) return
    }
  }
}

async function newSpace(tx: Transaction, draft: SiteDraft, kind: 'sample' | 'empty', siteTitle: string) {
  const title = firstCharacters(siteTitle, 50).trim()
  const id = await createSpace(tx, {
    parent: { organizationId: draft.organizationId, id: null },
    title,
    creatorId: draft.creatorId,
    ...(kind === 'sample' && { firstPage: sampleSpace }),
  })
  return { id, title }
}

/** A field that already has the given value does not count as a change. */
export async function changeSite(
  tx: Transaction,
  hosts: Hosts,
  { site, skeleton, structure }: HeldSite,
  changes: Static<typeof SiteChanges>,
): Promise<void> {
  const { title, visibility, basename, adaptiveContent, agentsContext, hostname } = changes
  const proxy = changes.proxy && proxyAsKept(changes.proxy)
  const { defaultSiteSection, defaultSiteSpace } = changes
  if (basename !== undefined && basename !== site.basename) checkBasename(basename, 'body.basename')
  if (hostname && !mayBeHostOfSite(hosts, hostname)) {
    throw invalid('body.hostname', 'reserved', 'is where this instance itself answers')
  }
  if (proxy && proxy !== site.proxy) await refuseTakenProxy(tx, site, proxy)
  const newDefaults = await changeDefaults(tx, { skeleton, structure }, { defaultSiteSection, defaultSiteSpace })
  const changed: SiteRow = {
    ...site,
    title: title ?? site.title,
    visibility: visibility ?? site.visibility,
    basename: basename ?? site.basename,
    hostname: hostname === undefined ? site.hostname : hostname,
    proxy: proxy === undefined ? site.proxy : proxy,
    agents_context: agentsContext ?? site.agents_context,
    adaptive_enabled: adaptiveContent?.enabled ?? site.adaptive_enabled,
  }
  if (newDefaults.length === 0 && isDeepStrictEqual(changed, site)) return
  await saveSite(tx, changed)
  const fields = [...changedFields<SiteRow>(changed, site, columns), ...newDefaults]
  const details = { ...(fields.includes('visibility') && { visibility: changed.visibility }) }
  recordChange(tx, { ...about(site), action: 'site.updated', fields, details })
}

const columns = {
  title: ['title'],
  visibility: ['visibility'],
  basename: ['basename'],
  adaptiveContent: ['adaptive_enabled'],
  agentsContext: ['agents_context'],
  hostname: ['hostname'],
  proxy: ['proxy'],
} as const satisfies Record<string, readonly (keyof SiteRow)[]>

/**
 * Otherwise a request for the content at an address could lead to another organization, for the whole address or a part
 * of it.
 */
async function refuseTakenProxy(tx: Transaction, { organization_id }: SiteKey, proxy: string): Promise<void> {
  await holdProxies(tx, proxy)
  if (await isWithinProxyOfOthers(tx, organization_id, proxy))
    throw taken('body.proxy', 'A site of another organization is already at this URL, or above it.')
}

async function saveSite(tx: Transaction, row: SiteRow): Promise<void> {
  const basenameTaken = () => taken('body.basename', 'Another site of this organization already has this basename.')
  const hostnameTaken = () => taken('body.hostname', 'Another site already has this hostname.')
  const saved = constraintBroken(updateSite(tx, row), 'sites_organization_id_basename_key', basenameTaken)
  await constraintBroken(saved, 'sites_hostname_key', hostnameTaken)
  touchSite(tx, row)
}

/**
 * The section comes first, because a space at the root of the site is in its default section. Returns the fields that
 * changed.
 */
async function changeDefaults(
  tx: Transaction,
  { skeleton, structure }: Pick<HeldSite, 'skeleton' | 'structure'>,
  wanted: { defaultSiteSection: string | undefined; defaultSiteSpace: string | undefined },
): Promise<string[]> {
  const changed: string[] = []
  let section = structure.sections.find(({ isDefault }) => isDefault)
  if (wanted.defaultSiteSection !== undefined) {
    section = structure.sections.find(({ id }) => id === wanted.defaultSiteSection)
    if (!section) throw invalid('body.defaultSiteSection', 'exists', 'must be a section of this site')
    if (await setDefaultSection(tx, skeleton, section)) changed.push('defaultSiteSection')
  }
  if (wanted.defaultSiteSpace !== undefined) {
    const level = structure.inSections ? section?.siteSpaces : structure.root
    const chosen = level?.find(({ id }) => id === wanted.defaultSiteSpace)
    const where = structure.inSections ? 'in the default section' : 'of this site'
    if (!chosen) throw invalid('body.defaultSiteSpace', 'exists', `must be a site space ${where}`)
    if (await setDefaultSpace(tx, skeleton, chosen)) changed.push('defaultSiteSpace')
  }
  return changed
}

export async function publishSite(tx: Transaction, { site, skeleton }: HeldSite): Promise<SiteRow> {
  if (site.published) return site
  const shown = skeleton.siteSpaces.filter(({ in_trash }) => !in_trash)
  if (shown.every((row) => isHidden(skeleton, row))) {
    const first = shown.length > 0 ? 'Everything in it is a draft.' : 'Add a space to the site first.'
    throw new ApiError('invalid_request', `There is nothing to publish yet. ${first}`)
  }
  const published = { ...site, published: true, published_at: new Date() }
  await saveSite(tx, published)
  recordChange(tx, { ...about(site), action: 'site.published' })
  failpoint('publish.before-commit')
  tx.afterCommit(() => failpoint('publish.committed'))
  return published
}

export async function unpublishSite(tx: Transaction, site: SiteRow): Promise<SiteRow> {
  if (!site.published) return site
  const hidden = { ...site, published: false }
  await saveSite(tx, hidden)
  recordChange(tx, { ...about(site), action: 'site.unpublished' })
  failpoint('unpublish.before-commit')
  return hidden
}

/** Removes the site with its structure, links and settings. The spaces stay. */
export async function removeSite(tx: Transaction, site: SiteRow): Promise<void> {
  // Caches of the site become stale and find that it is gone.
  touchSite(tx, site)
  await deleteSite(tx, site)
  recordChange(tx, { ...about(site), action: 'site.deleted' })
  failpoint('delete-site.before-commit')
}

const about = ({ organization_id: organizationId, id }: SiteKey) => ({ organizationId, target: { type: 'site', id } })
