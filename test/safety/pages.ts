import assert from 'node:assert/strict'
import type { TestApp } from '../app.ts'
import { type TestSite, expect } from '../visitor.ts'
import type { Watched } from './watch.ts'

/** Nothing runs at this address. */
export async function inert(watched: Watched, url: string): Promise<void> {
  assert.deepEqual(await watched.visit(url), [], url)
}

/** The titles and addresses of the pages at the top of a site. */
export async function pathsOf(app: TestApp, site: TestSite): Promise<{ title: string; url: string }[]> {
  const { pages } = expect(await site.who.get(`${site.space.path}/content`), 200)
  return pages.map(({ title, path }: any) => ({ title, url: `${app.url}${site.address}${path}` }))
}
