import type * as hast from 'hast'
import type { Code } from '../blocks/code.ts'
import type { Heading } from '../blocks/heading.ts'
import type { Figure, Images } from '../blocks/images.ts'
import type { List, ListItem } from '../blocks/list.ts'
import type { MathBlock } from '../blocks/math.ts'
import type { Paragraph } from '../blocks/paragraph.ts'
import type { Table, TableColumn } from '../blocks/table.ts'
import type { HtmlWriter } from '../blocks/kind.ts'
import { childBlocks, type Block } from '../blocks.ts'
import { findElements } from '../html/find.ts'
import { readFragment } from '../html/fragment.ts'
import { html } from '../html/template.ts'
import type { Inline } from '../inlines.ts'
import { limits } from '../limits.ts'
import { htmlWriter } from '../to-html.ts'
import { drawVisual, type Visual } from './draw.ts'
import { isCards, readCards } from './cards.ts'
import { drawWords, readWords, wordsOf } from './inlines.ts'
import { readFormula, readPicture, readSide } from './pieces.ts'
import type { Document } from '../parse.ts'

/**
 * Reads what a user made of a page that was drawn for them: the same objects for blocks that they did not touch, and
 * new ones for what they wrote. Nothing from a browser is trusted except words, and numbers that the page had.
 */
export function readVisual(document: Document, markup: string): readonly Block[] {
  return new VisualReader(drawVisual(document)).blocks(readFragment(markup).children, document.blocks)
}

/** How many characters copies of blocks and pieces may add to a text. */
const mostCopied = 256 * 1024

export class TooManyCopies extends Error {}

class VisualReader {
  readonly #drawn: Visual
  /** If a browser splits a block in two, both parts have its number: the first one is the block. */
  readonly #found = new Set<Block>()
  readonly #pieces = new Set<Inline>()
  #asDrawn: ReadonlyMap<readonly Inline[], string> | undefined
  readonly #draw = htmlWriter([], {})
  #copies = 0

  constructor(drawn: Visual) {
    this.#drawn = drawn
  }

  /**
   * Reads nodes as blocks. `before` are the blocks that were there. If all of them are still there, the same list is
   * returned.
   */
  blocks(nodes: readonly hast.Nodes[], before: readonly Block[] = []): readonly Block[] {
    const blocks: Block[] = []
    let words: hast.Nodes[] = []
    // One by one: as arguments of a single call, the blocks of a long page would exceed the stack.
    const add = (some: readonly Block[]) => some.forEach((each) => blocks.push(each))
    const endWords = () => {
      add(this.#paragraph(words))
      words = []
    }
    for (const node of nodes) {
      if (!isBlock(node)) words.push(node)
      else {
        endWords()
        add(this.#block(node))
      }
    }
    endWords()
    return isSame(blocks, before) ? before : blocks
  }

  #block(element: hast.Element): readonly Block[] {
    const block = this.#drawn.blocks[Number(element.properties['dataBlock'] ?? -1)]
    if (block && isFrame(element)) return [this.#framed(element, block)]
    const known = block && !this.#found.has(block) ? block : undefined
    if (known) this.#found.add(known)
    const { tagName, children } = element
    if (/^h[1-6]$/.test(tagName)) return this.#heading(element, known)
    if (tagName === 'ul' || tagName === 'ol') return this.#list(element, known)
    if (tagName === 'hr') return [{ type: 'divider' }]
    if (tagName === 'pre') return [newCode(element)]
    if (tagName === 'blockquote') return newQuote(this.blocks(children))
    if (tagName === 'p' || !children.some(isBlock)) return this.#paragraph(children, known)
    return this.blocks(children)
  }

  #words(nodes: readonly hast.Nodes[]): Inline[] {
    return readWords(nodes, (number) => this.#piece(number))
  }

  #piece(number: number): Inline | undefined {
    const piece = this.#drawn.pieces[number]
    if (piece && this.#pieces.has(piece)) this.#copied(JSON.stringify(piece).length)
    if (piece) this.#pieces.add(piece)
    return piece
  }

  /**
   * Counts copies. A page may contain something twice because a user copied it, but a large block must not be repeated
   * without limit.
   */
  #copied(length: number): void {
    this.#copies += length
    if (this.#copies > mostCopied) throw new TooManyCopies()
  }

  /** Returns the inlines as they would come back if nobody had touched them. */
  #untouched(inlines: readonly Inline[]): string {
    this.#asDrawn ??= wordsAsDrawn(this.#drawn.blocks, this.#draw)
    return this.#asDrawn.get(inlines) ?? JSON.stringify(readAsDrawn([inlines], this.#draw)[0])
  }

  #isUntouched(now: readonly Inline[], before: readonly Inline[]): boolean {
    return JSON.stringify(now) === this.#untouched(before)
  }

