import type { ChangeRequestAccess } from '../../change-requests/access.ts'
import { type ListedConflict, listConflicts } from '../../change-requests/conflicts/conflicts.ts'
import { presentConflict } from '../../change-requests/conflicts/conflicts.present.ts'
import { findConflictedEntry, listOpenConflictsOf } from '../../change-requests/conflicts/conflicts.queries.ts'
import { mergeHereOrApart } from '../../change-requests/merging/line-merges.ts'
import { baseOf } from '../../change-requests/merging/outcome.ts'
import { type ChangeRequest, branchHeadOf, mainHeadOf } from '../../change-requests/queries.ts'
import { type Hunk, diffLines } from '../../content/diff.ts'
import type { Conflict } from '../../content/merge/conflicts.ts'
import type { Entry, Json } from '../../content/merge/entry.ts'
import type { LineMerge } from '../../content/merge/lines.ts'
import { conflict as refused } from '../../http/errors.ts'
import type { App } from '../../http/routes.ts'
import { isId } from '../../ids.ts'
import type { PageTree } from '../../pages/tree.ts'
import { listBodies } from '../../revisions/bodies.ts'
import { listEntries } from '../../revisions/entries.ts'
import type { Revision } from '../../revisions/revision.ts'
import { type Decision, type Matter, decisionsIn, markedIn } from './decisions.ts'

/** The most decisions that are shown at once, and the most conflicts that are sorted for that. */
const mostShown = 50
const mostSorted = 500
/** Longer texts are not compared. */
const longest = 512 * 1024

/** A piece of a text that both sides changed. Its base is not known if somebody has written in it since. */
export interface Piece {
  base: string | undefined
  ours: string
  theirs: string
}

export interface ShownDecision {
  decision: Decision
  type: ReturnType<typeof presentConflict>['entry']['type']
  title: string
  /** Only for an open conflict, and only if the change request still contains the entry it is about. */
  matter: Matter | undefined
  /** For a conflict about a text. */
  pieces: Piece[]
  /** For a page that one side deleted: what the other side changed in its text. */
  edited: Hunk[]
}

export interface ShownConflicts {
  access: ChangeRequestAccess
  shown: ShownDecision[]
  more: number
  /** The trees that say where pages are: that of the change request, and that of the main content on the other side. */
  trees: { ours: PageTree; theirs: PageTree }
}

export async function loadConflicts(app: App, access: ChangeRequestAccess): Promise<ShownConflicts> {
  const { changeRequest } = access
  const head = branchHeadOf(changeRequest)
  const { rows, count } = await listConflicts(app.db, changeRequest, { limit: mostSorted, after: undefined })
  const titleOf = (each: ListedConflict) => presentConflict(each).entry.title
  const first = decisionsIn(rows, titleOf).slice(0, mostShown)
  const decisions = count > rows.length ? decisionsIn(await allOf(app, head, first), titleOf) : first
  const open = decisions.filter(({ state }) => state === 'open').flatMap(({ together }) => together)
  const main = open.length > 0 ? baseOf(head) : mainHeadOf(changeRequest)
  const [ours, theirs] = await Promise.all([app.content.tree(head), app.content.tree(main)])
  const bodies = await bodiesOf(app, changeRequest, decisions)
  const shown = await Promise.all(
    decisions.map(async (decision): Promise<ShownDecision> => {
      const { state, conflict, entry } = decision
      const { type, title } = presentConflict({ state, conflict, entry }).entry
      const matter =
        state === 'open' && entry ? { decision, entry, body: bodies(entry.doc), tree: ours, open } : undefined
      return {
        decision,
        type,
        title,
        matter,
        pieces: conflict.kind === 'body' ? await piecesOf(conflict, matter) : [],
        edited: editedIn(conflict, bodies),
      }
    }),
  )
  const told = decisions.reduce((sum, { together }) => sum + together.length, 0)
  return { access, shown, more: count - told, trees: { ours, theirs } }
}

/**
 * If there are very many conflicts, only some were sorted. But a user who decides about a page has to see all open
 * conflicts about it.
 */
