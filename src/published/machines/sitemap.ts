import { escapeHtml } from '../../content/html/escape.ts'
import type { Listed } from './listing.ts'

/** The format allows 50,000 in a file, and 50 MB: of the longest addresses that is less than half as many. */
const mostInOne = 20_000

/** The map of a site, or, where one file cannot hold it, the list of its maps. */
export function writeSitemap(listed: readonly Listed[], partAddress: (part: number) => string): string {
  if (listed.length <= mostInOne) return writePart(listed)
  const parts = Array.from({ length: Math.ceil(listed.length / mostInOne) }, (_, part) => partAddress(part + 1))
  const items = parts.map((address) => `<sitemap><loc>${escapeHtml(address)}</loc></sitemap>`)
  return `${declaration}<sitemapindex xmlns="${namespace}">${items.join('')}</sitemapindex>\n`
}

export function writePart(listed: readonly Listed[]): string {
  const items = listed.map(
    ({ url, data }) => `<url><loc>${escapeHtml(url)}</loc><lastmod>${data.updatedAt}</lastmod></url>`,
  )
  return `${declaration}<urlset xmlns="${namespace}">\n${items.join('\n')}\n</urlset>\n`
}

export const partOf = (listed: readonly Listed[], part: number) =>
  listed.slice((part - 1) * mostInOne, part * mostInOne)

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** What robots are told. Who is to be kept out is kept out by the answer itself; this spares them the way. */
export function writeRobots(isIndexed: boolean, sitemap: string): string {
  return isIndexed ? `User-agent: *\nAllow: /\n\nSitemap: ${sitemap}\n` : 'User-agent: *\nDisallow: /\n'
}