  /** Reads a paragraph. An empty one is left out: Markdown has no empty paragraphs. */
  #paragraph(nodes: readonly hast.Nodes[], known?: Block): Block[] {
    const inlines = this.#words(nodes)
    const before = known?.type === 'paragraph' ? known : undefined
    if (before && this.#isUntouched(inlines, before.inlines)) return [before]
    if (saysNothing(inlines)) return this.#isGone(before)
    const made: Paragraph = { ...before, type: 'paragraph', inlines }
    return [made]
  }

  /** Leaves out an empty block. If a block was split at its beginning, the second of the two parts is the block. */
  #isGone(block: Block | undefined): Block[] {
    if (block) this.#found.delete(block)
    return []
  }

  #heading({ tagName, children }: hast.Element, known: Block | undefined): Block[] {
    const inlines = this.#words(children)
    const level = Number(tagName[1]) as Heading['level']
    const before = known?.type === 'heading' ? known : undefined
    if (before?.level === level && this.#isUntouched(inlines, before.inlines)) return [before]
    if (saysNothing(inlines)) return this.#isGone(before)
    const made: Heading = { ...before, type: 'heading', level, inlines }
    return [made]
  }

  #list({ tagName, children }: hast.Element, known: Block | undefined): Block[] {
    const before = known?.type === 'list' ? known : undefined
    const items = withStrays(children).map(({ item, strays }) => this.#item(item, strays))
    if (items.length === 0) return []
    const kind =
      tagName === 'ol' ? 'ordered' : items.some(({ checked }) => checked !== undefined) ? 'tasks' : 'unordered'
    if (before?.kind === kind && isSame(items, before.blocks)) return [before]
    // The items of a list that was cut are empty, and so are those of a list that a user is just beginning.
    if (items.every(({ blocks }) => blocks.length === 0)) return []
    const made: List = { ...(before ?? { type: 'list', loose: false }), kind, blocks: items }
    return [made]
  }

  /** Reads an item. `strays` belong below it. */
  #item(element: hast.Element, strays: readonly hast.Element[]): ListItem {
    const block = this.#drawn.blocks[Number(element.properties['dataBlock'] ?? -1)]
    const known = block?.type === 'list-item' && !this.#found.has(block) ? block : undefined
    if (known) this.#found.add(known)
    const { children } = element
    const first = children.findIndex(isBlock)
    const [words, others] = first === -1 ? [children, []] : [children.slice(0, first), children.slice(first)]
    const blocks = [...this.#paragraph(words, known?.blocks[0]), ...this.blocks([...others, ...strays])]
    const box = element.properties['dataChecked']
    const checked = box === undefined ? undefined : String(box) === 'true'
    const before = known && known.checked === checked ? known : undefined
    if (before && isSame(blocks, before.blocks)) return before
    return itemWith(before ?? { type: 'list-item', ...(checked === undefined ? {} : { checked }), blocks: [] }, blocks)
  }

  #framed(element: hast.Element, block: Block): Block {
    const { start = 0, end = 0 } = block.range ?? {}
    if (this.#found.has(block)) this.#copied(end - start)
    this.#found.add(block)
    if (block.type === 'code') return this.#code(element, block)
    if (block.type === 'table') return isCards(block) ? this.#cards(element, block) : this.#table(element, block)
    if (block.type === 'images') return this.#images(element, block)
    if (block.type === 'math') return formulaIn(element, block)
    const insides = [...insidesOf(element)]
    if (insides.length === 0) return block
    const before = childBlocks(block)
    const blocks = this.blocks(
      insides.flatMap(({ children }) => children),
      before,
    )
    return blocks === before ? block : ({ ...block, blocks } as Block)
  }

  #code(element: hast.Element, block: Code): Code {
    const [field] = findElements(element, ['code'])
    if (!field) return block
    const text = wordsOf(field).replace(/\n$/, '')
    // Not every character survives a browser: a null byte does not.
    const untouched = wordsOf(readFragment(html`<code>${block.text}</code>`.toString())).replace(/\n$/, '')
    return text === untouched ? block : { ...block, text }
  }

  /** Reads pictures. Some may be gone, others may have changed, or their captions may have. */
  #images(element: hast.Element, block: Images): Images {
    const figures = [...findElements(element, ['figure'])]
    const places: hast.Element[] = []
    const images = figures.flatMap((figure): Figure[] => {
      const place = [...findElements(figure, ['span'])].find(
        ({ properties }) => properties['dataPicture'] !== undefined,
      )
      const before = place && block.images[numberOf(place.properties['dataPicture'])]
      if (!before) return []
      places.push(place)
      return [this.#captioned(figure, readPicture(place, before))]
    })
    if (images.length === 0 || images.length > block.images.length) return block
    return readSide(places, isSame(images, block.images) ? block : { ...block, images })
  }

  #captioned(figure: hast.Element, picture: Figure): Figure {
    const [words] = findElements(figure, ['figcaption'])
    const now = words ? this.#words(words.children) : []
    const { caption: before = [], ...bare } = picture
    if (this.#isUntouched(now, before)) return picture
    return saysNothing(now) ? bare : { ...bare, caption: now }
  }

  #cards(element: hast.Element, block: Table): Table {
    return readCards(element, block, (nodes, before) => this.#cell(nodes, before))
  }

  #cell(nodes: readonly hast.Nodes[], before: readonly Inline[] | undefined): readonly Inline[] {
    const inlines = this.#words(nodes)
    return before && this.#isUntouched(inlines, before) ? before : inlines
  }

  /** Reads a table. Rows and columns may be new, gone or moved. Untouched ones result in the same objects. */
  #table(element: hast.Element, block: Table): Table {
    const [head = [], ...rows] = [...findElements(element, ['tr'])].map((row) => [...findElements(row, ['th', 'td'])])
    const isWhole = (cells: readonly hast.Element[]) => cells.length === head.length && cells.every(isCell)
    const isTooLarge = head.length * (rows.length + 1) > limits.tableCells
    if (head.length === 0 || isTooLarge || !isWhole(head) || !rows.every(isWhole)) return block
    const was = [block.columns.map(({ inlines }) => inlines), ...block.rows]
    const placeOf = (cell: hast.Element): [row: number, column: number] => {
      const number = numberOf(cell.properties['dataCell'])
      return [Math.floor(number / block.columns.length), number % block.columns.length]
    }
    const read = (cell: hast.Element): readonly Inline[] => {
      const [row, column] = placeOf(cell)
      return this.#cell(cell.children, was[row]?.[column])
    }
    const columns = head.map((cell): TableColumn => {
      const [row, column] = placeOf(cell)
      const before = row === 0 ? block.columns[column] : undefined
      const [inlines, align] = [read(cell), alignOf(cell)]
      return before?.inlines === inlines && before.align === align ? before : { inlines, ...(align ? { align } : {}) }
    })
    const cells = rows.map((row) => {
      const now = row.map(read)
      const before = row[0] && block.rows[placeOf(row[0])[0] - 1]
      return before && isSame(now, before) ? before : now
    })
    const isTouched = !isSame(columns, block.columns) || !isSame(cells, block.rows)
    return isTouched ? { ...block, columns, rows: cells } : block
  }
}

