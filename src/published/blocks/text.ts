import type { Block } from '../../content/blocks.ts'
import { drawElement } from '../../content/html/draw-element.ts'
import { type Html, attributes, html, trusted } from '../../content/html/template.ts'
import type { Inline } from '../../content/inlines.ts'
import { isAddress, plainText } from '../../content/inlines/text.ts'
import { markTags } from '../../content/markdown/write-inline-html.ts'
import { formulaAlone } from './formulas-of-page.ts'
import { iconNamed } from '../icons/icons.ts'
import { toneOf } from '../look/tones.ts'
import { fill } from '../words/words.ts'
import { drawMath } from './code.ts'
import { type DrawBlock, type Drawing, leadsTo } from './drawing.ts'
import { drawPicture } from './pictures.ts'

export const paragraph: DrawBlock<'paragraph'> = (block, draw) => {
  // A formula that is alone in a paragraph is drawn as a block.
  const formula = formulaAlone(block.inlines)
  if (formula) return drawMath(formula.text, draw)
  const shown = block.inlines.filter((inline) => inline.type !== 'text' || inline.text.trim() !== '')
  const buttons = shown.length > 0 && shown.every((inline) => isButton(inline, draw))
  const look = attributes({ class: buttons && 'btns', 'data-align': sideOf(block.align) })
  return html`<p${look}>${draw.inlines(block.inlines)}</p>`
}

/** A button that leads nowhere for this reader is drawn as words. */
const isButton = (inline: Inline, draw: Drawing): boolean =>
  inline.type === 'button' ? draw.link(inline.href) !== undefined : (questionOf(inline) ?? '') !== '' && !!draw.search

export const sideOf = (align: string | undefined): string | undefined =>
  align === 'right' ? 'end' : align === 'center' ? 'center' : undefined

export const heading: DrawBlock<'heading'> = (block, draw) => {
  // The title of the page is its h1, so an h1 in the text becomes an h2.
  const level = Math.max(2, Math.min(6, block.level))
  const title = plainText(block.inlines).trim()
  draw.passed(level, title)
  const tag = trusted(`h${level}`)
  const id = draw.anchor(block)
  const link = id !== undefined && anchorLink(id, fill(draw.words.linkTo, title))
  const other = draw.otherAnchor(block)
  const place = other !== undefined && html`<a id="${other}"></a>`
  return html`<${tag}${attributes({ id, 'data-align': sideOf(block.align) })}>${place}${draw.inlines(block.inlines)}${link}</${tag}>`
}

const anchorLink = (id: string, label: string) => html`<a class="anchor" href="#${id}" aria-label="${label}">#</a>`

export const quote: DrawBlock<'quote'> = (block, draw) => html`<blockquote>${draw.blocks(block.blocks)}</blockquote>`

export const list: DrawBlock<'list'> = (block, draw) => {
  if (block.kind === 'tasks')
    return html`<ul class="block tasks" role="list">
      ${block.blocks.map((item) => task(item, block.loose, draw))}
    </ul>`
  if (block.kind === 'ordered')
    return html`<ol${attributes({ start: block.start })}>${block.blocks.map((item) => numbered(item, block.loose, draw))}</ol>`
  return html`<ul>
    ${block.blocks.map((item) => html`<li>${itemContent(item, block.loose, draw)}</li>`)}
  </ul>`
}

/** Tasks can have numbers: their checkbox is beside the number. */
function numbered(item: Block, loose: boolean, draw: Drawing): Html {
  const content = itemContent(item, loose, draw)
  if (item.type !== 'list-item' || item.checked === undefined) return html`<li>${content}</li>`
  return html`<li>
    <div class="task">
      ${checkbox(item.checked, draw)}
      <div class="flow">${content}</div>
    </div>
  </li>`
}

/** A task list may contain items that are not tasks: they get no checkbox. */
function task(item: Block, loose: boolean, draw: Drawing): Html {
  const done = item.type === 'list-item' ? item.checked : undefined
  return html`<li>
    ${done === undefined ? html`<span class="bullet"></span>` : checkbox(done, draw)}
    <div class="flow">${itemContent(item, loose, draw)}</div>
  </li>`
}

export function checkbox(done: boolean, draw: Drawing): Html {
  const look = attributes({ 'data-on': done, role: 'img', 'aria-label': done ? draw.words.done : draw.words.toDo })
  return html`<span class="box" ${look}>${draw.icons.draw('check')}</span>`
}

/** In a list without blank lines between its items, the text of an item is not a separate paragraph. */
function itemContent(item: Block, loose: boolean, draw: Drawing): Html {
  const blocks = item.type === 'list-item' ? item.blocks : [item]
  const [first, ...rest] = blocks
  if (loose || first?.type !== 'paragraph') return draw.blocks(blocks)
  return html`${draw.inlines(first.inlines)}${draw.blocks(rest)}`
}

export function drawInlines(inlines: readonly Inline[], draw: Drawing): Html {
  return html`${inlines.map((inline) => drawInline(inline, draw))}`
}

const option = /(?<!\S)(--?[a-z][\w-]{0,23})(?![\w-])/i

/** Browsers end a line after any hyphen: the hyphens at the beginning of `--no-color` would stay behind alone. */
function withWholeOptions(text: string): Html {
  if (!text.includes('-')) return html`${text}`
  const pieces = text.split(option)
  return html`${pieces.map((piece, at) => (at % 2 === 1 ? html`<span class="whole">${piece}</span>` : piece))}`
}

