import type { Static } from 'typebox'
import type { Entry } from '../content/merge/entry.ts'
import type { RevisionRow } from '../revisions/revision.ts'
import { type PageData, layoutDefaults, pageData, reusableData } from './entry-data.ts'
import type { DocumentPage, Page, ReusableContent } from './schema.ts'
import type { PageTree } from './tree.ts'

/** What an answer depends on besides the content. */
export interface View {
  /** The address of the content in the authors' app, with a trailing slash. The path of a page is appended. */
  appUrl: string
  withGit: boolean
  /**
   * A visitor of a site gets texts in which the variables are filled in. The variables themselves, and what was said
   * about a commit, may be about something that is hidden from them.
   */
  isForVisitor?: boolean
}

export type PresentedPage = Static<typeof Page>

/** Returns all pages of a tree, each with those below it. */
export function presentTree(tree: PageTree, view: View): PresentedPage[] {
  return tree.roots.map((root) => presentNode(tree, root, '', view))
}

/**
 * The same as an answer, `{"pages": […]}`. After an edit nearly all of it is cached as bytes: for a large space,
 * building it from text would take longer than sending it.
 */
export function writeTree(tree: PageTree, view: View): Buffer {
  const as = `${view.appUrl} ${view.withGit}`
  return tree.write(as, (root) => JSON.stringify(presentNode(tree, root, '', view)))
}

/** Returns one page with those below it. */
export function presentPage(tree: PageTree, entry: Entry, view: View): PresentedPage {
  const above = tree.byId.get(entry.parent)
  return presentNode(tree, entry, above ? `${tree.pathOf(above)}/` : '', view)
}

/** `above` is the path of its parent with a trailing slash, or empty at the top level. */
function presentNode(tree: PageTree, entry: Entry, above: string, view: View): PresentedPage {
  const data = pageData(entry)
  const path = above + (entry.slug ?? '')
  const pages = () => tree.childrenOf(entry.entry).map((child) => presentNode(tree, child, `${path}/`, view))
  switch (data.type) {
    case 'group':
      return {
        ...common(entry, data),
        type: 'group',
        kind: 'group',
        slug: entry.slug ?? '',
        path,
        ...flags(data),
        pages: pages(),
      }
    case 'link':
      return {
        ...common(entry, data),
        type: 'link',
        kind: 'link',
        target: data.target ?? { kind: 'url', url: '' },
        ...(typeof data.target?.['url'] === 'string' && { href: data.target['url'] }),
        hidden: data.hidden ?? false,
      }
    case 'computed':
      return {
        ...common(entry, data),
        type: 'computed',
        computed: { props: {}, ...(data.computed ?? { type: 'unknown' }) },
      }
    default:
      return {
        ...common(entry, data),
        type: 'document',
        kind: 'sheet',
        slug: entry.slug ?? '',
        path,
        ...flags(data),
        ...(data.description !== undefined && { description: data.description }),
        ...(data.computed
          ? { computed: data.computed, computedSeed: entry.entry }
          : entry.doc !== null && { documentId: entry.doc }),
        layout: data.layout ? { ...layoutDefaults, ...data.layout } : layoutDefaults,
        ...(data.cover && { cover: { yPos: 0, ...data.cover } }),
        ...(data.variables && !view.isForVisitor && { variables: data.variables }),
        ...(view.withGit && data.git && { git: data.git }),
        urls: { app: view.appUrl + encodeURI(path) },
        pages: pages(),
      } satisfies Static<typeof DocumentPage>
  }
}

function common(entry: Entry, data: PageData) {
  return {
    id: entry.entry,
    title: data.title,
    ...(data.emoji !== undefined && { emoji: data.emoji }),
    ...(data.icon !== undefined && { icon: data.icon }),
    ...(data.createdAt !== undefined && { createdAt: data.createdAt }),
    ...(data.updatedAt !== undefined && { updatedAt: data.updatedAt }),
    ...(data.condition !== undefined && { condition: data.condition }),
  }
}

const flags = ({ hidden = false, noIndex = false, noRobotsIndex = false }: PageData) => ({
  hidden,
  noIndex,
  noRobotsIndex,
})

export function presentReusable(entry: Entry, view: View): Static<typeof ReusableContent> {
  const { title, git } = reusableData(entry)
  return {
    id: entry.entry,
    title,
    ...(entry.doc !== null && { document: entry.doc }),
    ...(view.withGit && git && { git }),
  }
}

/** Returns the metadata of a revision, without its content. */
export function presentRevision(row: RevisionRow, view: View) {
  return {
    object: 'revision' as const,
    id: row.id,
    type: row.type,
    parents: row.parents,
    createdAt: row.created_at.toISOString(),
    ...(view.withGit && !view.isForVisitor && row.git !== null && { git: presentCommit(row.git) }),
    urls: { app: view.appUrl.replace(/\/$/, '') },
  }
}

/** Clients use either of the two names. */
function presentCommit(git: unknown) {
  const commit = git as { oid: string; message?: string; createdByService?: boolean; url?: string; ref?: string }
  return { ...commit, ...(commit.createdByService !== undefined && { createdByGitBook: commit.createdByService }) }
}
