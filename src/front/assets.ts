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
} from '../look/assets.ts'

/** The style sheet is written in parts, by what they style, and served as one file. */
const styleParts = [
  'base.css',
  'frame.css',
  'sidebar.css',
  'blocks.css',
  'reference.css',
  'landing.css',
  'account.css',
  'review.css',
  'writing.css',
  'tree.css',
  'said.css',
  'conflicts.css',
  'workspace.css',
  'reading.css',
  'sites.css',
  'insights.css',
  'people.css',
  'visual.css',
  'visual-pieces.css',
  'questions.css',
]

/** The scripts of the editor. They share the declarations of the first one. */
export const writingScripts = [
  'writing.js',
  'toolbar.js',
  'files.js',
  'pasting.js',
  'choosing.js',
  'visual.js',
  'ways.js',
  'visual-early.js',
  'visual-tools.js',
  'visual-typing.js',
  'visual-keys.js',
  'visual-pasting.js',
  'visual-copying.js',
  'visual-tables.js',
  'visual-menu.js',
  'visual-parts.js',
  'visual-pictures.js',
  'visual-formulas.js',
  'visual-cards.js',
  'settings.js',
  'places.js',
  'combining.js',
]

/** Loads the assets of these pages into memory. */
export function loadAssets() {
  const paths = new Map<string, string>()
  const files = new Map<string, Asset>()
  const add = (name: string, type: string, body: Buffer) => {
    const file = nameByContent(name, body)
    paths.set(name, `/assets/${file}`)
    files.set(file, { type, body })
  }

  for (const font of commonFonts) add(font, 'font/woff2', readFont(font))
  // Fonts are addressed relative to the style sheet, whatever path everything is served below.
  const css = withFonts(bindStyles(styleParts.map(read)), (font) => paths.get(font)!.slice('/assets/'.length))
  add('pages.css', styleSheet, Buffer.from(css))
  add('theme.js', javascript, readShared('theme.js'))
  for (const script of ['pages.js', 'tree.js', ...writingScripts]) add(script, javascript, read(script))

  return {
    favicon: readShared('favicon.svg'),
    find: (file: string) => files.get(file),
    pathOf: (name: string) => paths.get(name)!,
  }
}

const read = (name: string) => readFileSync(new URL(`assets/${name}`, import.meta.url))
