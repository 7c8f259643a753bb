import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import type { MainChange } from '../derived/main-change.ts'
import { newest, page, top } from '../revisions/entries.ts'

/** An index entry cannot hold much more. A page with a longer path moves without keeping its old address. */
const maxPathBytes = 2000

/**
 * Records the former paths of pages of main that this revision moved or renamed: their old addresses lead to them from
 * then on. One row per page also covers everything below it. Rows stay when another page takes the address, since the
 * current page at an address comes first.
 */
export async function recordFormerPaths(tx: Transaction, { before, rows }: MainChange): Promise<void> {
  const pages = rows.filter(({ kind, state }) => kind === page && state === 0)
  if (before.head.seq === 0 || pages.length === 0) return
  const { organizationId, spaceId } = before
  const moved = await tx.all(
    sql<{ entry: string; path: string }>`
    with recursive up (entry, parent, path) as (
      select e.entry, e.parent, e.slug
      from unnest(${pages.map(({ entry }) => entry)}::uuid[], ${pages.map(({ parent }) => parent)}::uuid[],
        ${pages.map(({ slug }) => slug)}::text[]) written (entry, parent, slug)
      cross join lateral ${newest(before.head, sql`written.entry`)} e
      where e.state = 0 and (e.parent <> written.parent or e.slug <> written.slug)
      union all
      select up.entry, e.parent, e.slug || '/' || up.path from up
      cross join lateral ${newest(before.head, sql`up.parent`)} e where up.parent <> ${top} and e.state = 0)
    select entry, path from up where parent = ${top}`,
  )
  await keepFormerPaths(tx, { organizationId, spaceId }, moved)
}

/** Makes these addresses lead to these pages, unless something else has the address. */
export async function keepFormerPaths(
  tx: Transaction,
  { organizationId, spaceId }: { organizationId: string; spaceId: string },
  paths: readonly { path: string; entry: string }[],
): Promise<void> {
  // Two addresses that differ only in case are the same here. It does not matter which of the two pages it leads to.
  const former = new Map(paths.map(({ path, entry }) => [spellingOf(path), entry]))
  for (const path of former.keys()) if (Buffer.byteLength(path) > maxPathBytes) former.delete(path)
  if (former.size === 0) return
  await tx.run(sql`
    insert into former_paths (organization_id, space_id, path, entry)
    select ${organizationId}, ${spaceId}, moved.path, moved.entry
    from unnest(${[...former.keys()]}::text[], ${[...former.values()]}::uuid[]) moved (path, entry)
    on conflict (organization_id, space_id, path) do update set entry = excluded.entry, moved_at = now()`)
}

export interface FormerPath {
  /** The page that had this path. It may have moved again, or be gone. */
  entry: string
  /** The requested path below it, without a leading slash. Empty for the page itself. */
  rest: string
}

/**
 * Finds the page that was at this path or above it, by the longest prefix that is a former path. `path` consists of
 * decoded slugs. A page below may have moved separately: if it is no longer below the page, look up its former path as
 * well.
 */
export async function findFormer(
  db: Db,
  organizationId: string,
  spaceId: string,
  path: string,
): Promise<FormerPath | undefined> {
  const slugs = path.split('/').filter(Boolean)
  const prefixes = slugs.map((_, i) => spellingOf(slugs.slice(0, i + 1).join('/')))
  const found = await db.find(sql<{ path: string; entry: string }>`
    select path, entry from former_paths where organization_id = ${organizationId} and space_id = ${spaceId}
      and path = any (${prefixes}::text[]) order by length(path) desc limit 1`)
  if (!found) return undefined
  return { entry: found.entry, rest: slugs.slice(found.path.split('/').length).join('/') }
}

/** Normalizes a path, so that all paths that look the same are equal. */
export const spellingOf = (path: string) => path.normalize('NFC').toLowerCase()
