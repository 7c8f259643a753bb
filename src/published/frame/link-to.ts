import { type Html, attributes } from '../../content/html/template.ts'
import { isExternal } from '../surroundings.ts'
import type { SiteView } from './view.ts'

/**
 * Returns the attributes of a link in the frame. A link out of the site is marked as such, and opens in a new tab if
 * the site wants that. `more` is any further relation to the site.
 */
export function linkTo({ home, look }: SiteView, href: string, more?: 'me'): Html {
  const external = isExternal(href, home)
  const rel = [external && 'noopener', more].filter(Boolean).join(' ')
  return attributes({ href, rel: rel !== '' && rel, target: external && look.newTabs && '_blank' })
}
