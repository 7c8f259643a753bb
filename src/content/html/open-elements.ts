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
/** From this number of blocks on, an end tag of bold within them does not close it. */
const mostMoved = 8
/** The number of formatting elements written alike that the parser keeps track of. */
const mostAlike = 3

/** Elements that the parser may have open: at least the ones it does have open, in their order. */
export class OpenElements {
  readonly #stack: string[] = []
  readonly #counts = new Map<string, number>()
  readonly #formats = new Formats()

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
    if (isVoidElement(name) && !this.#isDrawing) return
    if (!this.#isDrawing) for (const each of impliedEnds[name] ?? []) this.#closeImplied(each)
    this.#stack.push(name)
    this.#counts.set(name, this.#count(name) + 1)
    if (formats.has(name)) this.#formats.open(name, written)
  }

  /** If the parser might ignore the end tag, nothing is closed. */
  close(name: string): void {
    const at = this.#placeOf(name)
    if (at === -1 || this.#isBlocked(name, this.#stack.slice(at + 1))) return
    this.#remove(name, at)
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
