import assert from 'node:assert/strict'
import type { Client } from '../../../test/api-client.ts'
import type { EditedSpace } from '../../../test/editing.ts'

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