function formulaIn(element: hast.Element, block: MathBlock): MathBlock {
  const place = [...findElements(element, ['div'])].find(({ properties }) => properties['dataFormula'] !== undefined)
  return place ? readFormula(place, block) : block
}

const isCell = ({ properties }: hast.Element): boolean => properties['dataCell'] !== undefined

/** Returns a given number, or NaN if there is none because the element is new. */
const numberOf = (given: unknown): number => (/^\d{1,9}$/.test(String(given)) ? Number(given) : Number.NaN)

const alignOf = ({ properties: { align } }: hast.Element): TableColumn['align'] =>
  align === 'left' || align === 'center' || align === 'right' ? align : undefined

/**
 * Returns the words of all blocks of a page. Reading the markup of a thousand of them one by one would take ten times
 * as long.
 */
function wordsAsDrawn(blocks: readonly Block[], draw: HtmlWriter): ReadonlyMap<readonly Inline[], string> {
  const texts = blocks.flatMap((block): (readonly Inline[])[] => {
    if (block.type === 'paragraph' || block.type === 'heading') return [block.inlines]
    return block.type === 'table' ? [...block.columns.map(({ inlines }) => inlines), ...block.rows.flat()] : []
  })
  const read = readAsDrawn(texts, draw)
  return new Map(texts.map((inlines, at) => [inlines, JSON.stringify(read[at])]))
}

