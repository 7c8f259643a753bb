import { isVoidElement } from './tags.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/**
 * Formatting elements such as bold: if one is left open in a block, the parser reopens it in each block that follows.
 */
export const formats = words('a b big code em font i nobr s small strike strong tt u')

/** Blocks whose end tags close everything that is still open in them. */
const blocks = words(
  'address article aside blockquote button center dd details dialog dir div dl dt fieldset figcaption figure footer ' +
    'h1 h2 h3 h4 h5 h6 header hgroup li listing main menu nav ol p pre search section summary ul',
)
const ofTables = words('caption colgroup table tbody td tfoot th thead tr')
/** Elements of SVG and MathML in which HTML begins again. */
const inDrawings = words('annotation-xml desc foreignobject mi mn mo ms mtext title')
/** No end tag inside these closes anything around them. */
const walls = new Set([...inDrawings, ...words('applet caption marquee object select table td template th')])
/** No end tag of an element that the parser does not know closes anything beyond these. */
const special = new Set([
  ...blocks,
  ...ofTables,
  ...walls,
  ...words('basefont bgsound body form frame frameset head html iframe isindex keygen noembed noframes noscript'),
  ...words('plaintext script style textarea xmp'),
])
/**
 * What the start tag of each of these closes, if only texts and plain blocks are open inside that: the end tags are
 * optional in HTML.
 */
const impliedEnds: Record<string, readonly string[]> = {
  dd: ['dd', 'dt'],
  dt: ['dd', 'dt'],
  li: ['li'],
  p: ['p'],
  td: ['td', 'th'],
  th: ['td', 'th'],
  tr: ['td', 'th', 'tr'],
}
const plain = words('address div p')
const headings = words('h1 h2 h3 h4 h5 h6')
const items = words('dd dt li')
/** What may be open in a table around each part of it. Its beginning closes everything else. */
const partsAround: Record<string, readonly string[]> = {
  td: ['tbody', 'tfoot', 'thead', 'tr'],
  th: ['tbody', 'tfoot', 'thead', 'tr'],
  tr: ['tbody', 'tfoot', 'thead'],
}
/** Cells and captions: what is bold in them is not reopened behind them. */
const cells = words('caption td th')
/**
 * Blocks that nothing closes but their own end tag, the end tags of blocks around them, and what begins an item or a
 * cell. As long as this is all that happens, it is certain which of these the parser has open.
 */
const firm = new Set([
  ...words('address article aside blockquote center dd details div dl dt figcaption figure footer header li nav ol'),
  ...words('pre section summary ul'),
  ...ofTables,
])
/** The end tags of these close no firm element: they are ignored, or there is none in what they close. */
const endsAlone = new Set([...formats, 'p', 'span'])
/** Elements of which the parser opens or closes others in ways that are not followed here. */
const unclear = words(
  'applet body frameset head html marquee math object optgroup option rb rp rt rtc select svg template',
)
/** From this number of blocks on, an end tag of bold within them does not close it. */
const mostMoved = 8
/** The number of formatting elements written alike that the parser keeps track of. */
const mostAlike = 3

/** Elements that the parser may have open: at least the ones it does have open, in their order. */
export class OpenElements {
  readonly #stack: string[] = []
  readonly #counts = new Map<string, number>()
  readonly #formats = new Formats()
  /** Whether the parser has exactly the firm elements open that are open here. Once in doubt, always in doubt. */
  #isCertain = true

  get depth(): number {
    return this.#stack.length
  }

  /** How many elements it would reopen. */
  get left(): number {
    return this.#formats.left
  }

  /** In SVG and MathML, what looks like HTML may be other elements, and in a `<select>` it may be nothing at all. */
  get isElsewhere(): boolean {
    return this.#isDrawing || this.#count('select') > 0
  }

