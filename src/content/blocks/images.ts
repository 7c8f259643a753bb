import type * as hast from 'hast'
import { fileReference, sizeFields } from '../document/nodes.ts'
import { writeLength } from '../document/length.ts'
import { block as node, fragment, type DocumentBlock } from '../document/shape.ts'
import { elementAttributes, writeOpenTag } from '../html/attributes.ts'
import { childElements, findElements } from '../html/find.ts'
import { readFragment } from '../html/fragment.ts'
import { attributes, html, type Html } from '../html/template.ts'
import { htmlToInlines } from '../html/to-inlines.ts'
import type { Inline, InlineImage } from '../inlines.ts'
import { drawImage, writeImage } from '../inlines/image.ts'
import { limits } from '../limits.ts'
import type { Attributes, BlockBase } from '../tree.ts'
import type { BlockKind, DocumentWriter, HtmlWriter, MarkdownWriter } from './kind.ts'
import {
  booleanField,
  otherFields,
  othersFrom,
  textField,
  type BlockFromDocument,
  type DocumentReader,
} from './reading.ts'

/** One or more images in a block of their own: a paragraph of images, or `<figure>` with a caption. */
export interface Images extends BlockBase {
  readonly type: 'images'
  readonly images: readonly Figure[]
  readonly align?: string
  readonly fullWidth?: boolean
  /** Attributes of the `<div>` around the figures, except the width: `data-with-frame`. */
  readonly others?: Attributes
}

export interface Figure extends InlineImage {
  readonly caption?: readonly Inline[]
  /** Attributes of its `<figure>`, except the alignment: an `id` or a `class`. */
  readonly around?: Attributes
}

export function imagesFromParagraph(inlines: readonly Inline[]): Images | undefined {
  const blank = (inline: Inline) => inline.type === 'text' && inline.text.trim() === ''
  const images = inlines.filter((inline) => inline.type === 'image')
  const pure = inlines.every((inline) => inline.type === 'image' || blank(inline))
  return pure && images.length > 0 ? { type: 'images', images } : undefined
}

/** Figures are short; longer sources are left to the sanitizer unchanged. */
const maxSource = 20_000

const startsImages = /^\s*<(?:figure|img|picture|div[^<>]*>\s*<figure)\b/i

/**
 * Reads `<figure>`, several of them in a `<div>`, or a bare `<img>`. With anything else beside the images, it is plain
 * HTML.
 */
export function imagesFromHtml(source: string): Images | undefined {
  if (source.length > maxSource || !startsImages.test(source)) return undefined
  const root = readFragment(source)
  if (!holdsOnlyImages(root)) return undefined
  const figures = [...findElements(root, ['figure'])]
  const holders = figures.length > 0 ? figures : [root]
  const images = holders.flatMap((holder): Figure[] => {
    const found = [...findElements(holder, ['picture', 'img'])].flatMap((element) =>
      htmlToInlines([element]).filter((inline) => inline.type === 'image'),
    )
    const caption = [...findElements(holder, ['figcaption'])].flatMap((element) => htmlToInlines(element.children))
    const { align: _, ...around } = holder.type === 'element' ? elementAttributes(holder) : {}
    return found.map((image, index) => ({
      ...image,
      ...(index === 0 && caption.length > 0 ? { caption } : {}),
      ...(index === 0 && Object.keys(around).length > 0 ? { around } : {}),
    }))
  })
  if (images.length === 0) return undefined
  const [outer] = childElements(root)
  const align = figures[0] && elementAttributes(figures[0])['align']
  const { 'data-full-width': wide, ...others } = outer?.tagName === 'div' ? elementAttributes(outer) : {}
  return {
    type: 'images',
    images,
    ...(typeof align === 'string' ? { align } : {}),
    ...(wide === undefined ? {} : { fullWidth: wide !== 'false' }),
    ...(Object.keys(others).length > 0 ? { others } : {}),
  }
}

const aroundImages = new Set(['figure', 'div', 'p', 'span', 'picture'])
const besideImages = new Set(['img', 'source', 'br', 'figcaption'])

/** Whether nothing would be lost by keeping only the images and their captions. */
function holdsOnlyImages(node: hast.Parents, depth = 0): boolean {
  return node.children.every((child) => {
    if (child.type === 'text') return child.value.trim() === ''
    if (child.type !== 'element' || besideImages.has(child.tagName)) return true
    return aroundImages.has(child.tagName) && depth < limits.nesting && holdsOnlyImages(child, depth + 1)
  })
}

