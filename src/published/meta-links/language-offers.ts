import { visibleVariants } from '../../audience/snapshots/structure.ts'
import type { PageView } from '../frame/view.ts'
import { type Found, pathTo } from '../links.ts'
import type { MetaLinks } from './meta-links.ts'

/**
 * The languages that the start page of a site has other variants in. Which of them is offered to a reader
 * their browser decides, so that everybody gets the same page. No other page offers any: whoever comes to one was led to
 * just that.
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
  // Of several versions in a language, the one that is its translation.
  for (const { language, path } of meta.alternates) offers.set(language, base + path)
  // A translation may call its own language otherwise than its space does.
  return [...offers].filter(([, href]) => href !== base).map(([language, href]) => ({ language, href }))
}
