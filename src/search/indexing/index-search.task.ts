import type { Database, Db } from '../../db/connect.ts'
import { sql } from '../../db/sql.ts'
import { nobody, transaction } from '../../db/transaction.ts'
import { nilId } from '../../ids.ts'
import { each } from '../../jobs/each.ts'
import type { Task } from '../../jobs/task.ts'
import { type Entry, columns, page } from '../../revisions/entries.ts'
import { type Line, findMainLine, lockLine } from '../../revisions/lines.ts'
import { indexPages, preparePages } from './index-pages.ts'
import { lexiconOf } from '../words/lexicon.ts'
import { type Behind, beginIndexing, findBehind, findDone, listBehind, setDone } from './progress.queries.ts'

const pagesAtOnce = 10
const mostSpaces = 1_000
/** A little less than the time until the next run, which continues from there. */
const enoughMs = 50_000

/**
 * Indexes what is not indexed: spaces from before search existed, spaces whose language was changed, and all spaces
 * after a change of the method. Edits index what they write themselves.
 */
export const indexSearch: Task = {
  name: 'index-search',
  schedule: '* * * * *',
  async run({ db, log, stopping }) {
    const until = performance.now() + enoughMs
    const behind = await listBehind(db, mostSpaces)
    const indexed = await each(
      { log, isEnough: () => stopping?.aborted === true },
      behind,
      'a space could not be indexed',
      async (space) => {
        while (performance.now() < until && (await indexSome(db, space))) if (stopping?.aborted) return
      },
    )
    if (stopping?.aborted) return
    if (indexed > 0) log.info({ indexed }, 'indexed spaces')
    await tidyIndex(db)
  },
}

/** Indexes the next few pages, in a transaction of their own, so that nobody waits long and a crash loses little. */
async function indexSome(db: Database, space: Behind): Promise<boolean> {
  const where = { organizationId: space.organization_id, spaceId: space.space_id }
  const line = await findMainLine(db, where.organizationId, where.spaceId)
  const ahead = await listNextPages(db, line, (await findDone(db, where)) ?? undefined)
  await preparePages(db, where, undefined, ahead, new Map())

  return transaction(db, nobody, async (tx) => {
    await lockLine(tx, line.organizationId, line.id)
    const still = await findBehind(tx, space)
    if (!still) return false
    const place = { ...where, lexicon: lexiconOf(still.language) }
    const pages = await listNextPages(tx, line, await beginIndexing(tx, place))
    await indexPages(tx, where, undefined, pages, new Map())
    const isEnd = pages.length < pagesAtOnce
    await setDone(tx, place, isEnd ? null : pages.at(-1)!.entry)
    tx.leaveRights()
    return !isEnd
  })
}

function listNextPages(db: Db, { organizationId, id }: Line, after = nilId): Promise<Entry[]> {
  return db.all(sql<Entry>`
    select ${columns} from heads e
    where e.organization_id = ${organizationId} and e.line_id = ${id} and e.entry > ${after}::uuid
      and e.kind = ${page} and e.state = 0
    order by e.entry limit ${pagesAtOnce}`)
}

/**
 * New rows wait in a list until they are sorted into the index. This is done here, before the list gets so long that a
 * writer has to do it and wait for it.
 */
async function tidyIndex(db: Database): Promise<void> {
  await db.run(sql`select gin_clean_pending_list('search_sections_words')`.asSlow())
}
