import type { HtmlWriter } from '../blocks/kind.ts'
import { writeOpenTag } from '../html/attributes.ts'
import { candidatesOf } from '../html/srcset.ts'
import { attributes, html, type Html } from '../html/template.ts'
import type { InlineImage } from '../inlines.ts'
import type { Attributes } from '../tree.ts'

/** Writes an image as HTML for Markdown, for properties that `![]()` cannot express. */
export function writeImage(image: InlineImage): string {
  const { src, alt, title, size, width, height, others } = image
  const tag = writeOpenTag('img', {
    src,
    alt,
    ...(title === undefined ? {} : { title }),
    ...(size === undefined ? {} : { 'data-size': size }),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...others,
  })
  const sources = sourcesOf(image)
  return sources.length === 0
    ? tag
    : `<picture>${sources.map((source) => writeOpenTag('source', source)).join('')}${tag}</picture>`
}

/** Returns the first address of a `srcset`. It stands for all of its sizes. */
export const firstAddress = (srcset: unknown): string | undefined =>
  typeof srcset === 'string' ? candidatesOf(srcset)[0]!.address : undefined

export const isForDark = ({ media }: Attributes): boolean => String(media).includes('dark')

/** Browsers use the first source that fits, so the source for dark pages keeps its place among the others. */
function sourcesOf({ srcDark, sources = [] }: InlineImage): readonly Attributes[] {
  const plain = srcDark === undefined ? [] : [{ srcset: srcDark, media: '(prefers-color-scheme: dark)' }]
  const at = sources.findIndex(isForDark)
  if (at === -1) return [...plain, ...sources]
  return firstAddress(sources[at]?.['srcset']) === srcDark ? sources : sources.toSpliced(at, 1, ...plain)
}

export function drawImage(image: InlineImage, draw: HtmlWriter): Html {
  const { alt, title, size, width, height } = image
  const src = draw.image(image.src)
  if (src === undefined && draw.unloaded) return draw.unloaded(image)
  const tag = html`<img${attributes({ src, alt, title, 'data-size': size, width, height })}>`
  const dark = image.srcDark === undefined ? undefined : draw.image(image.srcDark)
  return dark === undefined
    ? tag
    : html`<picture><source${attributes({ srcset: dark, media: '(prefers-color-scheme: dark)' })}>${tag}</picture>`
}
