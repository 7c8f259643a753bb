import { kindOf } from './blocks/all.ts'
import { type Footnote, footnoteKey, footnotesAmong } from './blocks/footnote.ts'
import type { DocumentWriter, PartType } from './blocks/kind.ts'
import { everyBlock, type Block } from './blocks.ts'
import { toNodes, type Surroundings } from './document/nodes.ts'
import { referenceOf } from './document/reference.ts'
import { block as node, text, type ContentReference, type WrittenBlock, type JSONDocument } from './document/shape.ts'
import type { Inline } from './inlines.ts'
import { writeBlock } from './markdown/write-blocks.ts'
import { parse } from './parse.ts'
import { anchorsOf } from './sections.ts'
import { toPlainText } from './text.ts'

export interface DocumentOptions {
  /** What an address refers to. By default, this is derived from the address alone. */
  ref?: (href: string) => ContentReference
  /** Leaves out keys and anchors, which depend on the rest of the page, so that only the content is left. */
  nameless?: boolean
}

/** Converts blocks to the `document` format of the API. */
export function toDocument(blocks: readonly Block[], options: DocumentOptions = {}): JSONDocument {
  return { object: 'document', data: {}, nodes: new Writer(blocks, options).page(blocks) }
}

/** A footnote that is referred to again is repeated, up to this many characters in total. */
const maxRepeated = 200_000
const maxNestedNotes = 2

/** The name of each part in documents, and of the block around it, without which the part means nothing to a client. */
const parts: Record<PartType, { part: string; whole: string }> = {
  tab: { part: 'tabs-item', whole: 'tabs' },
  step: { part: 'stepper-step', whole: 'stepper' },
  column: { part: 'column', whole: 'columns' },
  update: { part: 'update', whole: 'updates' },
  'list-item': { part: 'list-item', whole: 'list-unordered' },
}

class Writer implements DocumentWriter, Surroundings {
  readonly ref: (href: string) => ContentReference
  readonly #isNamed: boolean
  readonly #anchors: ReadonlyMap<Block, string>
  readonly #footnotes: ReadonlyMap<string, Footnote>
  readonly #told = new Set<string>()
  /** The footnotes that are being written, one inside the other. */
  readonly #within = new Set<string>()
  #repeatsLeft = maxRepeated

  constructor(blocks: readonly Block[], { ref = referenceOf, nameless = false }: DocumentOptions) {
    this.ref = ref
    this.#isNamed = !nameless
    const all = [...everyBlock(blocks)]
    this.#anchors = this.#isNamed ? anchorsOf(all) : new Map()
    this.#footnotes = footnotesAmong(all)
  }

  /**
   * Writes a page. Footnotes are written where they are referred to; those without a reference, or too deep inside
   * others, come last.
   */
  page(blocks: readonly Block[]): WrittenBlock[] {
    const nodes = this.blocks(blocks)
    const left = [...this.#footnotes].filter(([label]) => !this.#told.has(label))
    return [...nodes, ...left.map(([, footnote]) => this.#alone(footnote))]
  }

  /**
   * Writes a footnote with the text that it shows on its own. When the document comes back, its text is compared with
   * that.
   */
  #alone(footnote: Footnote): WrittenBlock {
    const markdown = writeBlock(footnote)
    return this.#keyed(footnote, this.source(markdown, toPlainText(parse(markdown).blocks)))
  }

  blocks(blocks: readonly Block[]): WrittenBlock[] {
    return blocks.flatMap((block) => {
      const made = this.#write(block)
      const whole = block.type in parts ? parts[block.type as PartType].whole : undefined
      return whole === undefined ? made : [node(whole, { nodes: [...made], extra: { bare: true } })]
    })
  }

  parts(blocks: readonly Block[], type: PartType): WrittenBlock[] {
    return blocks.flatMap((block) =>
      block.type === type
        ? this.#write(block)
        : [node(parts[type].part, { nodes: this.blocks([block]), extra: { stray: true } })],
    )
  }

  #write(block: Block): readonly WrittenBlock[] {
    if (block.type === 'footnote') return []
    const made = kindOf(block).toDocument(block, this)
    const [first, ...more] = 'type' in made ? [made] : made
    return first ? [this.#keyed(block, first), ...more] : []
  }

  #keyed({ key }: Block, written: WrittenBlock): WrittenBlock {
    if (key === undefined || !this.#isNamed) return written
    const { object, type, ...rest } = written
    return { object, type, key, ...rest }
  }

  nodes(inlines: readonly Inline[]) {
    return toNodes(inlines, this)
  }

  paragraph(inlines: readonly Inline[]): WrittenBlock {
    return node('paragraph', { nodes: this.nodes(inlines) })
  }

  source(markdown: string, words: string): WrittenBlock {
    return node('paragraph', { nodes: [text(words)], extra: { source: markdown === words ? true : markdown } })
  }

  anchor(block: Block): string | undefined {
    return this.#anchors.get(block)
  }

  note(label: string): WrittenBlock[] {
    const name = footnoteKey(label)
    const footnote = this.#footnotes.get(name)
    const isTold = this.#told.has(name)
    if (!footnote || this.#within.has(name) || this.#within.size >= maxNestedNotes) return [this.paragraph([])]
    if (isTold) this.#repeatsLeft -= sizeOf(footnote)
    if (isTold && this.#repeatsLeft < 0) return [this.paragraph([])]
    this.#told.add(name)
    this.#within.add(name)
    const nodes = this.blocks(footnote.blocks)
    this.#within.delete(name)
    return nodes.length > 0 ? nodes : [this.paragraph([])]
  }
}

const sizeOf = ({ range }: Footnote): number => (range ? range.end - range.start : 1000)
