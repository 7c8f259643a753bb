import { childBlocks, type Block } from './blocks.ts'
import type { Heading } from './blocks/heading.ts'
import { plainText } from './inlines/text.ts'
import type { Document } from './parse.ts'
import { toNumberedText } from './text.ts'

/** A heading and the text up to the next one. What stands before the first heading has no heading: level 0. */
export interface Section {
  readonly anchor: string
  readonly level: 0 | Heading['level']
  readonly title: string
  /** What everybody reads who sees the heading. */
  readonly text: string
  /** What only some of them read: a text for each condition, so that none holds what another one hides. */
  readonly guarded: readonly string[]
}

export interface OutlineEntry {
  readonly anchor: string
  readonly level: Heading['level']
  readonly title: string
}

export function sections(document: Pick<Document, 'blocks'>): Section[] {
  const flat = flatten(document.blocks, undefined)
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
  return found
    .map(({ heading, guard, blocks }) => {
      const title = heading ? plainText(heading.inlines).trim() : ''
      const anchor = (heading && anchors.get(heading)) ?? ''
      return { anchor, level: heading?.level ?? (0 as const), title, ...textsOf(blocks, guard) }
    })
    .filter(({ level, text, guarded }) => level > 0 || text !== '' || guarded.length > 0)
}

/** A section that is being gathered. */
interface Part {
  at: number
  heading?: Heading
  guard: Guard
  blocks: Guarded[]
}

/** The last heading that everybody sees who sees this: what follows a condition is of no section within it. */
function partAround(latest: ReadonlyMap<Guard, Part>, guard: Guard): Part {
  let last = latest.get(undefined)!
  for (let around = guard; around; around = around.above) {
    const part = latest.get(around)
    if (part && part.at > last.at) last = part
  }
  return last
}

/** The text under the condition that the heading stands under, and those under others. */
function textsOf(blocks: readonly Guarded[], own: Guard): Pick<Section, 'text' | 'guarded'> {
  const byGuard = Map.groupBy(blocks, ({ guard }) => guard)
  const textUnder = (guard: Guard) => toNumberedText((byGuard.get(guard) ?? []).map(({ block }) => block))
  const others = [...byGuard.keys()].filter((guard) => guard !== own)
  return { text: textUnder(own), guarded: others.map(textUnder).filter((text) => text !== '') }
}

export function outline(document: Pick<Document, 'blocks'>): OutlineEntry[] {
  return sections(document).flatMap(({ anchor, level, title }) => (level === 0 ? [] : [{ anchor, level, title }]))
}

/** The innermost condition around something, and those around it. */
type Guard = { above: Guard } | undefined

interface Guarded {
  block: Block
  guard: Guard
}

/**
 * Headings inside a tab or a step begin sections like any other, so what holds one is taken apart. What a condition guards
 * is taken out of what it stands in.
 */
function flatten(blocks: readonly Block[], guard: Guard): Guarded[] {
  return blocks.flatMap((block): Guarded[] => {
    if (block.type === 'if') return flatten(block.blocks, { above: guard })
    if (holds(block, 'heading')) return flatten(childBlocks(block), guard)
    if (!holds(block, 'if')) return [{ block, guard }]
    const { open, conditions } = withoutConditions(block)
    return [{ block: open, guard }, ...flatten(conditions, guard)]
  })
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

/** The anchor of each heading, no two alike: GitHub's slugs, or the id that the author chose. */
export function anchorsOf(blocks: readonly Block[]): Map<Block, string> {
  const headings = blocks.filter((block) => block.type === 'heading')
  // Chosen ids go first: they are linked to from elsewhere and must not get a number.
  const chosen = new Map<string, Block>()
  for (const heading of headings) {
    if (heading.id !== undefined && !chosen.has(heading.id)) chosen.set(heading.id, heading)
  }
  const taken = new Set(chosen.keys())
  const counts = new Map<string, number>()
  return new Map(
    headings.map((heading) => {
      const own = heading.id !== undefined && chosen.get(heading.id) === heading ? heading.id : undefined
      return [heading, own ?? unique(slug(plainText(heading.inlines)), taken, counts)]
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

/** Lower case, blanks to dashes; letters and digits of all scripts, dashes and `_` stay. */
export function slug(title: string): string {
  const words = title
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, '')
    .replace(/\s/g, '-')
  return words === '' ? 'section' : words
}

/**
 * The anchors that GitBook gives to headings, by ours, where they are others and nobody else has them: what was written
 * for it, here and elsewhere, links to places by those.
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

/** The same by their headings. */
export function otherAnchorsOf(anchors: ReadonlyMap<Block, string>): Map<Block, string> {
  const headings = [...anchors].map(([block, anchor]) => ({
    block,
    anchor,
    title: block.type === 'heading' ? plainText(block.inlines).trim() : '',
  }))
  const others = otherAnchors(headings)
  return new Map(headings.flatMap(({ block, anchor }) => (others.has(anchor) ? [[block, others.get(anchor)!]] : [])))
}

/** Without accents, `and` for `&`, no two dashes in a row, none at the ends; dots stay, and no digit comes first. */
function otherSlug(title: string): string {
  const words = title
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[ßæœøłđı]/g, (letter) => plainLetters[letter]!)
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}\p{N}_.\s/-]/gu, '')
    .replace(/[\s/-]+/g, '-')
    .replace(/^-|-$/g, '')
  // How it spells other scripts is not known.
  if (!/^[\w.-]*$/.test(words)) return ''
  return /^\d/.test(words) ? `id-${words}` : words
}

const plainLetters: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i' }
