import { shortened } from '../../shortened.ts'
import { kindOf } from '../blocks/all.ts'
import type { Code } from '../blocks/code.ts'
import type { Images } from '../blocks/images.ts'
import type { HtmlWriter } from '../blocks/kind.ts'
import type { List, ListItem } from '../blocks/list.ts'
import type { Table } from '../blocks/table.ts'
import { childBlocks, everyBlock, type Block } from '../blocks.ts'
import { attributes, html, trusted, type Html } from '../html/template.ts'
import type { Inline } from '../inlines.ts'
import { drawImage } from '../inlines/image.ts'
import type { Document } from '../parse.ts'
import { htmlWriter, toHtml, type HtmlOptions } from '../to-html.ts'
import { drawCards, isCards } from './cards.ts'
import { drawWords } from './inlines.ts'
import { saidOfFormula, saidOfPicture, sideOf } from './pieces.ts'

/** A page as a user edits it without seeing its Markdown. Numbers in its markup are indexes into these lists. */
export interface Visual {
  readonly markup: Html
  readonly blocks: readonly Block[]
  readonly pieces: readonly Inline[]
}

export interface VisualOptions extends HtmlOptions {
  /** Returns how to show a block that readers see as something else, such as an include. */
  shown?: (block: Block) => readonly Block[]
  /** The same page without the signs of a cursor. The places of blocks refer to this one. */
  without?: Document
}

/**
 * Draws a page for editing. Paragraphs, headings and lists are edited the way browsers edit them. Blocks that hold
 * others, code and tables are frames around editable content. All others are only shown, and are deleted or moved as a
 * whole. For pictures, formulas and cards, the editor asks for their properties. The same text is always drawn with the
 * same numbers.
 */
export function drawVisual(document: Document, options: VisualOptions = {}): Visual {
  const { blocks, pieces, draw } = new Drawing(document, options)
  return { markup: html`${document.blocks.map(draw)}`, blocks, pieces }
}

class Drawing {
  readonly blocks: readonly Block[]
  readonly pieces: Inline[] = []
  readonly #options: VisualOptions
  readonly #numbers: ReadonlyMap<Block, number>
  /** The text that is shown and that places refer to: without the signs of a cursor. */
  readonly #source: string
  readonly #written: readonly Block[]
  readonly #html: HtmlWriter

  constructor(document: Document, options: VisualOptions) {
    this.blocks = [...everyBlock(document.blocks)]
    this.#options = options
    this.#numbers = new Map(this.blocks.map((block, number) => [block, number]))
    this.#source = (options.without ?? document).source
    this.#written = options.without ? [...everyBlock(options.without.blocks)] : this.blocks
    this.#html = htmlWriter(document.blocks, options)
  }

  readonly draw = (block: Block): Html => {
    switch (block.type) {
      case 'paragraph':
        return html`<p${this.#numbered(block)}${attributes({ align: block.align })}>${this.#words(block.inlines)}</p>`
      case 'heading': {
        const tag = trusted(`h${block.level}`)
        return html`<${tag}${this.#numbered(block)}${attributes({ align: block.align })}>${this.#words(block.inlines)}</${tag}>`
      }
      case 'list':
        return isRunning(block) ? this.#list(block) : this.#look(block)
      case 'code':
        return this.#frame(block, codeToEdit(block))
      case 'table':
        if (isCards(block)) return this.#frame(block, drawCards(this.#asWritten(block), this.#html, this.#words))
        return isPlain(block) ? this.#frame(block, this.#table(block)) : this.#look(block)
      case 'images':
        return this.#frame(block, this.#pictures(this.#asWritten(block)))
      case 'math': {
        const formula = this.#asWritten(block)
        return this.#frame(block, html`<div${attributes(saidOfFormula(formula))}>${this.#looksLike(formula)}</div>`)
      }
      default:
        return holders.has(block.type) ? this.#hold(block) : this.#look(block)
    }
  }

  readonly #words = (inlines: readonly Inline[]): Html => {
    const drawn = drawWords(inlines, this.pieces, this.#html)
    // A cursor cannot be placed in an element without height.
    return drawn.toString() === '' ? html`<br />` : drawn
  }

  #numbered(block: Block): Html {
    return attributes({ 'data-block': this.#numbers.get(block) })
  }

  #list(block: List): Html {
    const tag = trusted(block.kind === 'ordered' ? 'ol' : 'ul')
    const items = block.blocks.map((item) => this.#item(item as ListItem))
    return html`<${tag}${this.#numbered(block)}${attributes({ start: block.start })}>${items}</${tag}>`
  }

  /**
   * Draws an item. The words of its first paragraph are put directly into it, so that browsers can make and join items
   * by themselves.
   */
  #item(item: ListItem): Html {
    const [first, ...others] = item.blocks
    const isBare = first?.type === 'paragraph' && !first.align
    const checked = item.checked === undefined ? undefined : String(item.checked)
    const inside = isBare ? [this.#words(first.inlines), ...others.map(this.draw)] : item.blocks.map(this.draw)
    return html`<li${this.#numbered(item)}${attributes({ 'data-checked': checked })}>${inside.length > 0 ? inside : html`<br />`}</li>`
  }

  #table({ columns, rows }: Table): Html {
    // The number identifies the cell wherever the user moves it.
    const cell = (tag: Html, inlines: readonly Inline[], row: number, at: number) => {
      const place = { 'data-cell': row * columns.length + at, contenteditable: 'true', align: columns[at]?.align }
      return html`<${tag}${attributes(place)}>${this.#words(inlines)}</${tag}>`
    }
    const head = columns.map(({ inlines }, at) => cell(trusted('th'), inlines, 0, at))
    const body = rows.map(
      (row, number) =>
        html`<tr>
          ${columns.map((_, at) => cell(trusted('td'), row[at] ?? [], number + 1, at))}
        </tr>`,
    )
    return html`<div class="frame-wide">
      <table>
        <thead>
          <tr>
            ${head}
          </tr>
        </thead>
        <tbody>
          ${body}
        </tbody>
      </table>
    </div>`
  }

