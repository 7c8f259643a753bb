import type { Static } from 'typebox'
import { excerptOf } from './excerpt.ts'
import type { Needle } from './needle.ts'
import type { FoundPage as FoundPageRow, FoundSection } from './queries.ts'
import type { FoundPage } from './schema.ts'

/** `appUrl` is the address of the space in the authors' app, with a trailing slash. */
export function presentFoundPage(
  { page_id, title, path }: FoundPageRow,
  sections: readonly FoundSection[],
  needle: Needle,
  appUrl: string,
): Static<typeof FoundPage> {
  const pageUrl = appUrl + encodeURI(path)
  // A long section has several parts. The best one comes first and represents the section.
  const byAnchor = new Map(sections.toReversed().map((section) => [section.anchor, section]))
  const shown = sections.filter((section) => byAnchor.get(section.anchor) === section)
  return {
    id: page_id,
    title,
    path,
    sections: shown.map(({ anchor, heading, body }) => ({
      id: anchor || page_id,
      title: anchor === '' ? title : heading,
      path: anchor === '' ? path : `${path}#${anchor}`,
      body: excerptOf(body, needle),
      urls: { app: anchor === '' ? pageUrl : `${pageUrl}#${encodeURIComponent(anchor)}` },
    })),
    urls: { app: pageUrl },
  }
}
