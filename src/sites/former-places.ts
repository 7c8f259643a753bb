import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { spellingOf } from './former-paths.ts'
import type { SiteKey } from './queries.ts'
import { type PlacedSpace, type Skeleton, spacesOf, standIn } from './structure/structure.ts'

/**
 * Remembers where these spaces of a site stand, right before they get other addresses: the old ones lead to them from
 * then on, with all their pages. Rows stay when something else takes such an address: what is there now is looked for
 * first.
 */
export async function rememberPlaces(
  tx: Transaction,
  site: SiteKey,
  skeleton: Skeleton,
  rows: readonly PlacedSpace[],
): Promise<void> {
  const former = new Map(rows.flatMap((row) => pathsTo(skeleton, row).map((path) => [spellingOf(path), row.id])))
  if (former.size === 0) return
  await tx.run(sql`
    insert into former_site_paths (organization_id, site_id, path, site_space_id)
    select ${site.organization_id}, ${site.id}, moved.path, moved.id
    from unnest(${[...former.keys()]}::text[], ${[...former.values()]}::uuid[]) moved (path, id)
    on conflict (organization_id, site_id, path) do update
      set site_space_id = excluded.site_space_id, moved_at = now()`)
}

/** All paths that lead to it: what is the default of its level is found with its path, and without. */
function pathsTo(skeleton: Skeleton, row: PlacedSpace): string[] {
  const section = skeleton.sections.find(({ id }) => id === row.section_id)
  const shownFirst = standIn(spacesOf(skeleton, row.section_id), ({ in_trash }) => !in_trash)
  const inSite = section ? partsOf(section, section.is_default) : ['']
  const inSection = partsOf(row, row.is_default || shownFirst?.id === row.id)
  return inSite.flatMap((above) => inSection.map((below) => [above, below].filter(Boolean).join('/')))
}

const partsOf = ({ path }: { path: string }, isDefault: boolean) => (isDefault ? ['', path] : [path])

export interface FormerPlace {
  siteSpaceId: string
  /** What was asked for below it. */
  rest: readonly string[]
}

/** The spaces of a site that stood at this path, or above it; first the one of which most of the path is. */
export async function listFormerPlaces(
  db: Db,
  { organization_id, id }: SiteKey,
  segments: readonly string[],
): Promise<FormerPlace[]> {
  const prefixes = Array.from({ length: Math.min(segments.length, deepest) + 1 }, (_, i) => segments.slice(0, i))
  const paths = prefixes.map((prefix) => spellingOf(prefix.join('/')))
  const found = await db.all(sql<{ path: string; site_space_id: string }>`
    select path, site_space_id from former_site_paths
    where organization_id = ${organization_id} and site_id = ${id} and path = any (${paths}::text[])`)
  const spaceAt = new Map(found.map(({ path, site_space_id }) => [path, site_space_id]))
  return paths
    .flatMap((path, length) => {
      const siteSpaceId = spaceAt.get(path)
      return siteSpaceId === undefined ? [] : [{ siteSpaceId, rest: segments.slice(length) }]
    })
    .toReversed()
}

/** A section, and a space in it. */
const deepest = 2
