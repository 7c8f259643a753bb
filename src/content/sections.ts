import { childBlocks, type Block } from './blocks.ts'
import type { Heading } from './blocks/heading.ts'
import { plainText } from './inlines/text.ts'
import { notesNamedIn, withoutNotesOf } from './notes.ts'
import type { Document } from './parse.ts'
import { toNumberedText, toPlainText, wordsRead } from './text.ts'

/** A heading and the text up to the next one. Text before the first heading is a section without a heading: level 0. */
export interface Section {
  readonly anchor: string
  readonly level: 0 | Heading['level']
  readonly title: string
  /** The text that is visible to everyone who sees the heading. */
  readonly text: string
  /**
   * The texts that only some of them see: one for each condition, so that none contains what another condition hides.
   */
  readonly guarded: readonly string[]
}

export interface OutlineEntry {
  readonly anchor: string
  readonly level: Heading['level']
  readonly title: string
}

export function sections(document: Pick<Document, 'blocks'>): Section[] {
  return partsOf(document)
    .map(({ anchor, heading, guard, blocks }) => {
      const title = heading ? wordsRead(heading.inlines).trim() : ''
      return { anchor, level: heading?.level ?? (0 as const), title, ...textsOf(blocks, guard) }
    })
    .filter(({ level, text, guarded }) => level > 0 || text !== '' || guarded.length > 0)
}

/** Returns the headings of a page as its readers see them in a list. */
export function outline(document: Pick<Document, 'blocks'>): OutlineEntry[] {
  return partsOf(document).flatMap(({ anchor, heading }) =>
    heading ? [{ anchor, level: heading.level, title: plainText(heading.inlines).trim() }] : [],
  )
}

function partsOf(document: Pick<Document, 'blocks'>): (Part & { anchor: string })[] {
  const flat = withGuardedNotes(flatten(document.blocks, undefined))
  const anchors = anchorsOf(flat.map(({ block }) => block))
  const found: Part[] = [{ at: 0, guard: undefined, blocks: [] }]
  const latest = new Map<Guard, Part>([[undefined, found[0]!]])
  for (const { block, guard } of flat) {
    if (block.type === 'heading') {
      const part = { at: found.length, heading: block, guard, blocks: [] }
      found.push(part)
      latest.set(guard, part)
    } else partAround(latest, guard).blocks.push({ block, guard })
  }
  return found.map((part) => ({ ...part, anchor: (part.heading && anchors.get(part.heading)) ?? '' }))
}

/** A section that is being collected. */
interface Part {
  at: number
  heading?: Heading
  guard: Guard
  blocks: Guarded[]
}

/**
 * Returns the last heading that is visible to everyone who sees content under this guard. Content after a condition
 * does not belong to a section within that condition.
 */
function partAround(latest: ReadonlyMap<Guard, Part>, guard: Guard): Part {
  let last = latest.get(undefined)!
  for (let around = guard; around; around = around.above) {
    const part = latest.get(around)
    if (part && part.at > last.at) last = part
  }
  return last
}

/** Returns the text under the heading's own condition, and the texts under other conditions. */
function textsOf(blocks: readonly Guarded[], own: Guard): Pick<Section, 'text' | 'guarded'> {
  const byGuard = Map.groupBy(blocks, ({ guard }) => guard)
  const textUnder = (guard: Guard) => toNumberedText((byGuard.get(guard) ?? []).map(({ block }) => block))
  const others = [...byGuard.keys()].filter((guard) => guard !== own)
  return { text: textUnder(own), guarded: others.map(textUnder).filter((text) => text !== '') }
}

/** The innermost condition around something, with those around it. */
type Guard = { above: Guard } | undefined

interface Guarded {
  block: Block
  guard: Guard
}

/**
 * Takes apart every block that contains a heading, since headings inside a tab or a step begin sections like any other.
 * Content under a condition is taken out of the block around it.
 */
function flatten(blocks: readonly Block[], guard: Guard): Guarded[] {
  return blocks.flatMap((block): Guarded[] => {
    if (block.type === 'if') return flatten(block.blocks, { above: guard })
    if (holds(block, 'heading')) return [...titleOf(block, guard), ...flatten(childBlocks(block), guard)]
    if (!holds(block, 'if')) return [{ block, guard }]
    const { open, conditions } = withoutConditions(block)
    return [{ block: open, guard }, ...flatten(conditions, guard)]
  })
}

/**
 * A footnote that is named only under conditions is seen only by those who see that text, although it is outside of
 * them.
 */
