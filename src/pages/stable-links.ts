import { type LinkPlace, exchangeAddresses, linksWithRepeated } from '../content/links.ts'
import { hrefOf } from '../content/document/reference.ts'
import type { Document } from '../content/parse.ts'
import type { Refs } from './entry-data.ts'
import { bindingIn, partsOf, referenceTo } from './references.ts'

/** Returns the ids that the links of a body refer to. These entries have to exist for the links to be written by id. */
export function boundIds(refs: Refs): string[] {
  return Object.keys(refs).flatMap((address) => {
    const { id, space } = bindingIn(refs, address) ?? {}
    return id === undefined || space !== undefined ? [] : [id]
  })
}

/**
 * Returns the text of a body with its links by id (`/pages/<id>`), so that they refer to the same targets wherever the
 * text is used. Links to targets that are not in `here` are left as written, and so are those into other spaces, which
 * the reader may not be allowed to see.
 */
export function withStableLinks(
  document: Document,
  refs: Refs,
  here: ReadonlySet<string>,
  includes: 'too' | 'includes stay' = 'too',
): string {
  return exchangeAddresses(document, linksWithRepeated(document), (place) =>
    place.kind === 'include' && includes !== 'too' ? undefined : stableAddress(place, refs, here),
  )
}

function stableAddress({ href }: LinkPlace, refs: Refs, here: ReadonlySet<string>): string | undefined {
  const { address, anchor } = partsOf(href)
  const { id, space } = bindingIn(refs, address) ?? {}
  if (id === undefined || space !== undefined || !here.has(id)) return undefined
  return hrefOf(referenceTo(address, refs)) + (anchor === undefined ? '' : `#${anchor}`)
}
