import { tagAttributes, writeOpenTag } from '../../content/html/attributes.ts'
import { readTag } from '../../content/html/tags.ts'

import type { DialectReader } from './lines.ts'

interface Picture {
  src: string
  alt: string
  of: 'light' | 'dark'
}

/** Two pictures below each other of which readers see one, by day or by night (Mintlify, MkDocs, GitHub): one for both. */
export const readPictures: DialectReader = ({ all }, at) => {
  const first = pictureIn(all[at]!)
  if (!first) return undefined
  let next = at + 1
  while (next < at + 3 && all[next]?.trim() === '') next += 1
  const second = pictureIn(all[next] ?? '')
  if (!second || second.of === first.of) return undefined
  const [light, dark] = first.of === 'light' ? [first, second] : [second, first]
  const source = writeOpenTag('source', { srcset: dark.src, media: '(prefers-color-scheme: dark)' })
  const image = writeOpenTag('img', { src: light.src, alt: light.alt })
  return { lines: [`<picture>${source}${image}</picture>`], until: next + 1 }
}

function pictureIn(line: string): Picture | undefined {
  const text = line.trim()
  const [, alt = '', src, mode] =
    /^!\[([^[\]]*)\]\(([^()\s<>#]+)#(?:only|gh)-(light|dark)(?:-mode-only)?\)(?:\{[^{}]*\})?$/.exec(text) ?? []
  if (src !== undefined) return { src, alt, of: mode === 'light' ? 'light' : 'dark' }
  if (!/^<img\b[^<>]*\bdark:[^<>]*>$/.test(text)) return undefined
  const tag = readTag(text, 0)
  if (typeof tag !== 'object') return undefined
  const { src: address, alt: words, class: named } = tagAttributes(tag)
  if (typeof address !== 'string' || typeof named !== 'string') return undefined
  const of = /\bdark:hidden\b/.test(named) ? 'light' : /(?<![:\w-])hidden\b.*\bdark:/.test(named) ? 'dark' : undefined
  return of && { src: address, alt: typeof words === 'string' ? words : '', of }
}
