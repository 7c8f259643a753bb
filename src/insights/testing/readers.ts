import type { TestApp } from '../../../test/app.ts'
import { type Browser, type TestSite, expect } from '../../../test/visitor.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

/** Headers of an ordinary browser. */
export const asReader = (headers: Record<string, string> = {}) => ({ headers: { 'user-agent': firefox, ...headers } })

/** Reads a site as readers do, and gets the statistics that its administrator sees. */
export function readersOf(test: TestApp, site: TestSite) {
  const browser = site.browser()
  const get = (path: string, headers: Record<string, string> = {}, by: Browser = browser) =>
    by.get(site.address + path, asReader(headers))
  const told = async (what: string, query = '') => {
    await test.app.insights.flush({ end: true })
    return expect(await site.who.get(`${site.path}/insights/${what}${query}`), 200)
  }
  return {
    browser,
    get,
    told,
    search: (words: string) => get(`~/search.json?q=${encodeURIComponent(words)}`),
    /** Page titles with their number of views. */
    pages: async () => pairs((await told('pages')).items, 'title', 'views'),
    searches: async () => pairs((await told('searches')).items, 'words', 'searches'),
    missing: async () => pairs((await told('missing')).items, 'path', 'requests'),
    today: async () => (await told('days')).items.at(-1),
  }
}

const pairs = (items: any[], name: string, count: string): Record<string, number> =>
  Object.fromEntries(items.map((item) => [item[name], item[count]]))
