import { pathOfPage } from '../../audience/resolve.ts'
import type { App } from '../../http/routes.ts'
import { type Alternate, pageAlternates } from '../../translations/alternates.ts'
import type { Found } from '../links.ts'

/** What search engines are told of a page: where it is, and where it says the same in other languages. */
export interface MetaLinks {
  /** Where the site is, for everybody. The paths are below it. */
  site: string
  path: string
  /** With the page itself among them; none where it is in no translation. */
  alternates: (Alternate & { path: string })[]
}

/** Whoever asks for many pages hands over `pagesOf`: to look up what a variant has takes statements. */
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

/** As engines are told: for readers of a language that the page is not in, the variant that shows where none is named. */
export function languageLinks({ site, alternates }: MetaLinks): { language: string; href: string }[] {
  const usual = alternates.find(({ place }) => place.variant.isDefault)
  const all = [...alternates, ...(usual ? [{ ...usual, language: 'x-default' }] : [])]
  return all.map(({ language, path }) => ({ language, href: site + path }))
}
