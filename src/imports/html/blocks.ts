import type { Block } from '../../content/blocks.ts'
import type { Heading } from '../../content/blocks/heading.ts'
import type { Images } from '../../content/blocks/images.ts'
import type { Inline } from '../../content/inlines.ts'
import { plainText } from '../../content/inlines/text.ts'
import { slug } from '../../content/sections.ts'
import { percentDecoded } from '../../percent.ts'
import { readCallout } from './callouts.ts'
import { readCode } from './code.ts'
import type { BlockReader, Context } from './context.ts'
import {
  type Element,
  type Node,
  attribute,
  classesOf,
  elementsIn,
  everyElement,
  isElement,
  wordsOf,
} from './elements.ts'
import { formulaOf, imageOf, readInlines, silent } from './inlines.ts'
import { append, readList } from './lists.ts'
import { findFirst } from './selectors.ts'
import { readTable } from './tables.ts'
import { type FoundTabs, readTabs } from './tabs.ts'

const blockTags = new Set([
  'address', 'article', 'aside', 'blockquote', 'center', 'dd', 'details', 'div', 'dl', 'dt', 'fieldset', 'figure', 'footer',
  'form', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'hgroup', 'hr', 'iframe', 'li', 'main', 'menu', 'nav', 'ol', 'p',
  'pre', 'section', 'table', 'ul', 'video', 'audio',
]) // prettier-ignore

/** Deeper than any real page. Anything deeper is imported as plain text. */
const maxDepth = 200

/**
 * Converts elements to blocks. An element that is not a block itself is searched for blocks, so that no text is lost.
 */
export class BlocksReader {
  readonly #context: Context
  readonly #readers: readonly BlockReader[]
  /** Whether an element contains blocks, cached because it is needed again on each level. */
  readonly #isBlock = new WeakMap<Element, boolean>()
  #depth = 0

  constructor(context: Omit<Context, 'inlines' | 'blocks'>, tabs: FoundTabs) {
    this.#context = {
      ...context,
      inlines: (nodes) => readInlines(nodes, this.#context),
      blocks: (nodes) => this.read(nodes),
    }
    this.#readers = [readTabs(tabs), readCallout, readCode, readList, readTable, readOther]
  }

  get context(): Context {
    return this.#context
  }

