import type { Static } from 'typebox'
import { downloadUrl } from '../files/download.ts'
import { presentFile } from '../files/present.ts'
import type { App } from '../http/routes.ts'
import { file, page, reusable } from '../revisions/entries.ts'
import type { Entry } from '../content/merge/entry.ts'
import type { Batch, Touch } from './batch.ts'
import type { EditedSpace } from './schema.ts'

type Outcome = Omit<Static<typeof EditedSpace>, 'revision'>

/**
 * Presents the effects of a batch, each entry once, in the order of first touch. Entries that it created and removed
 * again are left out.
 */
export function presentOutcome(app: App, batch: Batch, location: string): Outcome {
  const states = new Map([...batch.draft.changes()].map((each) => [each.id, each]))
  const changes: Outcome['changes'] = []
  const insertedFiles: NonNullable<Outcome['insertedFiles']> = []
  for (const [id, touched] of batch.touched) {
    const { before = null, now = null } = states.get(id) ?? {}
    if (!before && !now) continue
    if (touched.kind === file && !before && now) {
      insertedFiles.push(presentFile(now, downloadUrl(app, batch.spaceId, now)))
      continue
    }
    const change = presentChange(id, touched, before, now, location)
    if (change) changes.push(change)
  }
  return { changes, ...(insertedFiles.length > 0 && { insertedFiles }) }
}

function presentChange(
  id: string,
  { kind, ref }: Touch,
  before: Entry | null,
  now: Entry | null,
  location: string,
): Outcome['changes'][number] | undefined {
  const what = !before ? 'created' : now ? 'updated' : 'deleted'
  switch (kind) {
    case page: {
      if (what === 'deleted') return { object: 'deleted_page', page: id }
      const shown = { object: 'page' as const, id, urls: { location: `${location}/content/page/${id}` } }
      if (what === 'updated') return { object: 'updated_page', page: shown }
      return { object: 'created_page', ...(ref !== undefined && { ref }), page: shown }
    }
    case reusable:
      return { object: `${what}_reusable_content`, ...(ref !== undefined && { ref }), reusableContent: id }
    case file:
      return { object: what === 'deleted' ? 'deleted_file' : 'updated_file', file: id }
    default:
      return undefined
  }
}