  /**
   * Draws pictures. The editor asks about a picture on the element around it, so the caption is beside that element.
   */
  #pictures(block: Images): Html {
    return html`${block.images.map((image, number) => {
      const place = { ...saidOfPicture(image), 'data-picture': number, 'data-side': sideOf(block) }
      const caption =
        image.caption && html`<figcaption>${drawWords(image.caption, this.pieces, this.#html)}</figcaption>`
      return html`<figure${attributes({ align: block.align })}><span${attributes(place)}>${drawImage(image, this.#html)}</span>${caption}</figure>`
    })}`
  }

  /** Draws a block that holds others. The block's own kind draws what is around its content. */
  #hold(block: Block): Html {
    const inside = (children: readonly Block[]) => {
      const isText = !holdsParts.has(block.type)
      const drawn = children.length > 0 ? children.map(this.draw) : isText && html`<p><br /></p>`
      return html`<div data-inside contenteditable="${isText ? 'true' : 'false'}">${drawn}</div>`
    }
    // A step is drawn without the list of its usual markup: there, a new line would make browsers begin a list item,
    // which is not theirs to change.
    if (block.type === 'stepper' || block.type === 'step')
      return this.#frame(block, html`<div class="${block.type}">${inside(block.blocks)}</div>`)
    const seen = toBeSeen(block)
    return this.#frame(block, kindOf(seen).toHtml(seen, { ...this.#html, blocks: inside }))
  }

  /** Draws a block that is only shown. If it is invisible, such as a comment, its source is shown. */
  #look(block: Block): Html {
    const own = this.#asWritten(block)
    const drawn = this.#looksLike(own)
    const { start = 0, end = 0 } = own.range ?? {}
    const source = html`<code class="source">${shortened(this.#source.slice(start, end), 200)}</code>`
    return this.#frame(block, drawn.toString() === '' ? source : drawn)
  }

  #looksLike(block: Block): Html {
    return trusted(toHtml(this.#options.shown?.(block) ?? [block], this.#options))
  }

  /** Returns the block without the signs of a cursor, for blocks that are only shown. */
  #asWritten<Kind extends Block>(block: Kind): Kind {
    return (this.#written[this.#numbers.get(block) ?? -1] as Kind | undefined) ?? block
  }

  #frame(block: Block, inside: Html): Html {
    const number = this.#numbers.get(block)
    const { start: from, end: to } = this.#written[number ?? -1]?.range ?? {}
    const place = { 'data-block': number, 'data-kind': block.type, 'data-from': from, 'data-to': to }
    return html`<div${attributes({ class: 'frame', ...place, contenteditable: 'false' })}>${inside}</div>`
  }
}

function codeToEdit({ language, title, text }: Code): Html {
  const place = { class: language && `language-${language}`, 'data-text': '', contenteditable: 'plaintext-only' }
  return html`<pre${attributes({ title })}><code${attributes(place)}>${text}</code></pre>`
}

/** The blocks of a page that are drawn as frames, in reading order. */
export function* framesOf(blocks: readonly Block[]): Generator<Block> {
  for (const block of blocks) {
    if (!isRunning(block)) yield block
    if (isRunning(block) || holders.has(block.type)) yield* framesOf(childBlocks(block))
  }
}

/** Whether browsers can edit a block by themselves. */
function isRunning(block: Block): boolean {
  if (block.type === 'list') return block.blocks.every(({ type }) => type === 'list-item')
  return block.type === 'paragraph' || block.type === 'heading' || block.type === 'list-item'
}

/** Makes everything visible that is edited, and the condition under which readers see it. */
function toBeSeen(block: Block): Block {
  if (block.type === 'details') return { ...block, open: true }
  if (block.type !== 'if') return block
  return { type: 'hint', style: 'info', title: `Only where ${block.expression}`, blocks: block.blocks }
}

const holders: ReadonlySet<Block['type']> = new Set([
  'column',
  'columns',
  'details',
  'hint',
  'if',
  'quote',
  'step',
  'stepper',
  'tab',
  'tabs',
  'update',
  'updates',
] as const)

/** Blocks that hold parts of one type only, with no text between them. */
const holdsParts: ReadonlySet<Block['type']> = new Set(['columns', 'stepper', 'tabs', 'updates'] as const)

/** Whether a table is one that Markdown itself can express. */
const isPlain = ({ view, others, columns }: Table): boolean =>
  !view && !others && columns.length > 0 && columns.every(({ attributes: more }) => !more)
