import { buffer } from 'node:stream/consumers'
import yazl from 'yazl'
import { Archive } from '../files/archive.ts'
import { limits } from '../limits.ts'
import { texOf } from './tex.ts'
import { type Part, treeOf } from './tree.ts'

/** Our own styles for runs that contain formulas: inline, and on lines of their own. */
export const styles = { inline: 'LecternFormula', display: 'LecternFormulaOnItsOwn' }

const texts = /^word\/(?:document|footnotes|endnotes)\d*\.xml$/

/**
 * Returns the same document with its formulas as TeX text, in styles of their own. The converter that reads the rest of
 * the document does not support formulas and would silently drop them.
 */
export async function withFormulasAsText(bytes: Uint8Array): Promise<Uint8Array> {
  const archive = await Archive.open(bytes, null)
  const changed = new Map<string, Buffer>()
  for (const path of archive.paths.filter((each) => texts.test(each))) {
    const xml = (await archive.read(path, limits.archive.unpackedBytes)).toString()
    if (xml.includes('<m:oMath')) changed.set(path, Buffer.from(replaceFormulas(xml)))
  }
  return changed.size === 0 ? bytes : packedAgain(archive, changed)
}

async function packedAgain(archive: Archive, changed: ReadonlyMap<string, Buffer>): Promise<Uint8Array> {
  const zip = new yazl.ZipFile()
  for (const path of [...archive.paths, ...archive.nested]) {
    const bytes = changed.get(path) ?? (await archive.read(path, limits.archive.unpackedBytes))
    zip.addBuffer(bytes, path, { compress: false })
  }
  zip.end()
  return buffer(zip.outputStream)
}

const beginning = /<m:oMath(Para)?(?=[\s>])[^<>]*>/g

/** Searches from one formula to the next. Nothing is scanned twice, however many formulas begin and never end. */
function replaceFormulas(xml: string): string {
  let replaced = ''
  let from = 0
  for (;;) {
    beginning.lastIndex = from
    const found = beginning.exec(xml)
    const end = found ? `</m:oMath${found[1] ?? ''}>` : ''
    const to = found ? xml.indexOf(end, beginning.lastIndex) : -1
    if (!found || to === -1) return replaced + xml.slice(from)
    replaced += xml.slice(from, found.index) + runsFor(xml.slice(found.index, to + end.length))
    from = to + end.length
  }
}

function runsFor(xml: string): string {
  const [formula] = treeOf(xml)?.parts ?? []
  // Cannot be parsed as a formula, so its text is kept.
  if (!formula) return runOf(xml.replace(/<[^<>]*>/g, ' '))
  if (formula.name === 'oMath') return formulaRun(formula, styles.inline, '\\(', '\\)')
  return formula.parts
    .filter(({ name }) => name === 'oMath')
    .map((each) => formulaRun(each, styles.display, '\\[', '\\]'))
    .join('')
}

function formulaRun(formula: Part, style: string, begin: string, end: string): string {
  const tex = texOf(formula)
  if (tex === '') return ''
  const escaped = `${begin}${tex}${end}`.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return runOf(escaped, `<w:rPr><w:rStyle w:val="${style}"/></w:rPr>`)
}

const runOf = (xml: string, properties = '') => `<w:r>${properties}<w:t xml:space="preserve">${xml}</w:t></w:r>`
