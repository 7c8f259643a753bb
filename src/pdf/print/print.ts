import { type Block, everyBlock } from '../../content/blocks.ts'
import { footnoteKey, footnotesAmong } from '../../content/blocks/footnote.ts'
import { anchorsOf, otherAnchorsOf } from '../../content/sections.ts'
import { type PageData, layoutDefaults, pageData } from '../../pages/entry-data.ts'
import { Formulas } from '../../published/blocks/formulas-of-page.ts'
import { placeIn } from '../../published/look/cover.ts'
import { type IconName, strokesOf } from '../../published/icons/icons.ts'
import { type Words, directionOf, wordsFor } from '../../published/words/words.ts'
import type { Book, Chapter } from '../book.ts'
import { breathe } from '../breathe.ts'
import { printBlocks } from './blocks.ts'
import type { Node, PrintedBook, PrintedChapter, PrintedCover } from './nodes.ts'
import { Pictures } from './pictures.ts'
import { fitCover, fitTitle } from './titles.ts'
import { asText, fileNamed } from './words.ts'

export interface Printed {
  /** A `PrintedBook` as the template reads it: JSON, in pieces. */
  data: Uint8Array[]
  pictures: Pictures
}

export interface PrintOptions {
  /**
   * How deep blocks may be nested: deeper ones follow their parent instead. The template can handle about 12 levels.
   */
  depth: number
  pictures: boolean
  /** Whether formulas are drawn as mathematics instead of printed as they were written. */
  formulas: boolean
  /** Whether code is coloured. */
  colours: boolean
}

/** What one chapter is printed with. */
export interface Printing extends Omit<PrintOptions, 'formulas'> {
  chapter: Chapter
  /** None if formulas are printed as they were written. */
  formulas: Formulas | undefined
  shelf: Pictures
  /** Returns the label of a place in this chapter. Undefined if there is one of that name already. */
  label(anchor: string): string | undefined
  anchorOf(block: Block): string | undefined
  /** The other anchor under which a heading is known. */
  otherAnchorOf(block: Block): string | undefined
  /** Adds an icon to the book. */
  icon(name: IconName): IconName
  language: string
  /** The phrases of published pages in this language. */
  phrases: Words
  isRightToLeft: boolean
  /** The number of a footnote, counted by first mention, and the id of its place. */
  note(label: string): { number: number; id: string }
}

/**
 * Turns a book into data for the template, one chapter at a time: each is read and printed, and only its bytes are
 * kept. Other work gets its turn in between.
 */
export async function printBook(book: Book, options: PrintOptions): Promise<Printed> {
  const shelf = new Pictures()
  const labels = new Set<string>()
  const scales = new Map<string, number>()
  const pages = new Map<string, string>()
  const icons = new Map<IconName, string>()
  const data: Uint8Array[] = []
  const { title, subtitle, language, isSingle } = book
  const isRightToLeft = directionOf(language) === 'rtl'
  let follows: Chapter | undefined

  for await (const chapter of book.chapters()) {
    const id = `c${data.length}`
    labels.add(id)
    if (!pages.has(chapter.entry.entry)) pages.set(chapter.entry.entry, id)
    const blocks = chapter.document?.blocks ?? []
    const anchors = anchorsOf([...everyBlock(blocks)])
    const others = otherAnchorsOf(anchors)
    const notes = new Map<string, number>()
    const printing: Printing = {
      ...options,
      formulas: options.formulas ? await Formulas.of(blocks, () => true) : undefined,
      chapter,
      shelf,
      label(anchor) {
        const label = `${id}-${anchor}`
        if (labels.has(label)) return undefined
        labels.add(label)
        return label
      },
      icon(name) {
        icons.set(name, strokesOf(name))
        return name
      },
      language,
      phrases: wordsFor(language),
      isRightToLeft,
      anchorOf: (block) => anchors.get(block),
      otherAnchorOf: (block) => others.get(block),
      note(label) {
        const name = footnoteKey(label)
        if (!notes.has(name)) notes.set(name, notes.size + 1)
        return { number: notes.get(name)!, id: `${id}-note-${notes.get(name)}` }
      },
    }
    const printed = JSON.stringify(printChapter(chapter, { id, follows, notes, labels, scales, printing }))
    data.push(Buffer.from(data.length === 0 ? printed : `,${printed}`))
    follows = chapter
    await breathe()
  }
  const about: Omit<PrintedBook, 'chapters'> = {
    title,
    cover: fitCover(title),
    subtitle: asWords(subtitle),
    lang: languageOf(language),
    region: /^[a-z]{2,3}-([a-z]{2})$/i.exec(language)?.[1]?.toUpperCase() ?? null,
    isRightToLeft,
    han: hanOf(language),
    isWhole: !isSingle,
    scales: Object.fromEntries(scales),
    pages: Object.fromEntries(pages),
    icons: Object.fromEntries(icons),
    places: Object.fromEntries([...labels].map((label) => [label, true])),
  }
  const rest = JSON.stringify(about).slice(1)
  return { data: [Buffer.from('{"chapters":['), ...data, Buffer.from(`],${rest}`)], pictures: shelf }
}