  read(nodes: readonly Node[]): Block[] {
    if (this.#depth >= maxDepth) return paragraphOf([{ type: 'text', text: nodes.map(wordsOf).join(' ').trim() }])
    this.#depth += 1
    const blocks: Block[] = []
    let running: Node[] = []
    const flush = () => {
      if (running.length > 0) blocks.push(...this.#paragraph(running))
      running = []
    }
    for (const node of nodes) {
      if (!isElement(node)) {
        if (node.type === 'text') running.push(node)
      } else if (this.#holdsBlocks(node)) {
        flush()
        append(blocks, this.#element(node), node)
      } else running.push(node)
    }
    flush()
    this.#depth -= 1
    return blocks
  }

  #element(element: Element): Block[] {
    if (silent.has(element.tagName)) return []
    for (const read of this.#readers) {
      const made = read(element, this.#context)
      if (made) return made
    }
    if (element.tagName === 'p' && !elementsIn(element).some((child) => this.#holdsBlocks(child)))
      return this.#paragraph(element.children)
    // A card: the whole element is one link.
    if (element.tagName === 'a') return this.#card(element)
    return this.read(element.children)
  }

  #paragraph(nodes: readonly Node[]): Block[] {
    return paragraphOf(this.#context.inlines(nodes))
  }

  #card(element: Element): Block[] {
    const href = attribute(element, 'href')
    const to = href === undefined ? undefined : this.#context.resolve(href)
    if (to === undefined) return this.read(element.children)
    const heading = [...everyElement(element)].find(({ tagName }) => /^h[1-6]$/.test(tagName))
    const title = wordsOf(heading ?? element)
    const all = wordsOf(element)
    const rest = heading ? all.replace(title, '').trim() : ''
    const pictures = [...everyElement(element)].flatMap((each) =>
      each.tagName === 'img' ? imagesOf(each, this.#context) : [],
    )
    if (title === '') return pictures.length > 0 ? [linked(pictures, to)] : []
    const link: Inline = { type: 'link', href: to, inlines: [{ type: 'text', text: title }] }
    const tail: Inline[] = rest === '' ? [] : [{ type: 'break' }, { type: 'text', text: rest }]
    return [...pictures, { type: 'paragraph', inlines: [link, ...tail] }]
  }

  /**
   * Whether an element is a block or contains one. An element that is nested too deeply counts as a block, so that it
   * is imported as plain text.
   */
  #holdsBlocks(element: Element, depth = 0): boolean {
    if (depth > maxDepth) return true
    const known = this.#isBlock.get(element)
    if (known !== undefined) return known
    const own = blockTags.has(element.tagName) || formulaDisplays(element)
    const holds =
      own || (!silent.has(element.tagName) && elementsIn(element).some((child) => this.#holdsBlocks(child, depth + 1)))
    this.#isBlock.set(element, holds)
    return holds
  }
}

/** A paragraph that consists of images becomes images, and an empty paragraph becomes nothing. */
function paragraphOf(inlines: readonly Inline[]): Block[] {
  const says = inlines.some(
    (inline) => inline.type !== 'break' && (inline.type !== 'text' || inline.text.trim() !== ''),
  )
  if (!says) return []
  const images = inlines.filter((inline) => inline.type === 'image')
  const isPure = inlines.every((inline) => inline.type === 'image' || inline.type === 'break' || isBlank(inline))
  return isPure ? [{ type: 'images', images }] : [{ type: 'paragraph', inlines }]
}

const isBlank = (inline: Inline) => inline.type === 'text' && inline.text.trim() === ''

const formulaDisplays = (element: Element) =>
  Array.isArray(element.properties.className) && element.properties.className.includes('katex-display')

const readOther: BlockReader = (element, context) => {
  const { tagName } = element
  const level = /^h([1-6])$/.exec(tagName)?.[1]
  if (level) return headingOf(element, Number(level) as Heading['level'], context)
  const formula = formulaOf(element)
  if (formula !== undefined) return [{ type: 'math', text: formula }]
  if (classesOf(element).includes('expand-container')) return expandOf(element, context)
  switch (tagName) {
    case 'hr':
      return [{ type: 'divider' }]
    case 'blockquote': {
      const blocks = context.blocks(element.children)
      return blocks.length > 0 ? [{ type: 'quote', blocks }] : []
    }
    case 'details':
      return detailsOf(element, context)
    case 'figure':
      return figureOf(element, context)
    case 'iframe':
    case 'video':
    case 'audio':
      return embedOf(element, context)
    case 'nav':
    case 'footer':
      return []
    default:
      return undefined
  }
}

function headingOf(element: Element, level: Heading['level'], context: Context): Block[] {
  const inlines = context.inlines(element.children).filter(({ type }) => type !== 'break')
  const title = plainText(inlines).trim()
  if (title === '') return inlines.some(({ type }) => type === 'image') ? paragraphOf(inlines) : []
  const id = attribute(element, 'id') ?? attribute(element, 'dataSectionId') ?? markIn(element)
  // Keeps the id so that links to it still work, unless it is the one that the heading gets anyway.
  const isOwn = id !== undefined && /^[\w.:-]{1,100}$/.test(id) && id !== slug(title) && !/^(_top|top)$/.test(id)
  return [{ type: 'heading', level, ...(isOwn && { id }), inlines }]
}

/** Returns the name of an anchor in the element, as written by word processors and old pages. */
function markIn(element: Element): string | undefined {
  const marks = [...everyElement(element)].filter(
    (each) => each.tagName === 'a' && attribute(each, 'href') === undefined,
  )
  return marks.map((each) => attribute(each, 'id') ?? attribute(each, 'name')).find((name) => name !== undefined)
}

function detailsOf(element: Element, context: Context): Block[] {
  const summary = elementsIn(element).find(({ tagName }) => tagName === 'summary')
  const rest = element.children.filter((child) => child !== summary)
  const inlines = summary ? context.inlines(summary.children) : []
  return [detailsWith(inlines, context.blocks(rest), attribute(element, 'open') !== undefined)]
}

const detailsWith = (title: Inline[], blocks: Block[], open = false): Block => ({
  type: 'details',
  open,
  summary: title.length > 0 ? title : [{ type: 'text', text: 'Details' }],
  blocks,
})

/** Reads a collapsed section of Confluence. */
function expandOf(element: Element, context: Context): Block[] | undefined {
  const label = findFirst(element, ['.expand-control-text', '.expand-control'])
  const content = findFirst(element, ['.expand-content'])
  if (!content) return undefined
  const inlines = label ? context.inlines(label.children) : []
  return [detailsWith(inlines, context.blocks(content.children))]
}

function figureOf(element: Element, context: Context): Block[] | undefined {
  const captions = [...everyElement(element)].filter(({ tagName }) => tagName === 'figcaption')
  const pictures = [...everyElement(element)].filter(({ tagName }) => tagName === 'img')
  if (pictures.length !== 1) return undefined
  const [image] = imagesOf(pictures[0]!, context)
  if (!image) return undefined
  const others = wordsOf(element).replace(captions.map(wordsOf).join(' '), '').trim()
  if (others !== '') return undefined
  const caption = captions.flatMap((each) => context.inlines(each.children))
  const to = targetOf(element, pictures[0]!, context)
  // A figure cannot have a link, so what it shows becomes text.
  if (to !== undefined) return [linked([image], to), ...paragraphOf(caption)]
  const [figure] = image.images
  return [{ type: 'images', images: [{ ...figure!, ...(caption.length > 0 && { caption }) }] }]
}

/** Returns where the picture of a figure leads. A link to a picture only shows the same one in full size. */
function targetOf(figure: Element, picture: Element, context: Context): string | undefined {
  const link = [...everyElement(figure)].find(
    (each) => each.tagName === 'a' && [...everyElement(each)].includes(picture),
  )
  const href = link && attribute(link, 'href')
  const to = href === undefined || href === attribute(picture, 'src') ? undefined : context.resolve(href)
  return to === undefined || /\.(?:png|jpe?g|gif|svg|webp|avif|bmp|tiff?)(?:[?#]|$)/i.test(to) ? undefined : to
}

function linked(pictures: readonly Images[], href: string): Block {
  const inlines = pictures.flatMap(({ images }) => images)
  return { type: 'paragraph', inlines: [{ type: 'link', href, inlines }] }
}

function imagesOf(element: Element, context: Context): Images[] {
  const image = imageOf(element, context)
  return image && typeof image === 'object' ? [{ type: 'images', images: [image] }] : []
}

function embedOf(element: Element, context: Context): Block[] {
  const source = elementsIn(element).find(({ tagName }) => tagName === 'source')
  const src = attribute(element, 'src') ?? (source && attribute(source, 'src'))
  const url = src === undefined || src === '' ? undefined : context.resolve(src)
  if (url === undefined) return []
  if (!/^https?:/.test(url)) {
    const inlines: Inline[] = [{ type: 'text', text: nameIn(url) }]
    return [{ type: 'paragraph', inlines: [{ type: 'link', href: url, inlines }] }]
  }
  const caption = attribute(element, 'title')?.trim() ?? ''
  const blocks: Block[] = caption === '' ? [] : [{ type: 'paragraph', inlines: [{ type: 'text', text: caption }] }]
  return [{ type: 'embed', url, blocks }]
}

function nameIn(url: string): string {
  const last = url.split('/').at(-1) ?? ''
  return (percentDecoded(last) ?? last) || url
}
