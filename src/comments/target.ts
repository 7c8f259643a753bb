import { everyBlock } from '../content/blocks.ts'
import type { Entry } from '../content/merge/entry.ts'
import { toPlainText } from '../content/text.ts'
import type { CommentRow, CommentedPage } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { invalid } from '../http/errors.ts'
import type { App } from '../http/routes.ts'
import { isId } from '../ids.ts'
import { pageData } from '../pages/entry-data.ts'
import type { PageTree } from '../pages/tree.ts'
import { readPages } from './pages.ts'
import type { Place } from './place.ts'

/** What a comment is about, within its place. */
export type Target = Pick<CommentRow, 'page_id' | 'page' | 'node' | 'node_preview' | 'node_doc'>

/** The space, or the change request, as a whole. */
export const wholePlace: Target = { page_id: null, page: null, node: null, node_preview: null, node_doc: null }

const mostPreview = 200

/** Returns the target that a request names: the whole place, an existing page, or a block of it. */
export async function findTarget(
  app: App,
  tx: Transaction,
  place: Place,
  asked: { page?: string; node?: string },
): Promise<Target> {
  const { page: pageId, node } = asked
  if (pageId === undefined) {
    if (node !== undefined) throw invalid('body.page', 'required', 'is required where a node is named')
    return wholePlace
  }
  const tree = isId(pageId) ? await readPages(app, tx, place.at, [pageId]) : undefined
  const entry = tree?.byId.get(pageId)
  if (!tree || !entry) throw invalid('body.page', 'exists', 'is not a page of this space')
  const target = { ...wholePlace, page_id: pageId, page: describe(tree, entry) }
  if (node === undefined) return target

  const { blocks } = await app.content.document(place.organizationId, entry.doc)
  const block = everyBlock(blocks).find(({ key }) => key === node)
  if (!block) throw invalid('body.node', 'exists', 'is not a block of this page')
  return { ...target, node, node_preview: preview(toPlainText([block])), node_doc: entry.doc }
}

/** What comments show about their page. */
export function describe(tree: PageTree, entry: Entry): CommentedPage {
  const { title, emoji, icon, createdAt, updatedAt } = pageData(entry)
  return {
    title,
    path: tree.pathOf(entry),
    ...(emoji !== undefined && { emoji }),
    ...(icon !== undefined && { icon }),
    ...(createdAt && { createdAt }),
    ...(updatedAt && { updatedAt }),
  }
}

function preview(text: string): string | null {
  const characters = Array.from(text.replace(/\s+/g, ' ').trim())
  if (characters.length === 0) return null
  return characters.length > mostPreview ? `${characters.slice(0, mostPreview - 1).join('')}…` : characters.join('')
}
