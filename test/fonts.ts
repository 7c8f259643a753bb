import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** Real fonts, from a package that is installed anyway. */
const read = (name: string) => readFileSync(createRequire(import.meta.url).resolve(`katex/dist/fonts/KaTeX_${name}`))

export const regular = read('SansSerif-Regular.woff2')
export const bold = read('SansSerif-Bold.woff2')
export const oldBold = read('SansSerif-Bold.woff')
export const trueType = read('SansSerif-Regular.ttf')