function withGuardedNotes(flat: readonly Guarded[]): readonly Guarded[] {
  const [hidden, open] = [flat.filter(({ guard }) => guard), flat.filter(({ guard }) => !guard)]
  const blocksOf = (some: readonly Guarded[]) => some.map(({ block }) => block)
  const seen = new Set(withoutNotesOf(notesNamedIn(blocksOf(hidden)), blocksOf(open)))
  return flat.map((each) =>
    each.guard || each.block.type !== 'footnote' || seen.has(each.block)
      ? each
      : { ...each, guard: { above: undefined } },
  )
}

/** The title of a tab or of details belongs to the section in which the block begins. */
function titleOf(block: Block, guard: Guard): Guarded[] {
  if (!('blocks' in block)) return []
  const title: Block = { ...block, blocks: [] }
  return toPlainText([title]) === '' ? [] : [{ block: title, guard }]
}

function holds(block: Block, type: Block['type']): boolean {
  return childBlocks(block).some((child) => child.type === type || holds(child, type))
}

function withoutConditions(block: Block): { open: Block; conditions: readonly Block[] } {
  if (!('blocks' in block)) return { open: block, conditions: [] }
  const [outside, conditions] = [[] as Block[], [] as Block[]]
  for (const child of block.blocks) {
    if (child.type === 'if') conditions.push(child)
    else {
      const inside = withoutConditions(child)
      outside.push(inside.open)
      conditions.push(...inside.conditions)
    }
  }
  return { open: { ...block, blocks: outside }, conditions }
}

/**
 * Returns the anchor of each heading, all different: GitHub's slugs, or the id that the author chose. The name of a file
 * that stands for a page is no part of it: a reader who may not see that page must not learn it.
 */
export function anchorsOf(blocks: readonly Block[]): Map<Block, string> {
  const headings = blocks.filter((block) => block.type === 'heading')
  // Chosen ids go first: other places link to them, so they must not get a number.
  const chosen = new Map<string, Block>()
  for (const heading of headings) {
    if (heading.id !== undefined && !chosen.has(heading.id)) chosen.set(heading.id, heading)
  }
  const taken = new Set(chosen.keys())
  const counts = new Map<string, number>()
  return new Map(
    headings.map((heading) => {
      const own = heading.id !== undefined && chosen.get(heading.id) === heading ? heading.id : undefined
      return [heading, own ?? unique(slug(wordsRead(heading.inlines)), taken, counts)]
    }),
  )
}

function unique(base: string, taken: Set<string>, counts: Map<string, number>): string {
  let anchor = base
  let count = counts.get(base) ?? 0
  while (taken.has(anchor)) anchor = `${base}-${++count}`
  counts.set(base, count)
  taken.add(anchor)
  return anchor
}

/**
 * Returns the slug of a title: lower case, with dashes for blanks; letters and digits of all scripts, dashes and `_`
 * stay.
 */
export function slug(title: string): string {
  const words = title
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, '')
    .replace(/\s/g, '-')
  return words === '' ? 'section' : words
}

/**
 * Returns the anchors that GitBook gives to headings, keyed by ours, where they differ and no other heading has them:
 * texts written for GitBook, here and elsewhere, link to headings by those.
 */
export function otherAnchors(headings: readonly { anchor: string; title: string }[]): Map<string, string> {
  const own = new Set(headings.map(({ anchor }) => anchor))
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  const found = new Map<string, string>()
  for (const { anchor, title } of headings) {
    const base = otherSlug(title)
    if (base === '' || own.has(base)) continue
    const other = unique(base, taken, counts)
    if (!own.has(other)) found.set(anchor, other)
  }
  return found
}

/** Does the same by heading block. */
export function otherAnchorsOf(anchors: ReadonlyMap<Block, string>): Map<Block, string> {
  const headings = [...anchors].map(([block, anchor]) => ({
    block,
    anchor,
    title: block.type === 'heading' ? wordsRead(block.inlines).trim() : '',
  }))
  const others = otherAnchors(headings)
  return new Map(headings.flatMap(({ block, anchor }) => (others.has(anchor) ? [[block, others.get(anchor)!]] : [])))
}

/**
 * Returns GitBook's slug: no accents, `and` for `&`, no two dashes in a row, none at the ends. Dots stay, and no digit
 * comes first.
 */
function otherSlug(title: string): string {
  const words = title
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[ßæœøłđı]/g, (letter) => plainLetters[letter]!)
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}\p{N}_.\s/-]/gu, '')
    .replace(/[\s/-]+/g, '-')
    .replace(/^-|-$/g, '')
  // How GitBook spells other scripts is not known.
  if (!/^[\w.-]*$/.test(words)) return ''
  return /^\d/.test(words) ? `id-${words}` : words
}

const plainLetters: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i' }
