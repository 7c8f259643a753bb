import { type Html, attributes } from '../../content/html/template.ts'
import { isExternal } from '../surroundings.ts'
import type { SiteView } from './view.ts'

/** Where a link of the frame leads. Out of the site, it says so, and opens beside it where the site wants that. */
export function linkTo({ home, look }: SiteView, href: string): Html {
  const external = isExternal(href, home)
  return attributes({ href, rel: external && 'noopener', target: external && look.newTabs && '_blank' })
}
