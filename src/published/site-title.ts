import { placeOfPath } from '../audience/resolve.ts'
import type { SiteSnapshot } from '../audience/snapshots/snapshot.ts'
import type { Place } from '../audience/snapshots/structure.ts'
import type { Visitor } from '../audience/visitors/visitor.ts'
import { lookOf } from '../sites/customization/customization.ts'
import type { Customization } from '../sites/customization/schema.ts'

/** What a site is called at one of its places: as its look says there, in the language of the place. */
export function titleAt(snapshot: SiteSnapshot, place: Place, look: Customization = lookAt(snapshot, place)): string {
  return titleIn(look, languageOf(place, look)) || look.title || snapshot.site.title
}

/** What all of it is called: as where this visitor begins to read. */
export function titleOfSite(snapshot: SiteSnapshot, visitor: Visitor): string {
  const home = placeOfPath(snapshot, visitor, [])
  return home ? titleAt(snapshot, home) : snapshot.site.title
}

/** What is said around the pages of a place is said in this language. */
export const languageAt = (snapshot: SiteSnapshot, place: Place): string => languageOf(place, lookAt(snapshot, place))

/** The same, where the look of the place is at hand. */
export const languageOf = ({ variant }: Place, look: Customization): string =>
  variant.space.language ?? look.internationalization.locale

const lookAt = ({ site }: SiteSnapshot, { variant }: Place) => lookOf(site.customization, variant.customization)

/** Languages of spaces are in lower case; those of a look are as whoever wrote them likes them (`pt-BR`). */
function titleIn({ localizedTitle = {} }: Customization, language: string): string | undefined {
  const spelled = Object.keys(localizedTitle).find((each) => each.toLowerCase() === language)
  return spelled === undefined ? undefined : localizedTitle[spelled]
}
