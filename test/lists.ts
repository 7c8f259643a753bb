import assert from 'node:assert/strict'
import type { Client } from './api-client.ts'

/** Returns all items of a list, fetched two at a time. */
export async function walk(client: Client, path: string) {
  const items = []
  for (let page = ''; ;) {
    const { status, body, text } = await client.get(`${path}${path.includes('?') ? '&' : '?'}limit=2${page}`)
    assert.equal(status, 200, text)
    assert.ok(body.items.length <= 2)
    items.push(...body.items)
    if (!body.next) {
      assert.equal(items.length, body.count)
      return items
    }
    page = `&page=${body.next.page}`
  }
}
