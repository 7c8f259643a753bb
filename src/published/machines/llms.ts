import type { SiteSnapshot } from '../../audience/snapshots/snapshot.ts'
import type { Place } from '../../audience/snapshots/structure.ts'
import type { Visitor } from '../../audience/visitors/visitor.ts'
import { markdownAddress } from '../page-view.ts'
import { namesOf } from '../search/search.ts'
import { titleOfSite } from '../site-title.ts'
import type { Listed } from './listing.ts'

/** Writes a table of contents for language models: a link to the Markdown of every page. */
export function writeLlms(
  { snapshot, visitor }: { snapshot: SiteSnapshot; visitor: Visitor },
  listed: readonly Listed[],
  full: string,
  mcp?: string,
): string {
  const lines = [`# ${oneLine(titleOfSite(snapshot, visitor))}`, '', `> The whole of it as one text: ${full}`]
  if (mcp !== undefined) lines.push(`> To search it and to read its pages by MCP: ${mcp}`)
  lines.push('')
  const places = new Set(listed.map(({ place }) => place))
  const titleOf = (place: Place) => namesOf(snapshot, visitor, place).join(' – ') || place.variant.title
  const titles = new Map([...places].map((place) => [place, titleOf(place)]))
  let heading: string | undefined
  for (const { place, data, url } of listed) {
    const title = titles.get(place)!
    if (title !== heading) lines.push(...(heading === undefined ? [] : ['']), `## ${oneLine((heading = title))}`, '')
    const about = data.description === undefined ? '' : `: ${oneLine(data.description)}`
    lines.push(`- [${oneLine(data.title)}](${markdownAddress(url)})${about}`)
  }
  return `${lines.join('\n')}\n`
}

/** Separates the pages of the full text. */
export const pageBreak = (url: string) => `\n\n---\n\nSource: ${url}\n\n`

const oneLine = (text: string) => text.replace(/\s+/g, ' ').replace(/[[\]]/g, '').trim()
