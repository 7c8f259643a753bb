import { findChangeRequest } from '../change-requests/queries.ts'
import { presentChangeRequest } from '../change-requests/present.ts'
import { downloadUrl } from '../files/download.ts'
import { presentFile } from '../files/present.ts'
import { notFound } from '../http/errors.ts'
import { KeptAnswer } from '../http/kept.ts'
import type { App } from '../http/routes.ts'
import { file, reusable, variable } from '../revisions/entries.ts'
import { findRevision } from '../revisions/lines.ts'
import type { RevisionRow } from '../revisions/revision.ts'
import { findPublishedPlace, publishedUrls } from '../sites/published-place.ts'
import type { Content } from './access.ts'
import { variableData } from './entry-data.ts'
import { type View, presentReusable, presentRevision, presentTree, writeTree } from './present.ts'
import { listTold } from './told.ts'

/** Returns the answer with all pages of a revision. */
export async function pagesAnswer(app: App, content: Content, view: View): Promise<KeptAnswer> {
  if (content.shown) return new KeptAnswer({ pages: presentTree(content.shown.tree, view) })
  const { expanded } = content
  return app.content.answer(content.at, `pages ${nameOf(view)} ${expanded?.stamp ?? ''}`, async () =>
    writeTree(expanded?.tree ?? (await app.content.tree(content.at)), view),
  )
}

/** Returns the answer with the whole content of a revision. Addresses of files change every hour. */
export async function revisionAnswer(app: App, content: Content, view: View): Promise<KeptAnswer> {
  const row = await findKeptRevision(app, content)
  if (content.shown) return new KeptAnswer(await makeRevision(app, content, row, view))
  const [mergedFrom, published] = await Promise.all([findMerged(app, row), findPublished(app, content)])
  const stamp = content.expanded?.stamp ?? ''
  const around = JSON.stringify([mergedFrom, published])
  return app.content.answer(content.at, `revision ${nameOf(view)} ${currentHour()} ${stamp} ${around}`, async () => {
    const shown = await makeRevision(app, content, row, view)
    return { ...shown, ...(mergedFrom && { mergedFrom }), urls: { ...shown.urls, ...published } }
  })
}

async function makeRevision(app: App, content: Content, row: RevisionRow, view: View) {
  const { at, space, shown, expanded } = content
  const [tree, files, contents, variables] = await Promise.all([
    shown?.tree ?? expanded?.tree ?? app.content.tree(at),
    listTold(app, content, file),
    listTold(app, content, reusable),
    shown ? [] : app.content.entries(at, variable),
  ])
  const urlOf = (entry: (typeof files)[number]) => downloadUrl(app, space.id, entry)
  return {
    ...presentRevision(row, view),
    variables: Object.fromEntries(variables.map((entry) => [entry.slug!, variableData(entry).value])),
    pages: presentTree(tree, view),
    files: files.map((entry) => presentFile(entry, urlOf(entry), view.withGit)),
    reusableContents: contents.map((entry) => presentReusable(entry, view)),
  }
}

/** Addresses of files are rounded to the hour. */
export const currentHour = () => Math.floor(Date.now() / 3_600_000)

const nameOf = ({ appUrl, withGit }: View) => `${appUrl} ${withGit}`

async function findKeptRevision(app: App, { at, space }: Content): Promise<RevisionRow> {
  const row = await findRevision(app.db, at.organizationId, space.id, at.id)
  if (!row) throw notFound('revision')
  return row
}

/** Sites can change while a revision does not, so their addresses are not part of the cached content either. */
async function findPublished(app: App, { space, isCurrent }: Content) {
  const place = isCurrent ? await findPublishedPlace(app.db, space) : undefined
  return place && publishedUrls(app.hosts, place)
}

/**
 * Returns the change request whose merge created a revision. It can still change, so it is not part of the cached
 * content.
 */
export async function findMerged(app: App, row: RevisionRow) {
  if (row.merged_from === null) return undefined
  const found = await findChangeRequest(app.db, row.organization_id, row.space_id, row.merged_from)
  return found && presentChangeRequest(found, app.url)
}