function drawInline(inline: Inline, draw: Drawing): Html {
  switch (inline.type) {
    case 'text':
    case 'emoji':
      return html`${inline.text}`
    case 'code':
      return html`<code>${withWholeOptions(inline.text)}</code>`
    case 'math':
      draw.needs.add('math')
      return html`<span class="formula">${draw.formula(inline.text, false)}</span>`
    case 'expression':
    case 'html':
      return html``
    case 'break':
      return html`<br />`
    case 'link':
    case 'mention':
      return drawLink(inline, draw)
    case 'button':
      return drawButton(inline, draw)
    case 'image':
      return drawPicture(inline, draw, 'inline')
    case 'icon': {
      const icon = iconNamed(inline.name)
      return icon ? draw.icons.draw(icon, 'inline') : html``
    }
    case 'anchor':
      return html`<a id="${draw.place(inline.id)}"></a>`
    case 'footnote-reference':
      return drawReference(inline, draw)
    case 'color':
      return drawColor(inline, draw)
    case 'keyboard':
      return html`<kbd>${draw.inlines(inline.inlines)}</kbd>`
    case 'element':
      if (questionOf(inline) !== undefined) return drawAskButton(inline, questionOf(inline)!, draw)
      return drawElement(inline.name, inline.attributes, draw.inlines(inline.inlines), plainAddresses(draw))
    default: {
      const tag = trusted(markTags[inline.type])
      return html`<${tag}>${draw.inlines(inline.inlines)}</${tag}>`
    }
  }
}

/**
 * Draws the words that are explained, and the number of the note. The link back from a note leads to its first mention.
 */
function drawReference(inline: Extract<Inline, { type: 'footnote-reference' }>, draw: Drawing): Html {
  const { number, isFirst } = draw.note(inline.label)
  const link = attributes({
    href: `#~note-${number}`,
    id: isFirst ? `~from-note-${number}` : undefined,
    'aria-label': fill(draw.words.note, number),
  })
  return html`${draw.inlines(inline.inlines ?? [])}<sup><a${link}>${number}</a></sup>`
}

function drawColor({ color, background, inlines }: Extract<Inline, { type: 'color' }>, draw: Drawing): Html {
  const content = draw.inlines(inlines)
  const tone = toneOf(color)
  const words = tone === undefined ? content : html`<span class="toned" data-tone="${tone}">${content}</span>`
  // Text without a background is highlighted too if its colour is unknown.
  if (background === undefined && tone !== undefined) return words
  return html`<mark${attributes({ 'data-tone': toneOf(background) })}>${words}</mark>`
}

/** A link that leads nowhere for this reader is drawn as plain text. */
function drawLink(inline: Extract<Inline, { type: 'link' | 'mention' }>, draw: Drawing): Html {
  const target = draw.link(inline.href)
  const content = draw.inlines(inline.inlines)
  if (!target) return content
  const title = inline.type === 'link' ? inline.title : undefined
  const text = inline.type === 'mention' && target.title !== undefined ? html`${target.title}` : content
  // Between right-to-left words, the slash at the end of an address would be shown before it.
  const dir = isAddress(inline.inlines) ? 'ltr' : undefined
  // On paper, addresses are printed after the words, unless the words are the address.
  const bare = withoutScheme(plainText(inline.inlines).trim()) === withoutScheme(target.href)
  return html`<a${attributes({ ...leadsTo(target), title, dir, 'data-bare': bare })}>${text}</a>`
}

const withoutScheme = (address: string): string => address.replace(/^https?:\/\//i, '').replace(/\/$/, '')

function drawButton(inline: Extract<Inline, { type: 'button' }>, draw: Drawing): Html {
  const target = draw.link(inline.href)
  const content = draw.inlines(inline.inlines)
  if (!target) return content
  const icon = iconNamed(inline.icon)
  const look = inline.kind === 'primary' ? 'btn primary' : 'btn'
  const link = attributes({ class: look, ...leadsTo(target) })
  return html`<a${link}>${icon && draw.icons.draw(icon)}${content}</a>`
}

type Element = Extract<Inline, { type: 'element' }>

/** Returns the question of a `<button data-action="ask">`, which only the search can answer. */
function questionOf(inline: Inline): string | undefined {
  if (inline.type !== 'element' || inline.name !== 'button') return undefined
  if (!/^(?:ask|search)$/.test(textOf(inline, 'data-action') ?? '')) return undefined
  return (textOf(inline, 'data-query') ?? plainText(inline.inlines)).trim()
}

const textOf = ({ attributes }: Element, name: string): string | undefined => {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined
  return typeof value === 'string' ? value : undefined
}

function drawAskButton(inline: Element, question: string, draw: Drawing): Html {
  const content = draw.inlines(inline.inlines)
  if (!draw.search || question === '') return content
  const isPrimary = textOf(inline, 'class')?.split(/\s+/).includes('primary')
  const link = attributes({
    class: isPrimary ? 'btn primary' : 'btn',
    href: draw.search(question),
    'data-search': true,
    'data-query': question,
  })
  return html`<a${link}>${draw.icons.draw(iconNamed(textOf(inline, 'data-icon')) ?? 'search')}${content}</a>`
}

/** For HTML of authors, which only needs addresses. */
export const plainAddresses = (draw: Drawing) => ({
  link: (href: string) => draw.link(href)?.href,
  image: (src: string) => draw.image(src)?.src,
  place: (id: string) => draw.place(id),
})
