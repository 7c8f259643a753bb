import type { App } from '../http/routes.ts'
import { expandPages, isDerived } from '../openapi/generate/expand.ts'
import type { PageTree } from '../pages/tree.ts'
import type { Revision } from '../revisions/revision.ts'
import { type LinkRow, broken, statuses } from './queries.ts'

/**
 * The pages of a revision that are generated from specifications. They are not stored in any table, and each new
 * version of a specification generates others. So links to them are stored as broken, and are resolved when they are
 * requested.
 */
export interface MadePages {
  tree: PageTree
  /** The ids of the pages by path. */
  byPath: ReadonlyMap<string, string>
}

/** Returns undefined if there are no generated pages, which is nearly always the case. */
export async function findMadePages(app: App, at: Revision): Promise<MadePages | undefined> {
  if (!(await app.openapi.mayExpand(at))) return undefined
  const { tree, stamp } = await expandPages(app, at, await app.content.tree(at))
  if (stamp === '') return undefined
  const known = pagesOf.get(tree)
  if (known) return known
  const made = [...tree.byId.values()].filter(({ entry }) => isDerived(entry))
  const found = { tree, byPath: new Map(made.map((each) => [tree.pathOf(each), each.entry])) }
  pagesOf.set(tree, found)
  return found
}

const pagesOf = new WeakMap<PageTree, MadePages>()

export const isMade = (made: MadePages | undefined, id: string) => isDerived(id) && made?.tree.byId.has(id) === true

/** Returns the generated page that a link leads to. */
export function madeTarget(
  made: MadePages | undefined,
  link: Pick<LinkRow, 'target_space' | 'target' | 'wanted'>,
): string | undefined {
  const { target_space, target, wanted } = link
  if (!made || target_space !== null) return undefined
  if (target !== null && isMade(made, target)) return target
  return wanted === null ? undefined : made.byPath.get(wanted)
}

/** Resolves broken links that lead to generated pages. Anchors are not checked: a generated page may have any. */
export function mendedBy(made: MadePages | undefined): (row: LinkRow) => LinkRow {
  return (row) => {
    const target = row.status === broken ? madeTarget(made, row) : undefined
    return target === undefined ? row : { ...row, target, status: statuses.indexOf('ok') }
  }
}
