import type { Db } from '../db/connect.ts'
import { settle } from '../links/settle.ts'
import type { Revision } from '../revisions/revision.ts'
import type { Refs } from './entry-data.ts'
import { bindingIn, writeBinding } from './references.ts'

/**
 * Returns the refs of a text with what its paths lead to in this revision. A link can ask for a page that was not there
 * yet when it was written, or whose place another page has taken since.
 */
export async function refsNow(
  db: Db,
  at: Revision,
  refs: Refs,
  maySee: (pageId: string) => boolean = () => true,
): Promise<Refs> {
  const asked = Object.keys(refs).flatMap((address) => {
    const binding = bindingIn(refs, address)
    return binding?.path === undefined || binding.space !== undefined ? [] : [{ address, binding }]
  })
  if (asked.length === 0) return refs
  const settled = await settle(
    db,
    { at },
    asked.map(({ binding: { kind, id, path } }) => ({ to: 'content', kind, id, path })),
  )
  const found = asked.flatMap(({ address, binding }, i) => {
    const { status, target } = settled[i]!
    if (status !== 'ok' || target === null || target === binding.id || !maySee(target)) return []
    return [[address, writeBinding({ ...binding, kind: 'page', id: target })]]
  })
  return { ...refs, ...Object.fromEntries(found) }
}
