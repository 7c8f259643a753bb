import { type Html, attributes } from '../../content/html/template.ts'
import { isExternal } from '../surroundings.ts'
import type { SiteView } from './view.ts'

/**
 * Where a link of the frame leads. Out of the site, it says so, and opens beside it where the site wants that. `more` is
 * what else it is to the site.
 */
export function linkTo({ home, look }: SiteView, href: string, more?: 'me'): Html {
  const external = isExternal(href, home)
  const rel = [external && 'noopener', more].filter(Boolean).join(' ')
  return attributes({ href, rel: rel !== '' && rel, target: external && look.newTabs && '_blank' })
}
