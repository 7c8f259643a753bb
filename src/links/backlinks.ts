import type { Db } from '../db/connect.ts'
import type { Page } from '../http/paging.ts'
import type { Revision } from '../revisions/revision.ts'
import {
  countSources,
  countSourcesElsewhere,
  listSources,
  listSourcesElsewhere,
  listSpacesLinking,
} from './backlinks.queries.ts'
import type { BranchLinks } from './branch.ts'
import { listMended, onMain } from './list.ts'
import { listVisible } from './list.queries.ts'
import { type MadePages, isMade, mendedBy } from './made.ts'

/** The target of the links, and the user who asks. */
export interface BacklinkQuestion {
  spaceId: string
  main: Revision
  userId: string
  target: string
  /** The links of a change request that differ from main. */
  branch?: BranchLinks | undefined
  /** Generated pages, which are not entries. */
  made?: MadePages | undefined
}

export interface Backlink {
  spaceId: string
  line_id: string
  source: string
}

/**
 * Lists what links to a page or a file, each source once: first in its own space, then in other spaces that the caller
 * may see.
 */
export async function readBacklinks(db: Db, question: BacklinkQuestion, page: Page) {
  const { spaceId, main, userId, target, branch = onMain, made } = question
  const { organizationId, lineId } = main
  const thing = { spaceId, entry: target }
  const linking = await listSpacesLinking(db, organizationId, thing)
  const visible = await listVisible(
    db,
    organizationId,
    userId,
    linking.map(({ space_id }) => space_id),
  )
  const lines = linking.filter(({ space_id }) => visible.has(space_id)).map(({ line_id }) => line_id)
  const spaces = new Map(linking.map(({ line_id, space_id }) => [line_id, space_id]))

  const mended = isMade(made, target) ? await listMended(db, { main, made }, branch) : []
  const drafted = [...branch.rows, ...mended]
    .map(mendedBy(made))
    .filter((row) => row.target === target && row.target_space === null)
  const filter = {
    target,
    without: branch.sources,
    except: branch.replaced,
    and: drafted.map(({ source }) => source),
  }
  const line = { organizationId, lineId }
  const limit = page.limit + 1
  const [afterLine, after] = (page.after ?? []) as [string?, string?]
  const isElsewhere = afterLine !== undefined && afterLine !== lineId
  const own = isElsewhere ? [] : await listSources(db, line, filter, { limit, after })
  const [others, ownCount, othersCount] = await Promise.all([
    listSourcesElsewhere(db, organizationId, thing, lines, {
      limit: limit - own.length,
      after: isElsewhere ? [afterLine, after!] : undefined,
    }),
    countSources(db, line, filter),
    countSourcesElsewhere(db, organizationId, thing, lines),
  ])
  const rows = [...own, ...others].map((row): Backlink => ({ ...row, spaceId: spaces.get(row.line_id) ?? spaceId }))
  return { rows, count: ownCount + othersCount }
}
