import type { App } from '../../http/routes.ts'
import { inOrder } from '../../in-order.ts'
import { reusableData } from '../../pages/entry-data.ts'
import { type Entry, reusable } from '../../revisions/entries.ts'
import type { Revision } from '../../revisions/revision.ts'

/** Lists all reusable contents of a revision, ordered by title. */
export async function listReusable(app: App, at: Revision): Promise<Entry[]> {
  const entries = await app.content.entries(at, reusable)
  return entries.toSorted((a, b) => inOrder(reusableData(a).title, reusableData(b).title))
}