export const images: BlockKind<Images> = {
  toMarkdown(block, write) {
    const { images: figures, align, fullWidth, others } = block
    const plain = figures.every(
      ({ srcDark, sources, width, height, size, caption, others, around }) =>
        !srcDark && !sources && !width && !height && !size && !caption && !others && !around,
    )
    const bare = align === undefined && fullWidth === undefined && others === undefined
    if (plain && bare) return write.inlines(figures)
    const written = figures.map((image) => writeFigure(image, align, write)).join('')
    if (figures.length === 1 && fullWidth === undefined && others === undefined) return written
    const wide: Attributes = fullWidth === undefined ? {} : { 'data-full-width': String(fullWidth) }
    return `${writeOpenTag('div', { ...wide, ...others })}${written}</div>`
  },
  toHtml: (block, draw) => html`${block.images.map((image) => drawFigure(image, block.align, draw))}`,
  toDocument(block, to) {
    const { align, fullWidth, others } = block
    const known = ['left', 'center', 'right'].includes(align ?? '')
    return node('images', {
      data: { align: known ? align : undefined, fullWidth },
      nodes: block.images.map((image) => imageNode(image, to)),
      extra: { align: known ? undefined : align, ...otherFields(others).extra },
    })
  },
}

function writeFigure(image: Figure, align: string | undefined, write: MarkdownWriter): string {
  const caption = image.caption ? `<p>${write.inlines(image.caption, 'html')}</p>` : ''
  const open = writeOpenTag('figure', { ...(align === undefined ? {} : { align }), ...image.around })
  return `${open}${writeImage(image)}<figcaption>${caption}</figcaption></figure>`
}

function drawFigure(image: Figure, align: string | undefined, draw: HtmlWriter): Html {
  const caption = image.caption && html`<figcaption>${draw.inlines(image.caption)}</figcaption>`
  return html`<figure${attributes({ align })}>${drawImage(image, draw)}${caption}</figure>`
}

function imageNode(image: Figure, to: DocumentWriter): DocumentBlock {
  const { src, srcDark, alt, title, size, caption } = image
  const { data, extra } = sizeFields(image)
  return node('image', {
    data: {
      ref: fileReference(to.ref(src), src),
      refDark: srcDark === undefined ? undefined : fileReference(to.ref(srcDark), srcDark),
      alt: alt === '' ? undefined : alt,
      ...data,
    },
    fragments: caption ? [fragment('caption', [to.paragraph(caption)])] : [],
    extra: { title, size, ...extra },
  })
}

export const imagesFromDocument: BlockFromDocument = (node, read) => {
  const nodes = (node.nodes ?? []).filter((child) => child.object === 'block')
  const [align, fullWidth] = [textField(node, 'align'), booleanField(node, 'fullWidth')]
  return {
    type: 'images',
    images: nodes.map((child) => imageFromNode(child, read)),
    ...(align === undefined ? {} : { align }),
    ...(fullWidth === undefined ? {} : { fullWidth }),
    ...othersFrom(node),
  }
}

/** A single image block outside of `images`. */
export const imageFromDocument: BlockFromDocument = (node, read) =>
  imagesFromDocument({ object: 'block', type: 'images', nodes: [node] }, read)

/** A drawing is the image that was exported from it, if there is one. */
export const drawingFromDocument: BlockFromDocument = (node, read) =>
  read.href(node.data?.['ref']) === '' ? read.blocks(node.nodes) : imageFromDocument(node, read)

function imageFromNode(node: DocumentBlock, read: DocumentReader): Figure {
  const length = (name: string) => writeLength(node.data?.[name] ?? node.extra?.[name])
  const [width, height, size] = [length('width'), length('height'), textField(node, 'size')]
  const [title, srcDark] = [textField(node, 'title'), read.href(node.data?.['refDark'])]
  const words = read.blocks(read.fragment(node, 'caption')?.nodes)
  const caption = words.flatMap((block) => ('inlines' in block ? block.inlines : []))
  return {
    type: 'image',
    src: read.href(node.data?.['ref']),
    alt: textField(node, 'alt') ?? '',
    ...(title === undefined ? {} : { title }),
    ...(srcDark === '' ? {} : { srcDark }),
    ...(size === 'line' || size === 'original' ? { size } : {}),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(caption.length > 0 ? { caption } : {}),
  }
}
