import { gunzipSync } from 'node:zlib'
import { limits } from '../limits.ts'

/**
 * The page addresses in a sitemap, or the further sitemaps that a sitemap index lists. Only the text between two tags
 * is matched: no XML declaration can change the result.
 */
export function readSitemap(bytes: Buffer): { pages: string[]; sitemaps: string[] } {
  const text = textOf(bytes)
  const addresses = [...text.matchAll(/<loc>\s*(?:<!\[CDATA\[\s*)?([^<\]\s]{1,2048})/g)].map(([, address]) =>
    address!.replaceAll('&amp;', '&'),
  )
  return /<sitemapindex[\s>]/.test(text) ? { pages: [], sitemaps: addresses } : { pages: addresses, sitemaps: [] }
}

function textOf(bytes: Buffer): string {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  try {
    return (isPacked ? gunzipSync(bytes, { maxOutputLength: limits.sitemapBytes }) : bytes).toString()
  } catch {
    return ''
  }
}
