import { type LinkPlace, exchangeAddresses, linksWithRepeated } from '../content/links.ts'
import { hrefOf } from '../content/document/reference.ts'
import type { Document } from '../content/parse.ts'
import type { Refs } from './entry-data.ts'
import { bindingIn, partsOf, referenceTo } from './references.ts'

/** What the links of a body were bound to, by id: what has to be there for them to be told so. */
export function boundIds(refs: Refs): string[] {
  return Object.keys(refs).flatMap((address) => {
    const { id, space } = bindingIn(refs, address) ?? {}
    return id === undefined || space !== undefined ? [] : [id]
  })
}

/**
 * The text of a body with its links by id (`/pages/<id>`), so that they mean the same wherever the text is put. Links to
 * what is not here are left as they were written, and so are those into other spaces: the reader may not see them.
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
