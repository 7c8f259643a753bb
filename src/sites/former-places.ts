import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { spellingOf } from './former-paths.ts'
import type { SiteKey } from './queries.ts'
import { type PlacedSpace, type Skeleton, spacesOf, standIn } from './structure/structure.ts'

/**
 * Records the places of these site spaces, right before their addresses change: the old addresses lead to them from
 * then on, with all their pages. Rows stay when something else takes such an address, and also when that leaves it
 * again: the current place at an address comes first, then the latest former one.
 */
export async function rememberPlaces(
  tx: Transaction,
  site: SiteKey,
  skeleton: Skeleton,
  rows: readonly PlacedSpace[],
): Promise<void> {
  const former = rows.flatMap((row) =>
    [...new Set(pathsTo(skeleton, row).map(spellingOf))].map((path) => ({ path, id: row.id })),
  )
  if (former.length === 0) return
  await tx.run(sql`
    insert into former_site_paths (organization_id, site_id, path, site_space_id)
    select ${site.organization_id}, ${site.id}, moved.path, moved.id
    from unnest(${former.map(({ path }) => path)}::text[], ${former.map(({ id }) => id)}::uuid[]) moved (path, id)
    on conflict (organization_id, site_id, path, site_space_id) do update set moved_at = now()`)
}

/** Lists all paths that lead to a site space: the default of a level can be reached with its path and without it. */
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
  /** The requested path below it. */
  rest: readonly string[]
}

/**
 * Lists the site spaces that were at this path or above it. The longest match comes first and, of several with the same
 * path, the one that left last.
 */
export async function listFormerPlaces(
  db: Db,
  { organization_id, id }: SiteKey,
  segments: readonly string[],
): Promise<FormerPlace[]> {
  const prefixes = Array.from({ length: Math.min(segments.length, deepest) + 1 }, (_, i) => segments.slice(0, i))
  const paths = prefixes.map((prefix) => spellingOf(prefix.join('/')))
  const found = await db.all(sql<{ path: string; site_space_id: string }>`
    select path, site_space_id from former_site_paths
    where organization_id = ${organization_id} and site_id = ${id} and path = any (${paths}::text[])
    order by length(path) desc, moved_at desc, site_space_id limit ${mostTried}`)
  return found.map(({ path, site_space_id }) => ({
    siteSpaceId: site_space_id,
    rest: segments.slice(paths.indexOf(path)),
  }))
}

/** The path of a section and that of a space in it. */
const deepest = 2

/** Each of them is searched before the request is answered with not found. */
const mostTried = 8
