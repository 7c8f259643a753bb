import { type Html, attributes, html } from '../../content/html/template.ts'
import type { InlineImage } from '../../content/inlines.ts'
import type { DrawBlock, Drawing } from './drawing.ts'

export const images: DrawBlock<'images'> = (block, draw) => {
  // The alignment may also be set on the element around the figure.
  const said = block.align ?? block.others?.['align']
  const align = said === 'left' || said === 'right' ? said : undefined
  const framed = block.others?.['data-with-frame']
  const look = attributes({
    'data-align': align,
    'data-wide': block.fullWidth,
    'data-framed': framed !== undefined && framed !== 'false',
  })
  const drawn = block.images.map(
    (image) =>
      html`<figure class="figure" ${look}>
        ${drawPicture(image, draw, 'block')}${
          image.caption && html`<figcaption>${draw.inlines(image.caption)}</figcaption>`
        }
      </figure>`,
  )
  return drawn.length === 1 ? drawn[0]! : html`<div class="block gallery">${drawn}</div>`
}

/**
 * Draws a picture with its size, so that nothing moves when it loads. A picture that does not exist leaves its
 * description.
 */
export function drawPicture(image: InlineImage, draw: Drawing, place: 'inline' | 'block'): Html {
  const picture = draw.image(image.src)
  if (!picture) return html`${image.alt}`
  const { width, height } = sizeOf(image, picture)
  const { alt, title } = image
  const drawn = (src: string) =>
    html`<img${attributes({
      src,
      alt,
      title,
      width,
      height,
      class: place === 'inline' && 'inline-image',
      'data-size': place === 'inline' && image.size === 'original' && 'original',
      'data-small': place === 'block' && isSmall(width),
      loading: 'lazy',
      decoding: 'async',
    })}>`
  return forBothThemes(picture.src, image.srcDark === undefined ? undefined : draw.image(image.srcDark)?.src, drawn)
}

/** An icon rather than a picture: with the usual rounded corners, it would be a circle. */
const isSmall = (width: string | number | undefined) => typeof width === 'number' && width <= 64

/** Draws one picture, or one for each theme, of which only one is visible. */
export function forBothThemes(light: string, dark: string | undefined, drawn: (src: string) => Html): Html {
  if (dark === undefined) return drawn(light)
  return html`<span class="on-light">${drawn(light)}</span><span class="on-dark">${drawn(dark)}</span>`
}

function sizeOf(image: InlineImage, picture: { width?: number; height?: number }) {
  const wanted = Number(/^\d{1,5}$/.exec(image.width ?? '')?.[0])
  const { width, height } = picture
  if (/^\d{1,3}%$/.test(image.width ?? '')) return { width: image.width, height: undefined }
  if (!Number.isFinite(wanted) || wanted === 0) return { width, height }
  return { width: wanted, height: width && height ? Math.round((wanted * height) / width) : undefined }
}
