import { isVoidElement } from './tags.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Bold and the like: the parser opens them anew in each block behind the one that they were left open in. */
export const formats = words('a b big code em font i nobr s small strike strong tt u')

/** Blocks whose ends close what is still open in them. */
const blocks = words(
  'address article aside blockquote button center dd details dialog dir div dl dt fieldset figcaption figure footer ' +
    'h1 h2 h3 h4 h5 h6 header hgroup li listing main menu nav ol p pre search section summary ul',
)
const ofTables = words('caption colgroup table tbody td tfoot th thead tr')
/** Places in drawings and formulas where HTML begins again. */
const inDrawings = words('annotation-xml desc foreignobject mi mn mo ms mtext title')
/** No end from within these closes what is around them. */
const walls = new Set([...inDrawings, ...words('applet caption marquee object select table td template th')])
/** No end of an element that the parser knows nothing of goes past these. */
const special = new Set([
  ...blocks,
  ...ofTables,
  ...walls,
  ...words('basefont bgsound body form frame frameset head html iframe isindex keygen noembed noframes noscript'),
  ...words('plaintext script style textarea xmp'),
])
/** What each of these closes, where nothing else is open in that but texts and plain blocks: nobody has to write those ends. */
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
/** Beyond so many blocks, the end of bold within them is not its end. */
const mostMoved = 8
/** Of those that are written alike, the parser knows so many. */
const mostAlike = 3

/** Elements that the parser may have open: at least those that it has, and in their order. */
export class OpenElements {
  readonly #stack: string[] = []
  readonly #counts = new Map<string, number>()
  readonly #formats = new Formats()

  get depth(): number {
    return this.#stack.length
  }

  /** How many it would open anew. */
  get left(): number {
    return this.#formats.left
  }

  /** In a drawing or a formula what looks like HTML may be other elements, and in a choice nothing at all. */
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

  /** Where the parser might pass over an end, nothing is closed. */
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
    // Of forms the parser knows the last one alone, and forgets it where it does not close it.
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

/** Those of bold and the like that are open. Of links, only one is opened anew. */
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
