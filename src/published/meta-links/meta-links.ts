import { pathOfPage } from '../../audience/resolve.ts'
import type { App } from '../../http/routes.ts'
import { type Alternate, pageAlternates } from '../../translations/alternates.ts'
import type { Found } from '../links.ts'

/** What search engines learn about a page: its address, and its addresses in other languages. */
export interface MetaLinks {
  /** The public address of the site. The paths are below it. */
  site: string
  path: string
  /** Includes the page itself. Empty if the page is in no translation. */
  alternates: (Alternate & { path: string })[]
}

/** Callers that process many pages pass `pagesOf`, because looking up the pages of a variant takes queries. */
export async function metaLinksOf(
  app: App,
  found: Found,
  pagesOf?: Parameters<typeof pageAlternates>[2],
): Promise<MetaLinks> {
  const { snapshot, visitor } = found
  const alternates = await pageAlternates(app, found, pagesOf)
  return {
    site: app.audience.canonicalAddress(snapshot),
    path: pathOfPage(snapshot, visitor, found),
    alternates: alternates.map((each) => ({ ...each, path: pathOfPage(snapshot, visitor, each) })),
  }
}

/**
 * The links in the form that search engines expect. Readers of a language that the page is not in get the variant that
 * shows if none is named.
 */
export function languageLinks({ site, alternates }: MetaLinks): { language: string; href: string }[] {
  const usual = alternates.find(({ place }) => place.variant.isDefault)
  const all = [...alternates, ...(usual ? [{ ...usual, language: 'x-default' }] : [])]
  return all.map(({ language, path }) => ({ language, href: site + path }))
}
