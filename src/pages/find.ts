import type { Entry } from '../content/merge/entry.ts'
import type { App } from '../http/routes.ts'
import { findPage, findPageByPath } from '../revisions/kin.ts'
import type { Revision } from '../revisions/revision.ts'
import type { Content } from './access.ts'
import { pageData } from './entry-data.ts'
import { PageTree } from './tree.ts'

/** A page, and a tree that contains at least its ancestors and descendants. */
export interface FoundPage {
  self: Entry
  tree: PageTree
  markdown: string
}

/**
 * Returns a page of a revision. If the whole tree of the revision is cached, this needs no statement for it. Otherwise
 * one statement reads the page with its ancestors and descendants, whatever the size of the space.
 */
export async function readPage(app: App, where: Where, id: string): Promise<FoundPage | undefined> {
  const { at } = where
  const tree = await treeAtHand(app, where)
  if (tree) return inTree(app, at, tree, tree.byId.get(id))
  return asFound(await findPage(app.db, at, id))
}

/** Finds a document or a group. Links, and pages that others are generated from, have no public path. */
export async function readPageByPath(app: App, where: Where, slugs: string[]): Promise<FoundPage | undefined> {
  const { at } = where
  const tree = await treeAtHand(app, where)
  const found = tree ? await inTree(app, at, tree, tree.at(slugs)) : asFound(await findPageByPath(app.db, at, slugs))
  return found && isAtPath(found.self) ? found : undefined
}

const isAtPath = (page: Entry) => ['document', 'group'].includes(pageData(page).type)

type Where = Pick<Content, 'at' | 'shown' | 'expanded'>

async function treeAtHand(app: App, { at, shown, expanded }: Where): Promise<PageTree | undefined> {
  return shown?.tree ?? expanded?.tree ?? app.content.knownTree(at)
}

async function inTree(app: App, at: Revision, tree: PageTree, self: Entry | undefined) {
  return self && { self, tree, markdown: await app.content.body(at.organizationId, self.doc) }
}

function asFound(kin: Awaited<ReturnType<typeof findPage>>): FoundPage | undefined {
  return kin && { self: kin.self, markdown: kin.markdown, tree: PageTree.of([...kin.above, kin.self, ...kin.below]) }
}
