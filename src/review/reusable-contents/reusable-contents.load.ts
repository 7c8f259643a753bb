import type { App } from '../../http/routes.ts'
import { reusableData } from '../../pages/entry-data.ts'
import { type Entry, reusable } from '../../revisions/entries.ts'
import type { Revision } from '../../revisions/revision.ts'

const inOrder = new Intl.Collator('en', { numeric: true })

/** All of a revision, by their titles. */
export async function listReusable(app: App, at: Revision): Promise<Entry[]> {
  const entries = await app.content.entries(at, reusable)
  return entries.toSorted((a, b) => inOrder.compare(reusableData(a).title, reusableData(b).title))
}
