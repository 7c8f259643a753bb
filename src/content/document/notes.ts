import type { Block } from '../blocks.ts'
import { type Footnote, footnoteKey } from '../blocks/footnote.ts'
import type { DocumentNode } from './shape.ts'

/**
 * The texts of the annotations of a document. In Markdown they are at the end of the page, once per label, however
 * often it is referred to.
 */
export class Notes {
  readonly #read: (nodes: readonly DocumentNode[] | undefined) => Block[]
  readonly #notes = new Map<string, { label: string; blocks: readonly Block[]; written: string }>()
  readonly #defined = new Set<string>()
  #number = 0

  constructor(read: (nodes: readonly DocumentNode[] | undefined) => Block[]) {
    this.#read = read
  }

  /** Returns the label of a text: the wanted one, unless that already has another text. */
  add(wanted: string | undefined, nodes: readonly DocumentNode[] | undefined): string {
    const blocks = this.#read(nodes).filter((block) => !isEmpty(block))
    const written = JSON.stringify(blocks)
    const label = wanted?.replace(/[[\]\\\s]+/g, '-')
    const before = label && this.#notes.get(footnoteKey(label))
    // If there are many references, only the first may contain the text.
    if (before && (before.written === written || blocks.length === 0)) return before.label
    const free = label && (!before || before.blocks.length === 0) ? label : this.#nextNumber()
    this.#notes.set(footnoteKey(free), { label: free, blocks, written })
    return free
  }

  /** Takes note of Markdown that may itself define a footnote. */
  noteSource(markdown: string): void {
    const label = /^\[\^([^\]]+)\]:/.exec(markdown)?.[1]
    if (label !== undefined) this.#defined.add(footnoteKey(label))
  }

  *footnotes(): Generator<Footnote> {
    for (const [name, { label, blocks }] of this.#notes) {
      if (blocks.length > 0 || !this.#defined.has(name)) yield { type: 'footnote', label, blocks }
    }
  }

  #nextNumber(): string {
    do this.#number++
    while (this.#notes.has(String(this.#number)))
    return String(this.#number)
  }
}

const isEmpty = (block: Block): boolean => block.type === 'paragraph' && block.inlines.length === 0
