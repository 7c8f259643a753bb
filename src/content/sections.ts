import { childBlocks, type Block } from './blocks.ts'
import type { Heading } from './blocks/heading.ts'
import { hash, hashWord } from './hash.ts'
import { plainText } from './inlines/text.ts'
import type { Document } from './parse.ts'
import { toPlainText } from './text.ts'

/** A heading and the text up to the next one. What stands before the first heading has no heading: level 0. */
export interface Section {
  readonly anchor: string
  readonly level: 0 | Heading['level']
  readonly title: string
  readonly text: string
  /** Changes when the title or the text does, so that an index writes only what is new. */
  readonly hash: string
}

export interface OutlineEntry {
  readonly anchor: string
  readonly level: Heading['level']
  readonly title: string
}

export function sections(document: Pick<Document, 'blocks'>): Section[] {
  const flat = flatten(document.blocks)
  const anchors = anchorsOf(flat)
  const found: { heading?: Heading; blocks: Block[] }[] = [{ blocks: [] }]
  for (const block of flat) {
    if (block.type === 'heading') found.push({ heading: block, blocks: [] })
    else found.at(-1)?.blocks.push(block)
  }
  return found
    .map(({ heading, blocks }) => {
      const title = heading ? plainText(heading.inlines).trim() : ''
      const text = toPlainText(blocks)
      const anchor = (heading && anchors.get(heading)) ?? ''
      return { anchor, level: heading?.level ?? (0 as const), title, text, hash: hashWord(hash(`${title}\0${text}`)) }
    })
    .filter((section) => section.level > 0 || section.text !== '')
}

export function outline(document: Pick<Document, 'blocks'>): OutlineEntry[] {
  return sections(document).flatMap(({ anchor, level, title }) => (level === 0 ? [] : [{ anchor, level, title }]))
}

/** Headings inside a tab or a step begin sections like any other, so what holds one is taken apart. */
function flatten(blocks: readonly Block[]): Block[] {
  return blocks.flatMap((block) => (holdsHeading(block) ? flatten(childBlocks(block)) : [block]))
}

function holdsHeading(block: Block): boolean {
  return childBlocks(block).some((child) => child.type === 'heading' || holdsHeading(child))
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
