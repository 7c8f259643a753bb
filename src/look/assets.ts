import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A file that pages load in addition to their HTML. */
export interface Asset {
  type: string
  body: Buffer
}

export const javascript = 'text/javascript; charset=utf-8'
export const styleSheet = 'text/css; charset=utf-8'

/**
 * Reads a file that our own pages and published pages share: the first part of the style sheets, fonts, `theme.js` and
 * `favicon.svg`.
 */
export function readShared(name: string): Buffer {
  return readFileSync(new URL(`assets/${name}`, import.meta.url))
}

/**
 * The font for formulas. It contains most symbols, and brackets and roots of every size. Only pages with formulas load
 * it.
 */
export const mathFont = 'stix-two-math-latin-400-normal.woff2'

/** The fonts that every style sheet uses. */
export const commonFonts = [
  'inter-latin-opsz-normal.woff2',
  'inter-latin-wght-italic.woff2',
  'jetbrains-mono-latin-wght-normal.woff2',
  mathFont,
]

export const readFont = (name: string) => readShared(`fonts/${name}`)

/** Replaces the font names in a style sheet by the paths where a browser finds them, as returned by `pathOf`. */
export const withFonts = (css: string, pathOf: (font: string) => string) =>
  css.replace(/url\(fonts\/([^)]+)\)/g, (_, font: string) => `url(${pathOf(font)})`)

/** Joins the shared parts and the given parts to one style sheet, and removes comments and white space. */
export function bindStyles(parts: Buffer[]): string {
  const shared = ['tokens.css', 'fonts.css', 'base.css', 'frame.css', 'blocks.css', 'math.css'].map(readShared)
  return [...shared, ...parts]
    .join('\n')
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replaceAll(';}', '}')
    .trim()
}

/** Adds a hash of the content to the name, so that browsers may cache the file for ever. */
export function nameByContent(name: string, body: Buffer): string {
  const dot = name.lastIndexOf('.')
  return `${name.slice(0, dot)}.${hash('sha256', body, 'hex').slice(0, 12)}${name.slice(dot)}`
}
