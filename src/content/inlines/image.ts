import type { HtmlWriter } from '../blocks/kind.ts'
import { writeOpenTag } from '../html/attributes.ts'
import { attributes, html, type Html } from '../html/template.ts'
import type { InlineImage } from '../inlines.ts'

/** An image as HTML in Markdown, where it has what `![]()` cannot say. */
export function writeImage(image: InlineImage): string {
  const { src, alt, title, size, width, height, srcDark, others } = image
  const tag = writeOpenTag('img', {
    src,
    alt,
    ...(title === undefined ? {} : { title }),
    ...(size === undefined ? {} : { 'data-size': size }),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...others,
  })
  if (srcDark === undefined) return tag
  return `<picture>${writeOpenTag('source', { srcset: srcDark, media: '(prefers-color-scheme: dark)' })}${tag}</picture>`
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
