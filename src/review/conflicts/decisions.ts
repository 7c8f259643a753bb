import { hash } from 'node:crypto'
import type { ListedConflict } from '../../change-requests/conflicts/conflicts.ts'
import type { Conflict } from '../../content/merge/conflicts.ts'
import type { Entry, Json } from '../../content/merge/entry.ts'
import { type Marked, readMarkers, takeSide } from '../../content/merge/markers.ts'
import { type Placed, byPosition } from '../../content/positions.ts'
import type { Change } from '../../editing/schema.ts'
import {
  type PageData,
  type PageLayout,
  fileData,
  layoutDefaults,
  pageData,
  variableData,
} from '../../pages/entry-data.ts'
import { writePageSource } from '../../pages/source.ts'
import type { PageTree } from '../../pages/tree.ts'
import { file, page, reusable, top } from '../../revisions/entries.ts'
import { pagesWithin } from '../pages/first-pages.ts'

/** The change request, or the main content. */
export type Side = 'ours' | 'theirs'

export const isSide = (word: string | undefined): word is Side => word === 'ours' || word === 'theirs'

/**
 * What is decided at once: one conflict, or all conflicts about the variables of a page, which are written together.
 */
export interface Decision {
  state: ListedConflict['state']
  conflict: Conflict
  together: Conflict[]
  /** The entry it is about, as it is in the change request. Otherwise as it is or was elsewhere. */
  entry: Entry | undefined
}

/** Sorts by open ones first, then by page, and within a page in the order in which they can be decided. */
export function decisionsIn(listed: readonly ListedConflict[], titleOf: (each: ListedConflict) => string): Decision[] {
  const inOrder = listed
    .map((each) => ({ each, key: [each.state === 'open' ? 0 : 1, titleOf(each), each.conflict.entry].join('\n') }))
    .toSorted(
      (a, b) =>
        compared(a.key, b.key) ||
        rankOf(a.each.conflict) - rankOf(b.each.conflict) ||
        compared(a.each.conflict.field, b.each.conflict.field),
    )
  const subject = ({ key, each: { conflict } }: (typeof inOrder)[number]) =>
    `${key}\n${isOfVariables(conflict) ? 'variables' : conflict.field}`
  return [...Map.groupBy(inOrder, subject).values()].map((group) => ({
    state: group[0]!.each.state,
    conflict: group[0]!.each.conflict,
    together: group.map(({ each }) => each.conflict),
    entry: group[0]!.each.entry,
  }))
}

const compared = (a: string, b: string) => (a < b ? -1 : Number(a > b))

const rankOf = ({ kind, field }: Conflict) => (kind === 'body' ? 2 : field === 'source' ? 1 : 0)

const isOfVariables = ({ kind, field }: Conflict) => kind === 'field' && field.startsWith('variables.')

/** An open decision with everything needed to make it: the change request as it is now. */
export interface Matter {
  decision: Decision
  entry: Entry
  body: string
  tree: PageTree
  /** Everything that is open: some of it may have to be decided first. */
  open: readonly Conflict[]
}

/**
 * Returns the conflicts that have to be decided first. The text of a page contains its title and its settings, so
 * writing it resolves all open conflicts about those as well.
 */
export function firstOf({ decision: { conflict, together }, entry, open }: Matter): Conflict[] {
  const isText = entry.kind === page && (conflict.kind === 'body' || conflict.field === 'source')
  if (!isText) return []
  const isBefore = (each: Conflict) =>
    each.kind === 'field' && (conflict.kind === 'body' || each.field !== 'source') && !together.includes(each)
  return open
    .filter((each) => each.entry === conflict.entry && each.id !== conflict.id && isBefore(each))
    .toSorted((a, b) => rankOf(a) - rankOf(b))
}

/**
 * Identifies what the user has seen when they decide. If a page is deleted, this includes the pages that are deleted
 * with it.
 */
export function stateOf({ decision: { conflict, together }, entry, tree }: Matter): string {
  const within = conflict.field === 'page' && entry.kind === page ? pagesWithin(tree, entry) : []
  const seen = [together.map(({ id }) => id), entry, within.map((each) => each.entry)]
  return hash('sha256', JSON.stringify(seen), 'base64url')
}

/** Returns the change that takes one side and thereby resolves the conflict. Undefined if there is none. */
export function changeTaking(matter: Matter, side: Side): Change | undefined {
  const { decision, entry } = matter
  const { conflict } = decision
  switch (conflict.kind) {
    case 'body':
      return textTaking(matter, side)
    case 'field':
      return entry.kind === page ? fieldTaking(matter, side) : otherTaking(entry, conflict, side)
    case 'place':
    case 'cycle':
      return placeTaking(matter, conflict[side] as unknown as Place)
    default:
      return conflict[side] === null ? deletionOf(entry) : keeping(entry)
  }
}

/** Returns the pieces of a text that are still between their marker lines. */
export const markedIn = ({ decision: { conflict }, body }: Pick<Matter, 'decision' | 'body'>): Marked | undefined =>
  readMarkers(body, conflict.id)

