import { recordChange } from '../../changes/record.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { newId } from '../../ids.ts'
import type { Secrets } from '../../secrets.ts'
import { firstCharacters } from '../../shortened.ts'
import { proxyAsKept } from '../../sites/addresses.ts'
import { newSigningKey } from '../../sites/publishing-auth/signing-key.ts'
import { holdProxies, isWithinProxyOfOthers } from '../../sites/queries.ts'
import { touchSitesOf } from '../../sites/touch.ts'
import { withNewIds } from '../new-ids.ts'
import { type JsonRow, insertRows, siteTables } from '../queries.ts'

interface To {
  organizationId: string
  /** Ids that are different here. */
  ids: ReadonlyMap<string, string>
  problems: string[]
}

/**
 * Restores sites with their structure, look and redirects. They get a new signing key and no share links, because
 * archives contain no secrets. A site loses its own host if another site has it in the meantime. Returns the id that
 * each of them has here.
 */
export async function importSites(
  tx: Transaction,
  secrets: Secrets,
  to: To,
  tables: Record<string, JsonRow[]>,
  pictures: ReadonlySet<string>,
): Promise<{ was: string; id: string; title: string }[]> {
  const { organizationId } = to
  const ids = new Map(to.ids)
  for (const table of siteTables) {
    for (const { id } of tables[table] ?? []) {
      if (typeof id === 'string' && (await isTaken(tx, table, id))) ids.set(id, newId())
    }
  }
  const sites = tables['sites'] ?? []
  const basenames = new Set(sites.map(({ basename }) => basename as string))
  for (const site of sites) await settle(tx, to, secrets, site, basenames)
  const shown = {
    ...tables,
    sites,
    ...structureWithout(tables, to.ids),
    site_pictures: picturesOf(tables, to, pictures),
  }
  const mapped: Record<string, JsonRow[]> = withNewIds(shown, ids)
  for (const table of siteTables) await insertRows(tx, table, organizationId, mapped[table] ?? [])
  for (const { id } of mapped['sites'] ?? []) {
    recordChange(tx, { action: 'site.created', organizationId, target: { type: 'site', id: id as string } })
  }
  if (sites.length > 0) touchSitesOf(tx, organizationId)
  return sites.map(({ id, title }) => ({
    was: id as string,
    id: ids.get(id as string) ?? (id as string),
    title: title as string,
  }))
}

/** Makes the default site of the archive's organization the default here, unless one is set already. */
export async function showFirst(
  tx: Transaction,
  { organizationId, problems }: To,
  site: { id: string; title: string } | undefined,
  cameFrom: string | undefined,
): Promise<void> {
  if (!site) return
  const chosen = await tx.run(sql`
    update organizations set default_site_id = ${site.id} where id = ${organizationId} and default_site_id is null`)
  if (chosen === 1) {
    const target = { type: 'organization', id: organizationId }
    recordChange(tx, { action: 'organization.updated', organizationId, target, fields: ['defaultContent'] })
  } else if (cameFrom !== organizationId) {
    problems.push(
      `The site ${JSON.stringify(site.title)} was the default site. Here, the default site stays as it is; to change that, ` +
        `PATCH the organization with {"defaultContent": {"type": "site", "site": "${site.id}"}}.`,
    )
  }
}

/**
 * Spaces in the trash are not in the archive: their site spaces are removed, and so are sections that are empty then.
 */
function structureWithout(tables: Record<string, JsonRow[]>, restored: ReadonlyMap<string, string>) {
  const spaces = (tables['site_spaces'] ?? []).filter(({ space_id }) => restored.has(space_id as string))
  const filled = new Set(spaces.map(({ section_id }) => section_id))
  const sections = (tables['site_sections'] ?? []).filter(({ id }) => filled.has(id))
  const left = new Set(spaces.map(({ id }) => id))
  return {
    site_sections: withDefaults(sections, ({ site_id }) => String(site_id)),
    former_site_paths: (tables['former_site_paths'] ?? []).filter(({ site_space_id }) => left.has(site_space_id)),
    site_spaces: withDefaults(spaces, ({ site_id, section_id }) => `${String(site_id)} ${String(section_id)}`),
  }
}

/** Each level has one default. If it is missing, the first of the remaining rows becomes the default. */
function withDefaults(rows: readonly JsonRow[], levelOf: (row: JsonRow) => string): JsonRow[] {
  return [...Map.groupBy(rows, levelOf).values()].flatMap((level) => {
    if (level.some((row) => row['is_default'])) return level
    const [first, ...others] = level.toSorted((a, b) => (String(a['position']) < String(b['position']) ? -1 : 1))
    return [{ ...first, is_default: true }, ...others]
  })
}

/**
 * Whether the id is used already, in this organization or another one. All other ids need to be unique only within
 * their site.
 */
async function isTaken(tx: Transaction, table: string, id: string): Promise<boolean> {
  if (table === 'sites') return (await tx.find(sql`select from sites where id = ${id}`)) !== undefined
  if (table !== 'site_pictures') return false
  return (await tx.find(sql`select from site_pictures where id = ${id}`)) !== undefined
}

/** The pictures whose bytes are in the archive. */
function picturesOf(tables: Record<string, JsonRow[]>, { problems }: To, pictures: ReadonlySet<string>): JsonRow[] {
  return (tables['site_pictures'] ?? []).flatMap((row) => {
    if (pictures.has(row['blob'] as string)) return { ...row, created_by: null }
    problems.push(`The picture ${JSON.stringify(row['name'])} of a site was left out: it is not in the archive.`)
    return []
  })
}

async function settle(
  tx: Transaction,
  { organizationId, problems }: To,
  secrets: Secrets,
  site: JsonRow,
  basenames: Set<string>,
): Promise<void> {
  const title = JSON.stringify(site['title'])
  if (site['visibility'] === 'share-link') {
    problems.push(
      `The site ${title} was restored without its share links: create new ones, nobody can read it until then.`,
    )
  }
  if (site['visibility'] === 'visitor-auth') {
    problems.push(`The site ${title} has a new signing key: set it in the service that signs in its visitors.`)
  }
  site['auth_key'] = `\\x${newSigningKey(secrets).toString('hex')}`
  site['created_by'] = null
  if (await tx.find(sql`select from sites where hostname = ${(site['hostname'] as string | null) ?? ''}`)) {
    problems.push(
      `The site ${title} was restored without its custom domain ${site['hostname'] as string}: it is in use.`,
    )
    site['hostname'] = null
  }
  const proxy = proxyAsKept((site['proxy'] as string | null | undefined) ?? '')
  if (proxy !== '') {
    site['proxy'] = proxy
    await holdProxies(tx, proxy)
  }
  if (await isWithinProxyOfOthers(tx, organizationId, proxy)) {
    problems.push(`The site ${title} was restored without its proxy ${proxy}: another organization has a site there.`)
    site['proxy'] = null
  }
  site['basename'] = await freeBasename(tx, organizationId, site['basename'] as string, basenames)
}

/**
 * Returns the basename it had, or that with a number after it. `others` are the basenames in the archive, which are not
 * free either.
 */
async function freeBasename(tx: Transaction, organizationId: string, wanted: string, others: Set<string>) {
  for (let number = 1; ; number++) {
    const basename = number === 1 ? wanted : `${firstCharacters(wanted, 90)}-${number}`
    if (number > 1 && others.has(basename)) continue
    const found = await tx.find(sql`
      select from sites where organization_id = ${organizationId} and basename = ${basename}`)
    if (found) continue
    others.add(basename)
    return basename
  }
}
