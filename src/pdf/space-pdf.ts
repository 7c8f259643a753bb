import { notFound } from '../http/errors.ts'
import type { App } from '../http/routes.ts'
import type { Content } from '../pages/access.ts'
import { pageData } from '../pages/entry-data.ts'
import { withGenerated } from '../pages/generated.ts'
import { pdfUrl } from './address.ts'
import type { BookOrder } from './pdfs.ts'
import { type Selection, isNotForAll, loadSpaceBook, selectPages } from './space-book.ts'

/** The whole space. */
export const wholeSpace: Selection = { page: undefined, only: false }

/** Returns the address where the PDF of some content is made and fetched, for a caller who may read that content. */
export async function addressOfPdf(app: App, content: Content, selection: Selection): Promise<string> {
  const { space, at } = content
  const title = selection.page === undefined ? space.title : (await findPrintable(app, content, selection.page)).title
  return pdfUrl(app, { spaceId: space.id, revisionId: at.id, title, ...selection })
}

/** Returns the title and path of a page that can be printed, and whether there are more pages to print below it. */
export async function findPrintable(
  app: App,
  content: Content,
  page: string,
): Promise<{ title: string; path: string; hasMore: boolean }> {
  const tree = await treeOf(app, content)
  const pages = selectPages(tree, { page, only: false }, isNotForAll)
  if (!pages) throw notFound('page')
  const { entry } = pages[0]!
  return { title: pageData(entry).title, path: tree.pathOf(entry), hasMore: pages.length > 1 }
}

export async function orderSpaceBook(app: App, content: Content, { page, only }: Selection): Promise<BookOrder> {
  const { space, at } = content
  const [found, ...stamps] = await Promise.all([
    withGenerated(app, content, {}),
    app.openapi.stamp(at.organizationId),
    app.embeds.stamp(at.organizationId),
  ])
  const { title, language } = space
  return {
    madeFrom: ['space', at.organizationId, at.id, page, only, title, language, app.url, found.expanded?.stamp, stamps],
    load: async (read) => loadSpaceBook(app, content, await treeOf(app, content), { page, only }, read),
  }
}

async function treeOf(app: App, content: Content) {
  return (await withGenerated(app, content, {})).expanded?.tree ?? (await app.content.tree(content.at))
}
