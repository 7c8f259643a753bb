import { type Hunk, diffLines } from '../../content/diff.ts'
import type { App } from '../../http/routes.ts'
import type { LoadedChanges } from '../../pages/changes.ts'
import { listBodies } from '../../revisions/bodies.ts'
import { shortened } from '../../shortened.ts'

const longestNew = 64 * 1024

/** The texts of new pages and reusable contents, as if each line had been added to an empty text. */
export type FreshTexts = ReadonlyMap<string, Hunk[]>

export async function freshTexts(app: App, organizationId: string, { changes }: LoadedChanges): Promise<FreshTexts> {
  const made = changes.flatMap((change) => {
    const entry =
      change.type === 'page_created'
        ? change.page
        : change.type === 'reusable_content_created'
          ? change.reusableContent
          : undefined
    return entry && entry.doc !== null ? [{ id: entry.entry, doc: entry.doc }] : []
  })
  const docs = made.map(({ doc }) => doc)
  const bodies = new Map((await listBodies(app.db, organizationId, docs)).map((each) => [each.hash, each.markdown]))
  return new Map(made.map(({ id, doc }) => [id, diffLines('', shortened(bodies.get(doc) ?? '', longestNew))]))
}
