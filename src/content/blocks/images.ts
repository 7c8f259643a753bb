import { data } from '../document/shape.ts'
import { findElements } from '../html/find.ts'
import { elementAttributes, writeOpenTag } from '../html/attributes.ts'
import { attributes, html } from '../html/template.ts'
import { htmlToInlines } from '../html/to-inlines.ts'
import type { Inline, InlineImage } from '../inlines.ts'
import { readFragment } from '../html/fragment.ts'
import type { BlockBase } from '../tree.ts'
import { drawImage, writeImage } from '../inlines/image.ts'
import type { DocumentBlock } from '../document/shape.ts'
import type { BlockKind, DocumentWriter } from './kind.ts'
import { textField, type BlockFromDocument, type DocumentReader } from './reading.ts'

/** One or more images that stand alone: a paragraph of images, or `<figure>` with a caption. */
export interface Images extends BlockBase {
  readonly type: 'images'
  readonly images: readonly InlineImage[]
  readonly caption?: readonly Inline[]
  readonly align?: string
}

export function imagesFromParagraph(inlines: readonly Inline[]): Images | undefined {
  const blank = (inline: Inline) => inline.type === 'text' && inline.text.trim() === ''
  const images = inlines.filter((inline) => inline.type === 'image')
  const pure = inlines.every((inline) => inline.type === 'image' || blank(inline))
  return pure && images.length > 0 ? { type: 'images', images } : undefined
}

/** A figure is short; what is longer is left to the sanitizer as it is. */
const maxSource = 20_000

const startsImages = /^\s*<(?:figure|img|picture|div[^<>]*>\s*<figure)\b/i

/** `<figure>`, several of them in a `<div>`, or a bare `<img>`; with anything else beside it, it is plain HTML. */
export function imagesFromHtml(source: string): Images | undefined {
  if (source.length > maxSource || !startsImages.test(source)) return undefined
  const root = readFragment(source)
  const figures = [...findElements(root, ['figure'])]
  const holders = figures.length > 0 ? figures : [root]
  const images = holders.flatMap((holder) =>
    [...findElements(holder, ['picture', 'img'])].flatMap((element) =>
      htmlToInlines([element]).filter((inline) => inline.type === 'image'),
    ),
  )
  const caption = figures
    .flatMap((figure) => [...findElements(figure, ['figcaption'])])
    .flatMap((element) => htmlToInlines(element.children))
  const words = htmlToInlines(root.children).filter((inline) => inline.type === 'text' && inline.text.trim() !== '')
  if (images.length === 0 || (figures.length === 0 && words.length > 0)) return undefined
  const align = figures[0] && elementAttributes(figures[0])['align']
  return {
    type: 'images',
    images,
    ...(caption.length > 0 ? { caption } : {}),
    ...(typeof align === 'string' ? { align } : {}),
  }
}

export const images: BlockKind<Images> = {
  toMarkdown(block, write) {
    const plain = block.images.every((image) => !image.srcDark && !image.width && !image.height)
    if (plain && !block.caption && !block.align) return write.inlines(block.images)
    const tag = writeOpenTag('figure', block.align ? { align: block.align } : {})
    const caption = block.caption ? `<p>${write.inlines(block.caption, 'html')}</p>` : ''
    return `${tag}${block.images.map(writeImage).join('')}<figcaption>${caption}</figcaption></figure>`
  },
  toHtml: (block, draw) =>
    html`<figure${attributes({ align: block.align })}>${block.images.map((image) => drawImage(image, draw))}${block.caption && html`<figcaption>${draw.inlines(block.caption)}</figcaption>`}</figure>`,
  toDocument: (block, to) => ({
    object: 'block',
    type: 'images',
    data: data({ align: block.align }),
    nodes: block.images.map((image, index) => imageNode(image, index === 0 ? block.caption : undefined, to)),
  }),
}

function imageNode(image: InlineImage, caption: readonly Inline[] | undefined, to: DocumentWriter): DocumentBlock {
  const { src, srcDark, alt, title, width, height } = image
  return {
    object: 'block',
    type: 'image',
    isVoid: true,
    data: data({
      ref: to.ref(src),
      refDark: srcDark === undefined ? undefined : to.ref(srcDark),
      alt: alt === '' ? undefined : alt,
      title,
      width,
      height,
    }),
    ...(caption ? { fragments: [to.fragment('caption', caption)] } : {}),
  }
}

export const imagesFromDocument: BlockFromDocument = (node, read) => {
  const nodes = (node.nodes ?? []).filter((child) => child.object === 'block')
  const captions = nodes.flatMap((child) => read.blocks(read.fragment(child, 'caption')?.nodes))
  const caption = captions.flatMap((block) => ('inlines' in block ? block.inlines : []))
  const align = textField(node, 'align')
  return {
    type: 'images',
    images: nodes.map((child) => imageFromNode(child, read)),
    ...(caption.length > 0 ? { caption } : {}),
    ...(align === undefined ? {} : { align }),
  }
}

/** A single image block, outside of `images`. */
export const imageFromDocument: BlockFromDocument = (node, read) =>
  imagesFromDocument({ object: 'block', type: 'images', nodes: [node] }, read)

function imageFromNode(node: DocumentBlock, read: DocumentReader): InlineImage {
  const size = (value: unknown) => (typeof value === 'number' || typeof value === 'string' ? String(value) : undefined)
  const [width, height] = [size(node.data?.['width']), size(node.data?.['height'])]
  const [title, srcDark] = [textField(node, 'title'), read.href(node.data?.['refDark'])]
  return {
    type: 'image',
    src: read.href(node.data?.['ref']),
    alt: textField(node, 'alt') ?? '',
    ...(title === undefined ? {} : { title }),
    ...(srcDark === '' ? {} : { srcDark }),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
  }
}