  open(name: string, written: string): void {
    this.#isCertain &&= !unclear.has(name) && !(name === 'button' && this.#count(name) > 0)
    if (this.#isCertain && (ofTables.has(name) || name === 'col')) this.#openPartOfTable(name)
    if (isVoidElement(name) && !this.#isDrawing) return
    if (this.#isCertain && firm.has(name) && !this.#isInText(name)) this.#isCertain = false
    if (this.#isCertain && items.has(name)) this.#closeItem(name)
    else if (!this.#isDrawing) for (const each of impliedEnds[name] ?? []) this.#closeImplied(each)
    this.#stack.push(name)
    this.#counts.set(name, this.#count(name) + 1)
    if (formats.has(name)) this.#formats.open(name, written)
  }

  /** If the parser might ignore the end tag, nothing is closed. */
  close(name: string): void {
    const at = this.#placeOf(name)
    if (this.#isCertain && ofTables.has(name) && at <= this.#stack.lastIndexOf('table') - (name === 'table' ? 1 : 0))
      this.#isCertain = false
    if (!firm.has(name) && !endsAlone.has(name) && this.#hasFirmIn(name)) this.#isCertain = false
    if (at === -1) return
    const within = this.#stack.slice(at + 1)
    if (this.#isBlocked(name, within)) return
    if (this.#isCertain && firm.has(name)) this.#closeAll(at)
    else this.#remove(name, at)
  }

  /** Whether there is a firm element in this element, or in any heading: the end tag of one closes the others, too. */
  #hasFirmIn(name: string): boolean {
    const isMeant = (each: string) => each === name || (headings.has(name) && headings.has(each))
    const at = this.#stack.findLastIndex(isMeant)
    return at !== -1 && this.#stack.findLastIndex((each) => firm.has(each)) > at
  }

  /** Closes an element with everything in it. What is bold is reopened behind it, unless it is a cell. */
  #closeAll(from: number): void {
    let isCell = false
    for (const name of this.#stack.splice(from)) {
      isCell ||= cells.has(name)
      if (formats.has(name) && !isCell) this.#stack.push(name)
      else {
        this.#counts.set(name, this.#count(name) - 1)
        if (formats.has(name)) this.#formats.close(name)
      }
    }
  }

  /** The beginning of a cell closes the cell before it, that of a row its cells, and so on. */
  #openPartOfTable(name: string): void {
    const table = this.#stack.lastIndexOf('table')
    if (name === 'table') return
    const around = partsAround[name] ?? []
    const last = this.#stack.findLastIndex((each, at) => at > table && around.includes(each))
    if (table === -1) this.#isCertain = false
    else this.#closeAll(Math.max(table, last) + 1)
  }

  /** Whether an element begins where texts are: beside the cells of a table, the parser moves it elsewhere. */
  #isInText(name: string): boolean {
    const isPart = ofTables.has(name) && name !== 'table'
    const part = this.#stack.findLast((each) => ofTables.has(each))
    return isPart || part === undefined || cells.has(part)
  }

  /** An item closes the one before it with everything in it, if only texts and plain blocks are open in that. */
  #closeItem(name: string): void {
    const ends = impliedEnds[name]!
    const at = this.#stack.findLastIndex((each) => ends.includes(each) || (special.has(each) && !plain.has(each)))
    const found = this.#stack[at]
    if (found === undefined) return
    if (ends.includes(found)) this.#closeAll(at)
    else this.#isCertain = firm.has(found)
  }

  #closeImplied(name: string): void {
    const at = this.#placeOf(name)
    const within = this.#stack.slice(at + 1)
    const isPassed = (each: string) => !special.has(each) || (name !== 'p' && plain.has(each)) || ofTables.has(name)
    if (at === -1 || this.#isBlocked(name, within) || !within.every(isPassed)) return
    this.#remove(name, at)
  }

  #placeOf(name: string): number {
    return this.#count(name) > 0 ? this.#stack.lastIndexOf(name) : -1
  }

  #remove(name: string, at: number): void {
    this.#stack.splice(at, 1)
    this.#counts.set(name, this.#count(name) - 1)
    if (formats.has(name)) this.#formats.close(name)
  }

  #isBlocked(name: string, within: readonly string[]): boolean {
    // The parser knows only the last form, and forgets it even if it does not close it.
    if (name === 'form') return true
    if (within.length === 0) return false
    if (inDrawings.has(name)) return true
    const specials = within.filter((each) => special.has(each)).length
    if (specials === 0) return false
    if (this.#isDrawing) return true
    if (ofTables.has(name)) return within.some((each) => each === 'table' || each === 'template' || each === 'select')
    if (within.some((each) => walls.has(each))) return true
    if (formats.has(name)) return specials >= mostMoved || this.#count(name) > mostAlike
    if (name === 'p') return within.includes('button')
    if (name === 'li') return within.includes('ol') || within.includes('ul')
    return !blocks.has(name)
  }

  #count(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  get #isDrawing(): boolean {
    return this.#count('svg') + this.#count('math') > 0
  }
}

/** The formatting elements that are open. Of several links, only one is reopened. */
class Formats {
  left = 0
  readonly #open = new Map<string, { count: number; kinds: Set<string> }>()

  open(name: string, written: string): void {
    this.#change(name, (known) => {
      known.count += 1
      known.kinds.add(written)
    })
  }

  close(name: string): void {
    this.#change(name, (known) => {
      known.count -= 1
      if (known.count === 0) known.kinds.clear()
    })
  }

  #change(name: string, change: (known: { count: number; kinds: Set<string> }) => void): void {
    const known = this.#open.get(name) ?? { count: 0, kinds: new Set<string>() }
    this.#open.set(name, known)
    const before = leftOf(name, known)
    change(known)
    this.left += leftOf(name, known) - before
  }
}

const leftOf = (name: string, { count, kinds }: { count: number; kinds: ReadonlySet<string> }) =>
  Math.min(count, name === 'a' || name === 'nobr' ? 1 : mostAlike * kinds.size)
