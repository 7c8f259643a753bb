import type { Entry } from '../../content/merge/entry.ts'
import { type Copied, copyPages } from '../../editing/copying/copy-pages.ts'
import { conflict, notFound, asNone } from '../../http/errors.ts'
import type { App } from '../../http/routes.ts'
import { pageData } from '../../pages/entry-data.ts'
import type { PageTree } from '../../pages/tree.ts'
import { type Written, pageIn } from '../write.ts'
import { accessSpaceHere, listReadable, placeAt, seesSpec } from './copy.load.ts'
import { type ListedPages, firstPages } from './first-pages.ts'

/** Pages of a space that a new page can start from. */
export interface Starts {
  label: string
  spaceId: string
  pages: ListedPages
}

/**
 * A space with this name contains templates for new pages in all spaces. There may be several, each for the users who
 * can read it.
 */
const isForTemplates = ({ title }: { title: string }) => title.trim().toLowerCase() === 'templates'

const mostTemplateSpaces = 5
const mostStarts = 500

/** Lists templates first, then the pages of the change request itself. */
export async function findStarts(app: App, { opened: { caller, access }, head }: Written): Promise<Starts[]> {
  const spaces = (await listReadable(app, caller)).map(({ space }) => space).filter(isForTemplates)
  const templates = await Promise.all(
    spaces
      .filter(({ id }) => id !== access.space.id)
      .slice(0, mostTemplateSpaces)
      .map(async ({ id, title }) => {
        const found = await accessSpaceHere(app, caller, id, 'view').catch(asNone)
        return found && { label: title, spaceId: id, pages: textsIn(await app.content.tree(found.main)) }
      }),
  )
  const own = { label: 'This space', spaceId: access.space.id, pages: textsIn(await app.content.tree(head)) }
  return [...templates, own].filter((each) => each !== undefined).filter(({ pages }) => pages.shown.length > 0)
}

const isText = (page: Entry) => pageData(page).type === 'document'

function textsIn(tree: PageTree): ListedPages {
  const { shown, more } = firstPages(tree, { most: mostStarts })
  return { shown: shown.filter(({ page }) => isText(page)), more }
}

/** A form names both, since pages of copied spaces have the same ids. */
export const startName = (spaceId: string, pageId: string) => `${spaceId}/${pageId}`

/** Creates a new page as a copy of one that the user may read, with a title of its own. */
export async function startFrom(
  app: App,
  { opened: { caller, access }, head }: Written,
  { start, title, kind, below }: { start: string; title: string; kind: string; below: string },
): Promise<Copied> {
  if (kind !== 'document') throw conflict('Only a page can start from another page.')
  const [spaceId = '', pageId] = start.split('/')
  const { space, main } = await accessSpaceHere(app, caller, spaceId, 'view')
  const isOwn = space.id === access.space.id
  const to = await placeAt(app, access.space, head, access.main)
  const from = isOwn ? to : await placeAt(app, space, main, main)
  const page = pageIn(from.tree, pageId)
  if (!isText(page)) throw notFound('page')
  const first = { title, into: below === '' ? null : below }
  return copyPages(app, { caller, from, to, pages: [page], first, maySeeSpec: seesSpec(app, caller) })
}
