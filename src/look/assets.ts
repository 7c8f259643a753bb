import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A file that pages load beside their HTML. */
export interface Asset {
  type: string
  body: Buffer
}

export const javascript = 'text/javascript; charset=utf-8'
export const styleSheet = 'text/css; charset=utf-8'

/** What our own pages and published ones share: the first part of the style sheets, fonts, `theme.js` and `favicon.svg`. */
export function readShared(name: string): Buffer {
  return readFileSync(new URL(`assets/${name}`, import.meta.url))
}

/** Only pages with formulas load it: most of what formulas are written with, and brackets and roots of every size. */
export const mathFont = 'stix-two-math-latin-400-normal.woff2'

/** In every style sheet. */
export const commonFonts = [
  'inter-latin-opsz-normal.woff2',
  'inter-latin-wght-italic.woff2',
  'jetbrains-mono-latin-wght-normal.woff2',
  mathFont,
]

export const readFont = (name: string) => readShared(`fonts/${name}`)

/** A style sheet names its fonts as they are named here; `pathOf` says where a browser finds them. */
export const withFonts = (css: string, pathOf: (font: string) => string) =>
  css.replace(/url\(fonts\/([^)]+)\)/g, (_, font: string) => `url(${pathOf(font)})`)

/** One style sheet of the shared parts and, behind them, those of one side. Comments and white space stay here. */
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

/** With its content in its name, so that a browser may keep it for ever. */
export function nameByContent(name: string, body: Buffer): string {
  const dot = name.lastIndexOf('.')
  return `${name.slice(0, dot)}.${hash('sha256', body, 'hex').slice(0, 12)}${name.slice(dot)}`
}
