import assert from 'node:assert/strict'
import type { Client } from '../../../test/api-client.ts'
import type { EditedSpace } from '../../../test/editing.ts'
import type { TestApp } from '../../../test/app.ts'
import { sql } from '../../db/sql.ts'

/** An operation that inserts a page with this title and body. */
export const written = (title: string, body: string, metadata: object = {}, more: object = {}) => ({
  operation: 'insert_page',
  document: { markdown: `# ${title}\n\n${body}\n` },
  metadata,
  ...more,
})

export async function search(
  space: Pick<EditedSpace, 'path' | 'who'>,
  query: string,
  more = '',
  who: Client = space.who,
) {
  const answer = await who.get(`${space.path}/search?query=${encodeURIComponent(query)}${more}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** Returns the titles of the found pages, best first. */
export async function titles(space: Pick<EditedSpace, 'path' | 'who'>, query: string): Promise<string[]> {
  return (await search(space, query)).items.map((item: { title: string }) => item.title)
}

/** Adds more rows of one page than are all ranked: copies of its first row, as a very long page would have. */
export async function multiply({ db }: TestApp, spaceId: string) {
  await db.run(sql`
    insert into search_sections (organization_id, space_id, page_id, anchor, part, hash, heading, body, words,
      title_length)
    select organization_id, space_id, page_id, 'copy', n, hash, heading, body, words, title_length
    from (select * from search_sections where space_id = ${spaceId} and anchor = '' order by page_id limit 1) s,
      generate_series(1, 1600) n`)
}
