import { readFileSync } from 'node:fs'
import type { Asset } from '../../look/assets.ts'
import type { SiteSnapshot } from '../../audience/snapshots/snapshot.ts'
import { fontPlaces } from '../../sites/fonts/queries.ts'
import { Assets } from '../sending/assets.ts'
import type { HotPages } from '../sending/hot-pages.ts'
import { chosenFont } from './own-fonts.ts'
import { type HeaderColours, type Styling, themeCss } from './theme.ts'

declare module 'fastify' {
  interface FastifyInstance {
    looks: Looks
    hot: HotPages
  }
}

type Kept = Record<string, unknown> | null

const mostStyleSheets = 500

/** The files of published pages: those that all sites share, and the style sheet of each look. */
export class Looks {
  readonly #assets = new Assets()
  readonly #sheets = new Map<string, Asset>()
  readonly #names = new Map<string, string>()
  readonly #mermaid = new URL('.', import.meta.resolve('mermaid'))

  path(name: string): string {
    return this.#assets.path(name)
  }

  /** The page in which diagrams are drawn. */
  get diagrams(): string {
    return 'diagrams.html'
  }

  find(file: string): Asset | undefined {
    if (file === this.diagrams) return this.#frame()
    return this.#assets.find(file) ?? this.#sheets.get(file) ?? this.#partOfMermaid(file)
  }

  /**
   * Returns the name of the style sheet of a look: the settings of a site, with those of one of its spaces over them.
   */
  styleSheet(fonts: SiteSnapshot['fonts'], ...layers: Kept[]): string {
    const styling = withOwnFonts(stylingIn(layers), fonts)
    const key = JSON.stringify(styling)
    const known = this.#names.get(key)
    if (known !== undefined) return known
    const { name, asset } = this.#assets.styleSheet(themeCss(styling))
    if (this.#sheets.size >= mostStyleSheets) {
      this.#sheets.clear()
      this.#names.clear()
    }
    this.#sheets.set(name, asset)
    this.#names.set(key, name)
    return name
  }

  /**
   * Returns a file of the mermaid module. The script of the frame loads it in chunks, so only what a diagram needs is
   * sent.
   */
  #partOfMermaid(file: string): Asset | undefined {
    if (!/^mermaid\/(?:chunks\/mermaid\.esm\.min\/)?[\w.-]+\.mjs$/.test(file)) return undefined
    try {
      const body = readFileSync(new URL(file.slice('mermaid/'.length), this.#mermaid))
      return { type: 'text/javascript; charset=utf-8', body }
    } catch {
      return undefined
    }
  }

  #frame(): Asset {
    const script = this.path('diagram-frame.js')
    const body = `<!doctype html><meta charset="utf-8"><title>Diagrams</title><script type="module" src="${script}"></script>`
    return { type: 'text/html; charset=utf-8', body: Buffer.from(body) }
  }
}

function withOwnFonts(styling: Styling, fonts: SiteSnapshot['fonts']): Styling {
  const chosen = fontPlaces.filter((place) => styling[place] !== undefined)
  return { ...styling, ...Object.fromEntries(chosen.map((place) => [place, chosenFont(fonts, styling[place])])) }
}

/** Merges the settings: each layer over the one before, in the same way as `customization.ts` does. */
function stylingIn(layers: readonly Kept[]): Styling {
  const styling = layers.map((kept) => (kept?.['styling'] ?? {}) as Styling)
  const codeTheme: Styling['codeTheme'] = Object.assign({}, ...styling.map((each) => each.codeTheme ?? {}))
  const header: HeaderColours = Object.assign({}, ...layers.map((kept) => kept?.['header'] ?? {}))
  const { preset, backgroundColor, linkColor } = header
  return Object.assign({}, ...styling, { codeTheme, header: { preset, backgroundColor, linkColor } })
}