/** Changes of both sides that do not conflict stay, and so does what was written since. */
function textTaking(matter: Matter, side: Side): Change | undefined {
  const { decision, entry } = matter
  const marked = markedIn(matter)
  if (!marked) return undefined
  const text = endedLike(decision.conflict[side], marked, takeSide(marked, side))
  if (entry.kind === reusable)
    return { operation: 'update_reusable_content', reusableContent: entry.entry, document: { markdown: text } }
  return rewriting(entry, pageData(entry), text)
}

/** A marker line needs a line of its own: if a side ends without a line break, one was added. It is removed here. */
function endedLike(side: Json, marked: Marked, text: string): string {
  const isAtEnd = marked.at(-1) === ''
  return isAtEnd && typeof side === 'string' && !side.endsWith('\n') ? text.replace(/\r?\n$/, '') : text
}

const rewriting = ({ entry }: Entry, data: PageData, body: string): Change => ({
  operation: 'update_page',
  page: entry,
  document: { markdown: writePageSource(data, body) },
})

/**
 * Naming a field is what resolves the conflict, even with the same value. A field that the chosen side does not have is
 * removed.
 */
function fieldTaking({ decision: { conflict, together }, entry, body }: Matter, side: Side): Change | undefined {
  const { field } = conflict
  const value = conflict[side]
  const [name, inner = ''] = field.split(/\.(.*)/s)
  const saying = (metadata: object): Change => ({ operation: 'update_page', page: entry.entry, metadata })
  switch (name) {
    case 'title':
    case 'slug':
    case 'emoji':
    case 'icon':
    case 'description':
    case 'condition':
      return saying({ [name]: value ?? '' })
    case 'hidden':
    case 'noIndex':
    case 'noRobotsIndex':
      return saying({ [name]: value ?? false })
    case 'cover':
    case 'translatedFrom':
      return saying({ [name]: value })
    case 'layout':
      return saying({ layout: { [inner]: value ?? layoutDefaults[inner as keyof PageLayout] } })
    case 'variables':
      return saying({ variables: variablesTaking(entry, together, side) })
    case 'target':
    case 'computed':
      return { operation: 'update_page', page: entry.entry, [name]: value }
    case 'source':
      return rewriting(entry, withSource(pageData(entry), value), body)
    case 'type':
      // No change can turn a page into another kind of page, but the page can be reverted to what the main content has.
      return side === 'theirs' ? { operation: 'revert_page', page: entry.entry } : undefined
    default:
      return undefined
  }
}

function variablesTaking(entry: Entry, conflicts: readonly Conflict[], side: Side) {
  const variables = new Map<string, Json>(Object.entries(pageData(entry).variables ?? {}))
  for (const conflict of conflicts) {
    const name = conflict.field.slice('variables.'.length)
    if (conflict[side] === null) variables.delete(name)
    else variables.set(name, conflict[side])
  }
  return Object.fromEntries(variables)
}

function withSource(data: PageData, source: Json): PageData {
  if (typeof source === 'string') return { ...data, source }
  const without = { ...data }
  delete without.source
  return without
}

/** Files, reusable contents and variables have a single name or value that can be changed. */
function otherTaking({ entry, kind, slug }: Entry, { field, ...sides }: Conflict, side: Side): Change | undefined {
  const value = sides[side]
  if (typeof value !== 'string') return undefined
  if (kind === file) return field === 'name' ? { operation: 'update_file', file: entry, name: value } : undefined
  if (kind === reusable)
    return field === 'title'
      ? { operation: 'update_reusable_content', reusableContent: entry, title: value }
      : undefined
  return field === 'value' ? { operation: 'update_variables', variables: { [slug!]: value } } : undefined
}

interface Place {
  parent: string
  position: string
}

/** Returns undefined if that parent no longer exists, or is below the page itself. */
function placeTaking({ entry: { entry }, tree }: Matter, { parent, position }: Place): Change | undefined {
  if (parent !== top && !tree.byId.has(parent)) return undefined
  for (let up = tree.byId.get(parent); up; up = tree.byId.get(up.parent)) if (up.entry === entry) return undefined
  const before = tree
    .childrenOf(parent)
    .filter((each) => each.entry !== entry && byPosition(each as Placed, { entry, position }) < 0)
  return { operation: 'update_page', page: entry, into: parent === top ? null : parent, at: before.length }
}

function deletionOf({ entry, kind, slug }: Entry): Change {
  if (kind === page) return { operation: 'delete_page', page: entry }
  if (kind === file) return { operation: 'delete_file', file: entry }
  if (kind === reusable) return { operation: 'delete_reusable_content', reusableContent: entry }
  return { operation: 'update_variables', variables: { [slug!]: null } }
}

/** Naming the entry is enough. */
function keeping(kept: Entry): Change {
  const { entry, kind, slug } = kept
  if (kind === page) return { operation: 'update_page', page: entry }
  if (kind === file) return { operation: 'update_file', file: entry, name: fileData(kept).name }
  if (kind === reusable) return { operation: 'update_reusable_content', reusableContent: entry }
  return { operation: 'update_variables', variables: { [slug!]: variableData(kept).value } }
}
