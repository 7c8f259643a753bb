import { notFound } from '../http/errors.ts'
import type { App } from '../http/routes.ts'
import type { Content } from '../pages/access.ts'
import { withGenerated } from '../pages/generated.ts'
import { pdfUrl } from './address.ts'
import type { BookOrder } from './pdfs.ts'
import { type Selection, loadSpaceBook, selectPages } from './space-book.ts'

/** All of it. */
export const wholeSpace: Selection = { page: undefined, only: false }

/** Where the PDF of some content is made and fetched, for whoever may read that. */
export async function addressOfPdf(app: App, content: Content, selection: Selection): Promise<string> {
  const { space, at } = content
  if (selection.page !== undefined && !selectPages(await treeOf(app, content), selection)) throw notFound('page')
  return pdfUrl(app, { spaceId: space.id, revisionId: at.id, title: space.title, ...selection })
}

export async function orderSpaceBook(app: App, content: Content, { page, only }: Selection): Promise<BookOrder> {
  const { space, at } = content
  const [found, stamp] = await Promise.all([withGenerated(app, content, {}), app.openapi.stamp(at.organizationId)])
  const { title, language } = space
  return {
    madeFrom: ['space', at.organizationId, at.id, page, only, title, language, app.url, found.expanded?.stamp, stamp],
    load: async (read) => loadSpaceBook(app, content, await treeOf(app, content), { page, only }, read),
  }
}

async function treeOf(app: App, content: Content) {
  return (await withGenerated(app, content, {})).expanded?.tree ?? (await app.content.tree(content.at))
}
