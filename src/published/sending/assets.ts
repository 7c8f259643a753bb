import { readFileSync } from 'node:fs'
import {
  type Asset,
  bindStyles,
  commonFonts,
  javascript,
  nameByContent,
  readFont,
  readShared,
  styleSheet,
  withFonts,
} from '../../look/assets.ts'
import { fontFiles } from '../look/fonts.ts'

/** The style sheet is written in parts, by what they style, and sent as one file. */
const styleParts = [
  'base.css',
  'header.css',
  'sidebar.css',
  'outline.css',
  'foot.css',
  'text.css',
  'code.css',
  'tables.css',
  'blocks.css',
  'operation.css',
  'pictures.css',
  'search.css',
  'notices.css',
  'print.css',
]

/** The script of every page, also written in parts. */
const scriptParts = ['site.js', 'languages.js', 'servers.js', 'search.js', 'helpful.js']

/** The files that pages load besides their HTML, kept in memory. */
export class Assets {
  readonly #paths = new Map<string, string>()
  readonly #files = new Map<string, Asset>()
  readonly #styles: string

  constructor() {
    // Other fonts are added with the look that uses them.
    for (const font of commonFonts) this.#add(font, 'font/woff2', readFont(font))
    this.#add('site.js', javascript, Buffer.concat(scriptParts.map(read)))
    for (const script of ['diagrams.js', 'diagram-frame.js']) this.#add(script, javascript, read(script))
    this.#add('theme.js', javascript, readShared('theme.js'))
    this.#add('favicon.svg', 'image/svg+xml', readShared('favicon.svg'))
    this.#styles = this.#withFonts(bindStyles(styleParts.map(read)))
  }

  /** Returns the path below the address of assets. */
  path(name: string): string {
    if (!this.#paths.has(name) && fontFiles.has(name)) this.#add(name, 'font/woff2', readFont(name))
    return this.#paths.get(name)!
  }

  find(file: string): Asset | undefined {
    // A font that nobody has requested from this process yet.
    const [, font] = /^([a-z0-9-]+)\.[0-9a-f]{12}\.woff2$/.exec(file) ?? []
    if (font !== undefined) this.path(`${font}.woff2`)
    return this.#files.get(file)
  }

  /** Returns the style sheet of a site: the shared one, followed by the rules that this site chose. */
  styleSheet(theme: string): { name: string; asset: Asset } {
    const body = Buffer.from(`${this.#styles}\n${this.#withFonts(theme)}`)
    const asset = { type: styleSheet, body }
    return { name: nameByContent('site.css', body), asset }
  }

  #withFonts(css: string): string {
    return withFonts(css, (font) => this.path(font))
  }

  #add(name: string, type: string, body: Buffer): void {
    const file = nameByContent(name, body)
    this.#paths.set(name, file)
    this.#files.set(file, { type, body })
  }
}

const read = (name: string) => readFileSync(new URL(`../assets/${name}`, import.meta.url))
