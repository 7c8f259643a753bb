import type { PageOrigin } from '../pages/entry-data.ts'
import { isId } from '../ids.ts'
import { findOrigin } from '../translations/marks.queries.ts'
import type { Step } from './batch.ts'

const field = 'metadata.translatedFrom'

/** Which page of the source a page translates, and as of which revision. null removes the mark. */
export async function originOf({ batch, path }: Step, sent: PageOrigin | null): Promise<PageOrigin | undefined> {
  if (sent === null) return undefined
  const { page, revision } = sent
  const noPage = () => path.invalid(`${field}.page`, 'exists', 'is not a page of the space that this one translates')
  const noRevision = () =>
    path.invalid(
      `${field}.revision`,
      'exists',
      'is not a revision of the main content of the space that this one translates',
    )
  if (!isId(page)) throw noPage()
  if (!isId(revision)) throw noRevision()
  const origin = await findOrigin(batch.db, batch.organizationId, batch.spaceId, sent)
  if (!origin)
    throw path.invalid(field, 'translation', 'needs a space that is a variant in a translation with a source')
  if (!origin.has_page) throw noPage()
  if (!origin.has_revision) throw noRevision()
  return { page, revision }
}
