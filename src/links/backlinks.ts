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

/** What is linked to, and who asks. */
export interface BacklinkQuestion {
  spaceId: string
  main: Revision
  userId: string
  target: string
  /** What a change request says instead of main. */
  branch?: BranchLinks | undefined
  /** Pages that are there without being entries. */
  made?: MadePages | undefined
}

export interface Backlink {
  spaceId: string
  line_id: string
  source: string
}

/** What links to a page or a file, each once: in its space, then in others, as far as the caller may see them. */
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
