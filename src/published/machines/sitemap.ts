import { escapeHtml } from '../../content/html/escape.ts'

/** A page in the sitemap: its address, and its addresses in other languages, as in its head. */
export interface MappedPage {
  url: string
  updatedAt: string
  alternates: readonly { language: string; href: string }[]
}

/** The format allows 50,000 pages and 50 MB per file. With the longest addresses, 50 MB hold less than half as many. */
const mostAddresses = 20_000

/** Writes the sitemap of a site or, if it does not fit into one file, the index of its sitemaps. */
export function writeSitemap(pages: readonly MappedPage[], partAddress: (part: number) => string): string {
  const parts = partsOf(pages)
  if (parts.length <= 1) return writePart(pages)
  const items = parts.map((_, at) => `<sitemap><loc>${escapeHtml(partAddress(at + 1))}</loc></sitemap>`)
  return `${declaration}<sitemapindex xmlns="${namespace}">${items.join('')}</sitemapindex>\n`
}

export function writePart(pages: readonly MappedPage[]): string {
  const items = pages.map(({ url, updatedAt, alternates }) => {
    const links = alternates.map(
      ({ language, href }) =>
        `<xhtml:link rel="alternate" hreflang="${escapeHtml(language)}" href="${escapeHtml(href)}"/>`,
    )
    return `<url><loc>${escapeHtml(url)}</loc><lastmod>${updatedAt}</lastmod>${links.join('')}</url>`
  })
  const hasLinks = pages.some(({ alternates }) => alternates.length > 0)
  const names = `xmlns="${namespace}"${hasLinks ? ` xmlns:xhtml="${xhtml}"` : ''}`
  return `${declaration}<urlset ${names}>\n${items.join('\n')}\n</urlset>\n`
}

export const partOf = (pages: readonly MappedPage[], part: number) => partsOf(pages)[part - 1] ?? []

/**
 * Splits the pages into parts that are as long as possible, counted in addresses: in ten languages a page has twelve of
 * them.
 */
function partsOf(pages: readonly MappedPage[]): MappedPage[][] {
  const parts: MappedPage[][] = []
  let left = 0
  for (const page of pages) {
    const addresses = 1 + page.alternates.length
    if (addresses > left) {
      parts.push([])
      left = mostAddresses
    }
    parts.at(-1)!.push(page)
    left -= addresses
  }
  return parts
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'
const xhtml = 'http://www.w3.org/1999/xhtml'

/** Writes robots.txt. Access is refused by the answers themselves; this only saves robots the requests. */
export function writeRobots(isIndexed: boolean, sitemap: string): string {
  return isIndexed ? `User-agent: *\nAllow: /\n\nSitemap: ${sitemap}\n` : 'User-agent: *\nDisallow: /\n'
}