interface Making {
  id: string
  follows: Chapter | undefined
  notes: ReadonlyMap<string, number>
  labels: Set<string>
  scales: Map<string, number>
  printing: Printing
}

function printChapter(chapter: Chapter, { id, follows, notes, labels, scales, printing }: Making): PrintedChapter {
  const data = pageData(chapter.entry)
  const blocks = chapter.document?.blocks ?? []
  const body = printBlocks(blocks, printing)
  const c = [...body, ...printNotes(blocks, notes, labels, printing)]
  const depth = Math.min(chapter.depth, 6)
  const { title, scale } = fitTitle(data.title, depth)
  if (scale < 1) scales.set(id, scale)
  return {
    id,
    depth,
    cover: printCover(data, printing),
    title,
    description: describe(data),
    // A chapter that follows the title of a group is printed below it, on the same sheet.
    breaks: follows !== undefined && follows.document !== undefined,
    c,
  }
}

/** A cover picture from elsewhere is not fetched. */
function printCover({ cover, layout }: PageData, printing: Printing): PrintedCover | null {
  if (cover?.ref.kind !== 'file' || layout?.cover === false) return null
  const src = `/files/${cover.ref.file}`
  const file = fileNamed(src, printing)
  return file === undefined ? null : { file, place: placeIn(printing.chapter.around.file(src), cover.yPos) ?? 50 }
}

const asWords = (text: string | undefined) => (text === undefined ? null : asText(text))

const describe = ({ description, layout }: PageData) =>
  (layout?.description ?? layoutDefaults.description) ? asWords(description) : null

/** Prints the footnotes that were mentioned, at the end of their page. */
function printNotes(
  blocks: readonly Block[],
  notes: ReadonlyMap<string, number>,
  labels: Set<string>,
  printing: Printing,
): Node[] {
  const texts = footnotesAmong(everyBlock(blocks))
  const printed: Node[] = []
  // A footnote may mention others, which join the list while it is walked.
  for (const [label, number] of notes) {
    const { id } = printing.note(label)
    labels.add(id)
    printed.push({ t: 'note', number, id, c: printBlocks(texts.get(label)?.blocks ?? [], printing) })
  }
  return printed
}

/** Returns a language code of two or three letters, English by default: the template accepts nothing else. */
const languageOf = (language: string) => /^[a-z]{2,3}(?![a-z])/i.exec(language)?.[0].toLowerCase() ?? 'en'

function hanOf(language: string): string {
  const tag = language.toLowerCase()
  if (tag.startsWith('ja')) return 'JP'
  if (tag.startsWith('ko')) return 'KR'
  if (/^(zh-(.+-)?(hk|mo)|yue)\b/.test(tag)) return 'HK'
  return /^zh-(.+-)?(hant|tw)\b/.test(tag) ? 'TC' : 'SC'
}
