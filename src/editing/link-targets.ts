import type { LinkPlace } from '../content/links.ts'
import { linksToExchange } from '../derived/derive.ts'
import { bodyHash } from '../revisions/bodies.ts'
import { behind } from '../links/app-address.ts'
import { bindAddresses, keyOf } from '../links/bind.ts'
import { type Entry, file, page, reusable } from '../revisions/entries.ts'
import type { Refs } from '../pages/entry-data.ts'
import { partsOf } from '../pages/references.ts'
import type { Batch } from './batch.ts'

/**
 * Binds the links of all texts that a batch brought, once all its changes are made, so that a link can name a page that
 * comes later in the batch. The meaning of a link is stored beside the text, which stays as it was sent. The only
 * exceptions are names that are valid only within the batch: they are replaced by the ids they stand for.
 */
export async function bindLinks(batch: Batch): Promise<Map<string, string>> {
  const { draft } = batch
  const texts = [...draft.written].map(([id, document]) => ({ id, ...nameIds(batch, document.body, document.links) }))
  const entries = new Map<string, Entry>()
  for (const { id } of texts) {
    const entry = (await draft.find(id, page)) ?? (await draft.find(id, reusable))
    if (entry) entries.set(id, entry)
  }
  const asked = texts.flatMap(({ id, addresses }) => addresses.map((address) => ({ entry: entries.get(id)!, address })))
  const { db, organizationId, spaceId, url } = batch
  const bindings = await bindAddresses({ content: draft, db, organizationId, spaceId, behindOurs: behind(url) }, asked)

  const bodies = new Map<string, string>()
  for (const { id, body, addresses } of texts) {
    const refs: Refs = {}
    for (const address of addresses) {
      const binding = bindings.get(keyOf(id, address))
      if (binding !== undefined) refs[address] = binding
    }
    const hash = bodyHash(body)
    bodies.set(hash, body)
    draft.put({ ...entries.get(id)!, doc: hash, refs: addresses.length > 0 ? refs : null })
  }
  return bodies
}

/** Replaces `./<ref>.md` and `./<ref>` by the ids they stand for. Returns all addresses to look up. */
function nameIds(batch: Batch, body: string, links: readonly LinkPlace[]): { body: string; addresses: string[] } {
  const addresses = new Set(links.map(({ href }) => idFor(batch, href) ?? partsOf(href).address))
  let text = ''
  let from = 0
  for (const { href, start, end } of linksToExchange(body, links)) {
    const named = idFor(batch, href)
    // Where places overlap, as in a link around an image, only the first one is replaced.
    if (named === undefined || start < from) continue
    text += `${body.slice(from, start)}${named}${href.slice(partsOf(href).address.length)}`
    from = end
  }
  return { body: text + body.slice(from), addresses: [...addresses].filter((address) => address !== '') }
}

function idFor({ refs }: Batch, href: string): string | undefined {
  const ref = /^\.\/([A-Za-z0-9][A-Za-z0-9._-]*)$/.exec(partsOf(href).address)?.[1]
  const target = ref === undefined ? undefined : (refs.get(ref) ?? refs.get(ref.replace(/\.md$/, '')))
  return target && `/${folders[target.kind]}/${target.id}`
}

const folders: Record<number, string> = { [page]: 'pages', [file]: 'files', [reusable]: 'reusable-contents' }
