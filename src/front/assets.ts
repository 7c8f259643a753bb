import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

interface Asset {
  type: string
  body: Buffer
}

/** The style sheet is written in parts, by what they dress, and goes out as one file. */
const styleParts = [
  'tokens.css',
  'base.css',
  'frame.css',
  'sidebar.css',
  'blocks.css',
  'reference.css',
  'landing.css',
  'account.css',
]

/** The files of these pages, in memory. Each is named by its content, so a browser may keep it for ever. */
export function loadAssets() {
  const paths = new Map<string, string>()
  const files = new Map<string, Asset>()
  const add = (name: string, type: string, body: Buffer) => {
    const [stem, extension] = name.split('.')
    const file = `${stem}.${hash('sha256', body, 'hex').slice(0, 12)}.${extension}`
    paths.set(name, `/assets/${file}`)
    files.set(file, { type, body })
  }

  add('pages.css', 'text/css; charset=utf-8', Buffer.concat(styleParts.map(read)))
  add('theme.js', 'text/javascript; charset=utf-8', read('theme.js'))
  add('pages.js', 'text/javascript; charset=utf-8', read('pages.js'))

  return {
    favicon: read('favicon.svg'),
    find: (file: string) => files.get(file),
    pathOf: (name: string) => paths.get(name)!,
  }
}

const read = (name: string) => readFileSync(new URL(`assets/${name}`, import.meta.url))
