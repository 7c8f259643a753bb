import { type LinkPlace, links } from '../content/links.ts'
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
  const { source } = document
  let text = ''
  let from = 0
  for (const place of links(document)) {
    if (place.kind === 'include' && includes !== 'too') continue
    const address = stableAddress(place, refs, here)
    // Places that overlap, as in a link around an image, are left to the first of them.
    if (address === undefined || place.start < from) continue
    // An attribute without quotes takes no slash.
    const quote = source[place.start - 1] === '=' ? '"' : ''
    text += source.slice(from, place.start) + quote + address + anchorOf(place) + quote
    from = place.end
  }
  return text + source.slice(from)
}

function stableAddress({ href }: LinkPlace, refs: Refs, here: ReadonlySet<string>): string | undefined {
  const { address } = partsOf(href)
  const { id, space } = bindingIn(refs, address) ?? {}
  return id === undefined || space !== undefined || !here.has(id) ? undefined : hrefOf(referenceTo(address, refs))
}

/** Such that no Markdown and no HTML around it takes a part of it for its own. */
function anchorOf({ anchor }: LinkPlace): string {
  if (anchor === undefined) return ''
  return `#${anchor.replace(/["'<>()\s&\\]/g, (sign) => `%${sign.codePointAt(0)!.toString(16).padStart(2, '0')}`)}`
}
