import { hash, hashWord } from '../../content/hash.ts'
import type { Section } from '../../content/sections.ts'
import { type PageData, pageData } from '../../pages/entry-data.ts'
import type { Entry, Row } from '../../revisions/entries.ts'
import { shortened } from '../../shortened.ts'

/** A row of the index, before its words are known. */
export interface SectionRow {
  /** Title of its page. */
  title: string
  anchor: string
  part: number
  hash: string
  heading: string
  body: string
}

/** Longer texts are split into several rows, so that what is read of a hit, to rank and to show it, stays small. */
const partLength = 4_000
const overlap = 100
const headingLength = 500
/** With more sections, consecutive ones share a row: a page of nothing but headings must not become a million rows. */
const mostSections = 500

/** Whether a page can be found. Groups and links have no address of their own, and some pages opt out. */
export function isFindable(entry: Entry): boolean {
  const { type, noIndex } = pageData(entry)
  return (type === undefined || type === 'document') && noIndex !== true
}

/** Whether all rows of a page are unchanged. */
export function saysTheSame(before: Entry | undefined, now: Row): boolean {
  if (!before || now.state !== 0) return false
  const [a, b] = [pageData(before), pageData(now)]
  const isSame = before.doc === now.doc && a.title === b.title && a.description === b.description
  return isSame && isFindable(before) === isFindable(now)
}

/**
 * Returns the rows by which a page is found. Its title is part of every row, so that words of the title and of a
 * section can match together.
 */
export function rowsOf(entry: Entry, sections: readonly Section[]): SectionRow[] {
  const title = cut(pageData(entry).title)
  const [intro, ...headed] = withIntro(pageData(entry), sections)
  return [intro!, ...(headed.length > mostSections ? packed(headed) : headed)].flatMap(({ anchor, heading, texts }) =>
    texts.flatMap(partsOf).map((body, part) => ({
      title,
      anchor,
      part,
      hash: hashWord(hash([title, heading, body].join('\0'))),
      heading,
      body,
    })),
  )
}

interface Piece {
  anchor: string
  heading: string
  /**
   * Each text contains what one condition guards, or what none guards, so that readers find a page by what they see.
   */
  texts: string[]
}

/** The text above the first heading comes first, even if it is empty, so that every page has a row. */
function withIntro({ description = '' }: PageData, sections: readonly Section[]): Piece[] {
  const isIntro = ({ level }: Section) => level === 0
  const intro = sections.find(isIntro)
  const text = [description, intro?.text ?? ''].filter((each) => each !== '').join('\n')
  // If there are very many guarded texts, those of a section are joined: only readers who see all of them find it.
  const isMany = sections.reduce((sum, { guarded }) => sum + guarded.length, 0) > mostSections
  const rowsFor = (guarded: readonly string[]) => (isMany && guarded.length > 1 ? [guarded.join('\n')] : guarded)
  return [
    { anchor: '', heading: '', texts: [text, ...rowsFor(intro?.guarded ?? [])] },
    ...sections
      .filter((section) => !isIntro(section))
      .map(({ anchor, title, text, guarded }) => ({
        anchor: indexedAnchor(anchor),
        heading: cut(title),
        texts: [text, ...rowsFor(guarded)],
      })),
  ]
}

const cut = (text: string) => storable(shortened(text, headingLength))

/** Index keys have a maximum length. Long anchors that differ only at the end are told apart by a hash. */
const indexedAnchor = (anchor: string) =>
  anchor.length <= headingLength ? anchor : cut(anchor) + hashWord(hash(anchor))

/** Replaces lone surrogates and NUL, which no database accepts. */
const storable = (text: string) => text.toWellFormed().replaceAll('\0', ' ')

function packed(pieces: readonly Piece[]): Piece[] {
  const rows: Piece[] = []
  for (const { anchor, heading, texts } of pieces) {
    const last = rows.at(-1)
    const text = texts.join('\n')
    if (last && last.texts[0]!.length < partLength) last.texts[0] += `\n${heading}\n${text}`
    else rows.push({ anchor, heading, texts: [text] })
  }
  return rows
}

/** Each part begins with the end of the previous one, so that text across the boundary is found as well. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  let rest = storable(text)
  while (rest.length > partLength) {
    const end = cutNear(rest, partLength)
    parts.push(rest.slice(0, end))
    rest = rest.slice(cutNear(rest, end - overlap))
  }
  return [...parts, rest]
}

/** Returns a position between two words, if there is one nearby; never within a character. */
function cutNear(text: string, end: number): number {
  const blank = text.lastIndexOf(' ', end)
  if (end - blank < overlap) return blank
  return /[\udc00-\udfff]/.test(text.charAt(end)) ? end - 1 : end
}
