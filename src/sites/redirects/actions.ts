import { recordChange } from '../../changes/record.ts'
import type { SiteRedirectRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { conflict, invalid, taken } from '../../http/errors.ts'
import { newId } from '../../ids.ts'
import { type Destinations, readDestination } from './destinations.ts'
import { refuseLoop } from './loops.ts'
import { matchOf } from './match.ts'
import { countRedirects, deleteRedirect, findOccupant, insertRedirect, updateRedirect } from './queries.ts'
import type { NewDestination } from './schema.ts'

/** All redirects of a site are kept in memory while it is served. */
const maxRedirects = 10_000

/**
 * The context for changing redirects of a locked site. The caller must call `touchSite` afterwards, so that readers see
 * the changes.
 */
export interface Redirecting extends Destinations {
  tx: Transaction
  /** The place of the redirect in the request. */
  at: string
}

export interface RedirectDraft {
  source: string
  destination: NewDestination
  captureWildcard?: boolean | undefined
  permanent?: boolean | undefined
  draft?: boolean | undefined
}

export async function createRedirect(work: Redirecting, given: RedirectDraft): Promise<SiteRedirectRow> {
  const { tx, site, at } = work
  const { source, captureWildcard = false, permanent = false, draft = false } = given
  const match = readSource(source, at)
  const destination = await readDestination(work, given.destination, `${at}.destination`)
  await refuseTaken(work, draft, match)
  if ((await countRedirects(tx, site)) >= maxRedirects)
    throw conflict(`A site can have at most ${maxRedirects} redirects.`)
  const row = await insertRedirect(tx, {
    organization_id: site.organization_id,
    site_id: site.id,
    id: newId(),
    source,
    match,
    destination,
    capture_wildcard: captureWildcard,
    permanent,
    draft,
  })
  await refuseLoop(work, row, `${at}.destination`)
  recordChange(tx, { ...about(row), action: 'site-redirect.created' })
  return row
}

export async function changeRedirect(
  work: Redirecting,
  row: SiteRedirectRow,
  changes: Partial<RedirectDraft>,
): Promise<SiteRedirectRow> {
  const { tx, at } = work
  const { source = row.source, captureWildcard = row.capture_wildcard } = changes
  const { permanent = row.permanent, draft = row.draft } = changes
  const match = readSource(source, at)
  const destination = changes.destination
    ? await readDestination(work, changes.destination, `${at}.destination`)
    : row.destination
  const changed = { ...row, source, match, destination, capture_wildcard: captureWildcard, permanent, draft }
  const fields = fieldsOf(changed, row)
  if (fields.length === 0) return row
  if (match !== row.match || draft !== row.draft) await refuseTaken(work, draft, match)
  const updated = await updateRedirect(tx, changed)
  if (fields.some((field) => field !== 'permanent')) await refuseLoop(work, updated, `${at}.destination`)
  recordChange(tx, { ...about(row), action: 'site-redirect.updated', fields })
  return updated
}

export async function removeRedirect({ tx }: Redirecting, row: SiteRedirectRow): Promise<void> {
  await deleteRedirect(tx, row)
  recordChange(tx, { ...about(row), action: 'site-redirect.removed' })
}

/** Publishes a draft. It replaces the live redirect of the same source. */
export async function publishRedirect(work: Redirecting, row: SiteRedirectRow): Promise<SiteRedirectRow> {
  const { tx, site } = work
  const live = await findOccupant(tx, site, false, row.match)
  if (live) refuseHidden(work, live)
  if (live) await deleteRedirect(tx, live)
  const published = await updateRedirect(tx, { ...row, draft: false })
  await refuseLoop(work, published, `${work.at}.destination`)
  if (live) recordChange(tx, { ...about(live), action: 'site-redirect.removed' })
  recordChange(tx, { ...about(row), action: 'site-redirect.updated', fields: ['draft'] })
  return published
}

export function readSource(source: string, at: string): string {
  const match = matchOf(source)
  if (match !== undefined) return match
  throw invalid(
    `${at}.source`,
    'pattern',
    'must be a path such as /old/page, percent-encoded, without a slash at its end; it may end with *',
  )
}

async function refuseTaken({ tx, site, at }: Redirecting, draft: boolean, match: string): Promise<void> {
  if (await findOccupant(tx, site, draft, match)) {
    throw taken(`${at}.source`, draft ? 'This path already has a draft redirect.' : 'This path already has a redirect.')
  }
}

/** Refuses to replace a redirect to a destination that the caller may not see. */
export function refuseHidden({ hidden, at }: Redirecting, { destination }: SiteRedirectRow): void {
  if (destination.kind === 'external') return
  const to = destination.kind === 'site-section' ? destination.siteSectionId : destination.siteSpaceId
  if (hidden.includes(to)) {
    throw taken(`${at}.source`, 'This path already has a redirect, which you cannot see.')
  }
}

function fieldsOf(now: SiteRedirectRow, before: SiteRedirectRow): string[] {
  const same = {
    source: now.source === before.source,
    destination: isSame(now.destination, before.destination),
    captureWildcard: now.capture_wildcard === before.capture_wildcard,
    permanent: now.permanent === before.permanent,
    draft: now.draft === before.draft,
  }
  return Object.entries(same).flatMap(([field, isKept]) => (isKept ? [] : [field]))
}

const isSame = (a: object, b: object) =>
  JSON.stringify(Object.entries(a).toSorted()) === JSON.stringify(Object.entries(b).toSorted())

const about = ({ organization_id, site_id, id }: SiteRedirectRow) => ({
  organizationId: organization_id,
  details: { site: site_id },
  target: { type: 'site-redirect', id },
})