function readAsDrawn(texts: readonly (readonly Inline[])[], draw: HtmlWriter): Inline[][] {
  const pieces = texts.map((): Inline[] => [])
  // Within an element, as in the page: at the beginning of a text, a byte order mark would be dropped.
  const drawn = html`${texts.map((inlines, at) => html`<p>${drawWords(inlines, pieces[at] ?? [], draw)}</p>`)}`
  const paragraphs = readFragment(drawn.toString()).children.filter((node) => node.type === 'element')
  // HTML written by the author may tear a paragraph apart. When it is read alone, its first part is used.
  if (texts.length > 1 && paragraphs.length !== texts.length)
    return texts.flatMap((inlines) => readAsDrawn([inlines], draw))
  return texts.map((_, at) => readWords(paragraphs[at]?.children ?? [], (number) => pieces[at]?.[number]))
}

function newCode(element: hast.Element): Code {
  const [field] = findElements(element, ['code'])
  const [language] = classesOf(field ?? element).flatMap((name) => /^language-([\w+#.-]+)$/.exec(name)?.[1] ?? [])
  return { type: 'code', ...(language ? { language } : {}), text: wordsOf(element).replace(/\n$/, '') }
}

/** An empty quote is not a block yet. */
const newQuote = (blocks: readonly Block[]): Block[] => (blocks.length > 0 ? [{ type: 'quote', blocks }] : [])

/** Groups items with the lists that browsers put directly into another list: such a list belongs to the item above. */
function withStrays(nodes: readonly hast.Nodes[]): { item: hast.Element; strays: hast.Element[] }[] {
  const items: { item: hast.Element; strays: hast.Element[] }[] = []
  for (const node of nodes) {
    if (node.type !== 'element') continue
    const above = items.at(-1)
    if (node.tagName === 'li' || !above) items.push({ item: node, strays: [] })
    else above.strays.push(node)
  }
  return items
}

/**
 * Returns an item with other blocks. If their types differ from before, it is written anew: what is between them
 * depends on the list.
 */
function itemWith({ range, ...item }: ListItem, blocks: readonly Block[]): ListItem {
  const isAlike = blocks.length === item.blocks.length && blocks.every(({ type }, at) => type === item.blocks[at]?.type)
  return { ...item, ...(isAlike && range ? { range } : {}), blocks }
}

const isSame = (now: readonly unknown[], before: readonly unknown[]): boolean =>
  now.length === before.length && now.every((each, at) => each === before[at])

const saysNothing = (inlines: readonly Inline[]): boolean =>
  inlines.every((inline) => inline.type === 'break' || (inline.type === 'text' && inline.text.trim() === ''))

const blockNames =
  /^(?:address|article|aside|blockquote|center|dd|div|dl|dt|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|ul)$/

const isBlock = (node: hast.Nodes): node is hast.Element => node.type === 'element' && blockNames.test(node.tagName)

const classesOf = ({ properties: { className } }: hast.Element): string[] =>
  Array.isArray(className) ? className.map(String) : []

const isFrame = (element: hast.Element): boolean => classesOf(element).includes('frame')

/** Yields the fields of a frame, without those of frames inside it. */
function* insidesOf(element: hast.Element, depth = 0): Generator<hast.Element> {
  for (const node of element.children) {
    if (node.type !== 'element' || isFrame(node) || depth > 32) continue
    if (node.properties['dataInside'] !== undefined) yield node
    else yield* insidesOf(node, depth + 1)
  }
}
