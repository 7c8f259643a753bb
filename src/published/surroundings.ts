import type { Entry } from '../content/merge/entry.ts'
import { pageData } from '../pages/entry-data.ts'
import type { FileTarget, Picture, Surroundings, Target } from './blocks/drawing.ts'
import type { SiteView } from './frame/view.ts'
import type { Links } from './links.ts'

/** Provides what the text of a page needs from its site: pages by their title, pictures by their size. */
export function surroundingsOf({
  links,
  site,
}: {
  links: Links
  site: Pick<SiteView, 'home' | 'words' | 'language' | 'look' | 'search'>
}): Surroundings {
  return {
    words: site.words,
    language: site.language,
    search: (question) => resultsFor(site.search.link, question),
    link(href) {
      const address = links.link(href)
      if (address === undefined) return undefined
      const page = links.pageOf(href)
      const external = isExternal(address, site.home)
      return { href: address, external, newTab: external && site.look.newTabs, ...(page && aboutPage(page)) }
    },
    image(src): Picture | undefined {
      const address = links.image(src)
      const file = links.fileOf(src)
      if (address === undefined) return undefined
      return { src: address, ...(file?.width !== undefined && { width: file.width, height: file.height }) }
    },
    file(src): FileTarget | undefined {
      const address = links.link(src)
      const file = links.fileOf(src)
      if (address === undefined) return undefined
      return { href: address, name: file?.name ?? nameIn(src), ...(file && { size: file.size }) }
    },
  }
}

/**
 * Returns the address of the results for a question. The address of the search page may already have a query that says
 * where the reader is.
 */
const resultsFor = (page: string, question: string) =>
  `${page}${page.includes('?') ? '&' : '?'}q=${encodeURIComponent(question)}`

function aboutPage(page: Entry): Pick<Target, 'title' | 'description' | 'icon'> {
  const { title, description, icon } = pageData(page)
  return { title, ...(description !== undefined && { description }), ...(icon !== undefined && { icon }) }
}

/** Whether an address is not on this site. Links out of the site are marked. */
export const isExternal = (address: string, home: string) =>
  /^(?:https?:)?\/\//i.test(address) && !address.startsWith(home)

const nameIn = (address: string) => address.split(/[?#]/)[0]!.split('/').at(-1) ?? address
