import { tagAttributes, writeOpenTag } from '../../content/html/attributes.ts'
import { readTag } from '../../content/html/tags.ts'

import type { DialectReader } from './lines.ts'

interface Picture {
  src: string
  alt: string
  of: 'light' | 'dark'
}

/**
 * Combines two consecutive pictures, of which readers see one in light mode and the other in dark mode (Mintlify,
 * MkDocs, GitHub).
 */
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

const mostOfTag = 30

/** Reads a picture that names a source for each mode (Next.js, Nextra). */
export const readImage: DialectReader = ({ all }, at) => {
  if (!/^\s*<(?:Image|img)\b/.test(all[at]!)) return undefined
  const lines = all.slice(at, at + mostOfTag).map((line) => line.trim())
  const last = lines.findIndex((line) => line.includes('>'))
  const [, before = '', rest = ''] =
    /^<(?:Image|img)\b([^<>]*?)\/?>(.*)$/.exec(lines.slice(0, last + 1).join(' ')) ?? []
  const { srclight, srcdark, src = srclight ?? srcdark, alt = '', width } = said(before)
  if (src === undefined || (srclight ?? srcdark) === undefined) return undefined
  const source = srcdark && writeOpenTag('source', { srcset: srcdark, media: '(prefers-color-scheme: dark)' })
  const image = writeOpenTag('img', { src, alt, ...(width !== undefined && { width }) })
  const line = `<picture>${source ?? ''}${image}</picture>`
  return { lines: [line], until: at + last + 1, ...(rest.trim() !== '' && { rest: rest.trim() }) }
}

/** Reads attributes. Numbers may be in braces. */
const said = (attributes: string): Record<string, string | undefined> =>
  Object.fromEntries(
    Array.from(
      attributes.matchAll(/(?<![\w-])([A-Za-z]+)=(?:"([^"]*)"|'([^']*)'|\{["'`]?([^{}"'`]*)["'`]?\})/g),
      ([, name = '', double, single, braces]) => [name.toLowerCase(), double ?? single ?? braces],
    ),
  )

function pictureIn(line: string): Picture | undefined {
  const text = line.trim()
  const [, alt = '', src, mode] =
    /^!\[([^[\]]*)\]\(([^()\s<>#]+)#(?:only|gh)-(light|dark)(?:-mode-only)?\)(?:\{[^{}]*\})?$/.exec(text) ?? []
  if (src !== undefined) return { src, alt, of: mode === 'light' ? 'light' : 'dark' }
  if (!/^<img\b[^<>]*>$/.test(text) || !/\bdark:/.test(text)) return undefined
  const tag = readTag(text, 0)
  if (typeof tag !== 'object') return undefined
  const { src: address, alt: words, class: named } = tagAttributes(tag)
  if (typeof address !== 'string' || typeof named !== 'string') return undefined
  const hidden = named.search(/(?<![:\w-])hidden\b/)
  const isForDark = hidden !== -1 && /\bdark:/.test(named.slice(hidden))
  const of = /\bdark:hidden\b/.test(named) ? 'light' : isForDark ? 'dark' : undefined
  return of && { src: address, alt: typeof words === 'string' ? words : '', of }
}

const mostOfFigure = 20

/** Reads a picture with its caption, as Markdown within HTML (MkDocs). Other tools do not read Markdown there. */
export const readFigure: DialectReader = ({ all }, at) => {
  const [, attributes = ''] = /^\s*<figure\b([^<>]*)>/.exec(all[at]!) ?? []
  if (!/\smarkdown\b/.test(attributes)) return undefined
  const lines = all.slice(at, at + mostOfFigure)
  const last = lines.findIndex((line) => /<\/figure>\s*$/.test(line))
  if (last === -1) return undefined
  const inner = lines.slice(0, last + 1).map((line) => line.trim()).join(' ').replace(/^<figure[^<>]*>|<\/figure>$/g, '').trim() // prettier-ignore
  const captionAt = inner.indexOf('<figcaption')
  const caption = captionAt === -1 ? '' : inner.slice(captionAt).replace(/<\/?figcaption[^<>]*>/g, '').trim() // prettier-ignore
  const shown = captionAt === -1 ? inner : inner.slice(0, captionAt).trim()
  const [, alt = '', src, said = ''] =
    /^!\[([^[\]]*)\]\(([^()\s<>]+)(?:\s+"[^"]*")?\)(?:\{([^{}]*)\})?$/.exec(shown) ?? []
  const until = at + last + 1
  if (src === undefined) return { lines: [shown, ...(caption === '' ? [] : ['', `*${caption}*`])], until }
  const width = /\bwidth="?(\d+)/.exec(said)?.[1]
  const image = writeOpenTag('img', { src, alt, ...(width !== undefined && { width }) })
  return { lines: [`<figure>${image}${caption && `<figcaption>${caption}</figcaption>`}</figure>`], until }
}

/** Reads the caption of a picture, in the newer syntax of MkDocs. */
export const readCaption: DialectReader = ({ all }, at) => {
  if (!/^\s*\/\/\/ caption\s*$/.test(all[at]!)) return undefined
  const last = all.slice(at + 1, at + mostOfFigure).findIndex((line) => /^\s*\/\/\/\s*$/.test(line))
  if (last === -1) return undefined
  const words = all.slice(at + 1, at + 1 + last).map((line) => line.trim()).filter((line) => line !== '') // prettier-ignore
  return { lines: words.length === 0 ? [] : [`*${words.join(' ')}*`], until: at + last + 2 }
}
