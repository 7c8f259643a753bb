import { visibleVariants } from '../../audience/snapshots/structure.ts'
import type { PageView } from '../frame/view.ts'
import { type Found, pathTo } from '../links.ts'
import type { MetaLinks } from './meta-links.ts'

/**
 * Lists the languages of the other variants for the start page of a site. The reader's browser decides which of them is
 * offered, so that everybody gets the same page. Other pages offer none: their readers were led to exactly that page.
 */
export function offersAt({ snapshot, visitor, place }: Found, meta: MetaLinks, base: string): PageView['offers'] {
  if (meta.path !== '') return []
  const level = place.section?.variants ?? snapshot.root
  const offers = new Map<string, string>()
  for (const variant of visibleVariants(level, visitor)) {
    const { language } = variant.space
    if (language === null || offers.has(language)) continue
    offers.set(language, base + pathTo(snapshot, visitor, { section: place.section, variant }))
  }
  // Of several versions in a language, the one that is the translation of this page.
  for (const { language, path } of meta.alternates) offers.set(language, base + path)
  // Compares addresses, because a translation may name its language differently than its space does.
  return [...offers].filter(([, href]) => href !== base).map(([language, href]) => ({ language, href }))
}
