import type { Entry } from '../content/merge/entry.ts'
import { pageData } from '../pages/entry-data.ts'
import type { FileTarget, Picture, Surroundings, Target } from './blocks/drawing.ts'
import type { SiteView } from './frame/view.ts'
import type { Links } from './links.ts'

/** What the text of a page finds around it on its site: pages by their title, pictures by their size. */
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

/** The page of results for a question, from an address that may say where it is asked. */
const resultsFor = (page: string, question: string) =>
  `${page}${page.includes('?') ? '&' : '?'}q=${encodeURIComponent(question)}`

function aboutPage(page: Entry): Pick<Target, 'title' | 'description' | 'icon'> {
  const { title, description, icon } = pageData(page)
  return { title, ...(description !== undefined && { description }), ...(icon !== undefined && { icon }) }
}

/** Not on this site: a link out of it says so. */
export const isExternal = (address: string, home: string) =>
  /^(?:https?:)?\/\//i.test(address) && !address.startsWith(home)

const nameIn = (address: string) => address.split(/[?#]/)[0]!.split('/').at(-1) ?? address
