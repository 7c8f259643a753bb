import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import type { MainChange } from '../derived/main-change.ts'
import { newest, page, top } from '../revisions/entries.ts'

/** An index entry has room for little more. A page whose path is longer moves without leaving its address behind. */
const maxPathBytes = 2000

/**
 * Remembers where pages of main lay that this revision moved or renamed: their old addresses lead to them from now on.
 * One row for a page, whatever lies below it. Rows stay when another page takes the address: what is there now is
 * looked for first.
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

/** From now on these addresses lead to these pages, where nothing else is. */
export async function keepFormerPaths(
  tx: Transaction,
  { organizationId, spaceId }: { organizationId: string; spaceId: string },
  paths: readonly { path: string; entry: string }[],
): Promise<void> {
  // Two addresses that differ only in case are one here; which of the two pages it leads to does not matter.
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
  /** The page that lay there. It may have moved again, or be gone. */
  entry: string
  /** What was asked for below it, without a slash in front; empty for the page itself. */
  rest: string
}

/**
 * The page that lay at this path, or above it: the longest part of the path that is a former one. `path` is the decoded
 * slugs. What lay below may have moved by itself: if it is not below the page now, that path is to be asked again.
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

/** One for all that look the same. */
export const spellingOf = (path: string) => path.normalize('NFC').toLowerCase()
