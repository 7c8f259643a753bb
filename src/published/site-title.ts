import { placeOfPath } from '../audience/resolve.ts'
import type { SiteSnapshot } from '../audience/snapshots/snapshot.ts'
import type { Place } from '../audience/snapshots/structure.ts'
import type { Visitor } from '../audience/visitors/visitor.ts'
import { lookOf } from '../sites/customization/customization.ts'
import type { Customization } from '../sites/customization/schema.ts'

/** Returns the title of a site at one of its places: from the look there, in the language of the place. */
export function titleAt(snapshot: SiteSnapshot, place: Place, look: Customization = lookAt(snapshot, place)): string {
  return titleIn(look, languageOf(place, look)) || look.title || snapshot.site.title
}

/** Returns the title of the whole site: the one at the place where this visitor begins to read. */
export function titleOfSite(snapshot: SiteSnapshot, visitor: Visitor): string {
  const home = placeOfPath(snapshot, visitor, [])
  return home ? titleAt(snapshot, home) : snapshot.site.title
}

/** Returns the language of the frame around the pages of a place. */
export const languageAt = (snapshot: SiteSnapshot, place: Place): string => languageOf(place, lookAt(snapshot, place))

/** The same, for callers that already have the look of the place. */
export const languageOf = ({ variant }: Place, look: Customization): string =>
  variant.space.language ?? look.internationalization.locale

const lookAt = ({ site }: SiteSnapshot, { variant }: Place) => lookOf(site.customization, variant.customization)

/** Languages of spaces are in lower case. Those in a look are spelled as their author likes (`pt-BR`). */
function titleIn({ localizedTitle = {} }: Customization, language: string): string | undefined {
  const spelled = Object.keys(localizedTitle).find((each) => each.toLowerCase() === language)
  return spelled === undefined ? undefined : localizedTitle[spelled]
}