async function allOf(app: App, { organizationId, lineId }: Revision, shown: Decision[]): Promise<ListedConflict[]> {
  const entries = new Map(shown.map(({ conflict, entry }) => [conflict.entry, entry]))
  const open = await listOpenConflictsOf(app.db, { organizationId, id: lineId }, [...entries.keys()])
  const expected = shown.filter(({ state }) => state === 'expected')
  return [
    ...open.map((conflict) => ({ state: 'open' as const, conflict, entry: entries.get(conflict.entry) })),
    ...expected.flatMap(({ state, together, entry }) => together.map((conflict) => ({ state, conflict, entry }))),
  ]
}

type Bodies = (doc: string | null | undefined) => string

async function bodiesOf(app: App, { organization_id }: ChangeRequest, decisions: readonly Decision[]): Promise<Bodies> {
  const docs = decisions.flatMap(({ conflict, entry }) => {
    const { base, edited } = deletedOf(conflict)
    return conflict.kind === 'body' ? [entry?.doc] : [base?.doc, edited?.doc]
  })
  const wanted = [...new Set(docs)].filter((doc) => typeof doc === 'string')
  const found = new Map((await listBodies(app.db, organization_id, wanted)).map((each) => [each.hash, each.markdown]))
  return (doc) => found.get(doc ?? '') ?? ''
}

/** Returns, for an entry that one side deleted, what both started from and what the other side has. */
export function deletedOf({ field, base, ours, theirs }: Conflict): {
  base?: Entry | undefined
  edited?: Entry | undefined
} {
  if (field !== 'page') return {}
  return { base: base as Entry | undefined, edited: (ours ?? theirs) as Entry | undefined }
}

async function piecesOf(conflict: Conflict, matter: Matter | undefined): Promise<Piece[]> {
  const merged = (await linesOf(conflict)).conflicts
  const marked = matter && markedIn(matter)
  if (!marked) return merged
  const before = new Map(merged.map(({ base, ours, theirs }) => [keyOf({ ours, theirs }), base]))
  return marked.flatMap((part) => (typeof part === 'string' ? [] : [{ ...part, base: before.get(keyOf(part)) }]))
}

/** Between marker lines, each side ends with a line break. It is ignored here. */
const keyOf = ({ ours, theirs }: Pick<Piece, 'ours' | 'theirs'>) =>
  JSON.stringify([ours.replace(/\r?\n$/, ''), theirs.replace(/\r?\n$/, '')])

const linesOf = ({ base, ours, theirs }: Conflict): Promise<LineMerge> =>
  mergeHereOrApart({ base: textIn(base), ours: textIn(ours), theirs: textIn(theirs) })

const textIn = (side: Json | undefined) => (typeof side === 'string' ? side : '')

function editedIn(conflict: Conflict, bodies: Bodies): Hunk[] {
  const { base, edited } = deletedOf(conflict)
  const [before, after] = [bodies(base?.doc), bodies(edited?.doc)]
  return before.length + after.length > longest ? [] : diffLines(before, after)
}

/** Finds a matter that is open now, by the id of one of its conflicts. */
export async function findMatter(app: App, changeRequest: ChangeRequest, conflictId: string): Promise<Matter> {
  const head = branchHeadOf(changeRequest)
  const { organizationId, lineId } = head
  const branch = { organizationId, id: lineId }
  const about = isId(conflictId) ? await findConflictedEntry(app.db, branch, conflictId) : undefined
  const open = about === undefined ? [] : await listOpenConflictsOf(app.db, branch, [about])
  const listed = open.map((conflict) => ({ state: 'open' as const, conflict, entry: undefined }))
  const decision = decisionsIn(listed, () => '').find(({ together }) => together.some(({ id }) => id === conflictId))
  const [entry] = decision ? await listEntries(app.db, head, [decision.conflict.entry]) : []
  if (!decision || !entry) throw refused('This conflict has already been resolved.')
  const [body] = entry.doc === null ? [] : await listBodies(app.db, organizationId, [entry.doc])
  return { decision, entry, body: body?.markdown ?? '', tree: await app.content.tree(head), open }
}
