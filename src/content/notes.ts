import { childBlocks, everyBlock, without, type Block } from './blocks.ts'
import { footnoteKey } from './blocks/footnote.ts'
import type { Inline } from './inlines.ts'
import { withOwnInlines } from './own-inlines.ts'

/**
 * Removes the footnotes, and the addresses of links, that are named only in text that is hidden from this reader. They
 * may be anywhere on a page, and mostly are at its end, outside of the condition that hides what names them.
 */
export const withoutNotesOf = (hidden: Iterable<string>, blocks: readonly Block[]): readonly Block[] =>
  without(blocks, notesLostWith(hidden, blocks))

/** Returns those footnotes and addresses. `hidden` are the names in the hidden text, `blocks` is everything else. */
export function notesLostWith(hidden: Iterable<string>, blocks: readonly Block[]): Block[] {
  const lost = new Set(hidden)
  if (lost.size === 0) return []
  const notes = Map.groupBy(
    [...everyBlock(blocks)].filter((block) => noteName(block) !== undefined),
    (block) => noteName(block)!,
  )
  if (notes.size === 0) return []
  const reach = (names: Set<string>) => {
    for (const name of names) for (const note of notes.get(name) ?? []) addNames(names, childBlocks(note))
    return names
  }
  const left = reach(addNames(new Set(), blocks))
  return [...reach(lost)].filter((name) => !left.has(name)).flatMap((name) => notes.get(name) ?? [])
}

/** Returns the names of all footnotes and addresses that a text names. `suffix` is part of the labels of footnotes. */
export function notesNamedIn(blocks: readonly Block[], suffix = ''): Set<string> {
  const names = addNames(new Set(), blocks, suffix)
  for (const block of everyBlock(blocks)) if (block.type === 'footnote') addNames(names, block.blocks, suffix)
  return names
}

/** Adds what is named outside of footnotes. */
function addNames(names: Set<string>, blocks: readonly Block[], suffix = ''): Set<string> {
  const read = (inlines: readonly Inline[]) => {
    for (const inline of inlines) {
      if (inline.type === 'footnote-reference') names.add(footnoteName(inline.label + suffix))
      if ('reference' in inline && inline.reference !== undefined) names.add(addressName(inline.reference))
      if ('inlines' in inline && inline.inlines) read(inline.inlines)
    }
    return inlines
  }
  for (const block of blocks) {
    if (block.type === 'footnote') continue
    withOwnInlines(block, read)
    if (block.type === 'images') read(block.images)
    addNames(names, childBlocks(block), suffix)
  }
  return names
}

function noteName(block: Block): string | undefined {
  if (block.type === 'footnote') return footnoteName(block.label)
  return block.type === 'definition' ? addressName(block.label) : undefined
}

const footnoteName = (label: string) => `[^${footnoteKey(label)}]`

const addressName = (label: string) => `[${label.replace(/\s+/g, ' ').trim().toLowerCase()}]`
