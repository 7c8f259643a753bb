import type { CoverReference, PageCover } from '../../pages/entry-data.ts'
import type { Cover, Picture } from '../frame/view.ts'
import type { Links } from '../links.ts'

/** The height of the frame in which authors place a cover, relative to its width. */
const frame = 480 / 1990

/** Places are rounded to this many percent: each is a rule in pictures.css. */
const step = 10

export function coverOf(cover: PageCover | undefined, size: Cover['size'], links: Links): Cover | undefined {
  if (!cover) return undefined
  const light = pictureOf(cover.ref, cover.yPos, links)
  const dark = cover.refDark && pictureOf(cover.refDark, cover.yPos, links)
  return light && { light, ...(dark && { dark }), size }
}

function pictureOf(ref: CoverReference, yPos: number | undefined, links: Links): Picture | undefined {
  if (ref.kind === 'url') return { src: ref.url }
  const src = links.file(ref.file)
  const place = placeIn(links.fileOf(`/files/${ref.file}`), yPos)
  return src === undefined ? undefined : { src, ...(place !== undefined && { place }) }
}

/**
 * Returns how far down in the picture the frame is, in percent; undefined for the middle. `yPos` is by how many of its
 * pixels the picture was moved down from there.
 */
export function placeIn({ width, height }: { width?: number; height?: number } = {}, yPos = 0): number | undefined {
  if (width === undefined || height === undefined || yPos === 0) return undefined
  const hidden = height - width * frame
  if (hidden <= 0) return undefined
  const place = Math.min(100, Math.max(0, 50 - (100 * yPos) / hidden))
  return Math.round(place / step) * step
}
