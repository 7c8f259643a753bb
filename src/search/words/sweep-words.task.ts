import type { Database } from '../../db/connect.ts'
import { sql } from '../../db/sql.ts'
import { nilId } from '../../ids.ts'
import type { Task } from '../../jobs/task.ts'

const batch = 200

/** Removes words that no page uses any more. Until then they do no harm: a correction to one of them finds nothing. */
export const sweepWords: Task = {
  name: 'sweep-search-words',
  schedule: '43 3 * * *',
  async run({ db, log, stopping }) {
    let removed = 0
    let last: Last | undefined = { organization_id: nilId, word: '', lexeme: '' }
    while (last) {
      if (stopping?.aborted) break
      const some: Swept = await sweepSome(db, last)
      removed += some.removed
      last = some.last ?? undefined
    }
    if (removed > 0) log.info({ removed }, 'removed words that nobody uses')
  },
}

interface Last {
  organization_id: string
  word: string
  lexeme: string
}

interface Swept {
  removed: number
  last: Last | null
}

/**
 * Removes a few words, in their order. A word that is written again at this moment comes back with the next page that
 * contains it.
 */
async function sweepSome(db: Database, { organization_id, word, lexeme }: Last): Promise<Swept> {
  return db.one(
    sql<Swept>`
    with next as materialized (
      select organization_id, word, lexeme from search_words
      where (organization_id, word, lexeme) > (${organization_id}::uuid, ${word}, ${lexeme})
      order by organization_id, word, lexeme limit ${batch}),
    removed as (
      delete from search_words w using next
      where w.organization_id = next.organization_id and w.word = next.word and w.lexeme = next.lexeme
        and not exists (select from search_sections s
          where array[s.organization_id, s.space_id] && array[next.organization_id]
            and s.words @@ quote_literal(next.lexeme)::tsquery)
      returning 1)
    select (select count(*) from removed) as removed, (
      select to_jsonb(next) from next order by organization_id desc, word desc, lexeme desc limit 1) as last`.asSlow(),
  )
}
