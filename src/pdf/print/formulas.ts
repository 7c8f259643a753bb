import type { Formulas } from '../../published/blocks/formulas-of-page.ts'
import { type Element, childrenOf, readMathML, textOf } from './mathml.ts'

/** A formula as data: like all text, it is never part of the template's source. */
export type MathNode =
  | { m: 'symbol' | 'text' | 'word' | 'mid'; text: string }
  | { m: 'row' | 'hidden'; c: MathNode[] }
  /** Between delimiters as high as what they enclose. Either delimiter may be missing. */
  | { m: 'fenced'; c: MathNode[] }
  | { m: 'fraction'; over: MathNode; under: MathNode; hasLine: boolean }
  | { m: 'root'; of: MathNode; degree: MathNode | null }
  | {
      m: 'attached'
      to: MathNode
      above: MathNode | null
      below: MathNode | null
      primes: number
      /** Placed above and below the base, not behind it. */
      isLimits: boolean
    }
  | { m: 'accent'; of: MathNode; mark: string }
  | { m: 'marked'; of: MathNode; mark: 'overline' | 'underline' | 'overbrace' | 'underbrace' | 'cancel' }
  | { m: 'boxed'; of: MathNode }
  | { m: 'coloured'; of: MathNode; colour: string }
  | {
      m: 'table'
      rows: MathNode[][]
      /** The alignment of each column. */
      align: Side[]
      /** Whether columns belong together, as both sides of an equation do. */
      isTight: boolean
      /** After how many rows and columns there is a line. */
      lines: { h: number[]; v: number[] }
    }
  /** Lines below one another that are aligned at given points. */
  | { m: 'aligned'; rows: MathNode[][] }
  | { m: 'space'; em: number }

type Side = 'left' | 'center' | 'right'

/** Longer or deeper formulas are printed as they were written: the typesetter has its limits. */
const longest = 4_000
const deepest = 14

/**
 * Converts a formula in TeX to what the typesetter draws. Undefined if it cannot be read, or contains something that
 * cannot be drawn.
 */
export function printFormula(formula: string, formulas: Formulas | undefined): MathNode | undefined {
  const markup = formula.length > longest ? undefined : formulas?.mathML(formula, true)
  if (markup === undefined) return undefined
  try {
    return made(readMathML(markup), 0)
  } catch {
    return undefined
  }
}

class NotDrawn extends Error {}

function made(element: Element, depth: number): MathNode {
  if (depth > deepest) throw new NotDrawn()
  const make = makers[element.name]
  if (!make) throw new NotDrawn(element.name)
  const { style = '' } = element.attributes
  const [, colour] = /(?:^|;)color:(#[\da-f]{3}|#[\da-f]{6});/i.exec(style) ?? []
  const drawn = make(element, depth)
  const framed: MathNode = /(?:^|;)border:/.test(style) ? { m: 'boxed', of: drawn } : drawn
  return colour === undefined ? framed : { m: 'coloured', of: framed, colour }
}

type Make = (element: Element, depth: number) => MathNode

const row: Make = (element, depth) => {
  const children = childrenOf(element)
  // A row with one child is drawn as that child: this saves a level of nesting, so more fits within the limit.
  if (children.length === 1) return made(children[0]!, depth)
  const isFenced = children.some(({ name, attributes }) => name === 'mo' && isStretched(attributes))
  const c = children.flatMap((child, index) => (isSkipped(child, children[index - 1]) ? [] : [made(child, depth + 1)]))
  return isFenced ? { m: 'fenced', c } : { m: 'row', c }
}

/** Whether a delimiter is stretched: it is, unless its attributes say otherwise. */
const isStretched = ({ stretchy, fence, form }: Element['attributes']) =>
  fence === 'true' && (stretchy === 'true' || (stretchy === undefined && form === undefined))

/** Whether a child is left out: the name of a function brings its own space, and invisible operators are not drawn. */
function isSkipped(child: Element, before: Element | undefined): boolean {
  const text = textOf(child)
  if (child.name === 'mo') return text === '' || text === applied
  return child.name === 'mspace' && before?.name === 'mo' && textOf(before) === applied
}

const applied = '\u2061'

const two = ({ children }: Element): [Element, Element] => {
  const [first, second] = children.filter((child): child is Element => typeof child !== 'string')
  if (!first || !second) throw new NotDrawn()
  return [first, second]
}

const three = (element: Element): [Element, Element, Element] => {
  const third = childrenOf(element)[2]
  if (!third) throw new NotDrawn()
  return [...two(element), third]
}

const attach = (to: MathNode, parts: { above?: MathNode; below?: MathNode; primes?: number }, isLimits: boolean) => ({
  m: 'attached' as const,
  to,
  above: parts.above ?? null,
  below: parts.below ?? null,
  primes: parts.primes ?? 0,
  isLimits,
})

/** Returns what is above an element. Primes are counted separately, because they are raised already. */
function raised(element: Element, depth: number): { above?: MathNode; primes?: number } {
  const parts = element.name === 'mrow' ? childrenOf(element) : [element]
  const isPrime = (part: Element) => part.name === 'mo' && /^[′″‴⁗]+$/.test(textOf(part))
  const primes = parts.filter(isPrime).reduce((sum, part) => sum + countPrimes(textOf(part)), 0)
  const others = parts.filter((part) => !isPrime(part))
  if (primes === 0) return { above: made(element, depth) }
  return { primes, ...(others.length > 0 && { above: { m: 'row', c: others.map((part) => made(part, depth + 1)) } }) }
}

const countPrimes = (text: string) => [...text].reduce((sum, sign) => sum + '′″‴⁗'.indexOf(sign) + 1, 0)

const braces: Readonly<Record<string, 'overbrace' | 'underbrace' | 'overline' | 'underline'>> = {
  '⏞': 'overbrace',
  '⏟': 'underbrace',
  '‾': 'overline',
  _: 'underline',
}

function over(element: Element, depth: number): MathNode {
  const [base, mark] = two(element)
  const sign = mark.name === 'mo' ? textOf(mark) : ''
  const of = made(base, depth + 1)
  if (mark.attributes['stretchy'] === 'true' && braces[sign]) return { m: 'marked', of, mark: braces[sign] }
  if (mark.attributes['stretchy'] !== undefined && [...sign].length === 1) return { m: 'accent', of, mark: sign }
  return attach(of, { above: made(mark, depth + 1) }, true)
}

function under(element: Element, depth: number): MathNode {
  const [base, mark] = two(element)
  const of = made(base, depth + 1)
  const brace = mark.name === 'mo' ? braces[textOf(mark)] : undefined
  return brace ? { m: 'marked', of, mark: brace } : attach(of, { below: made(mark, depth + 1) }, true)
}

function table(element: Element, depth: number): MathNode {
  const lines = childrenOf(element)
  const cells = lines.map((each) => childrenOf(each))
  const rows = cells.map((each) =>
    each.map((cell) => made({ name: 'mrow', attributes: {}, children: cell.children }, depth + 1)),
  )
  if (rows.length === 1 && lines[0]!.attributes['class']?.includes('tml-tageqn')) return numbered(rows[0]!)
  const align = (cells[0] ?? []).map(sideOf)
  // The sides of equations: aligned right, left, right, and so on.
  const isAligned = align.length > 1 && align.every((side, index) => side === (index % 2 === 0 ? 'right' : 'left'))
  if (isAligned && depth === 0) return { m: 'aligned', rows }
  return { m: 'table', rows, align, isTight: isAligned, lines: linesOf(cells) }
}

const sideOf = ({ attributes }: Element): Side => {
  const [, side] = /tml-(left|right)/.exec(attributes['class'] ?? '') ?? []
  return side === 'left' || side === 'right' ? side : 'center'
}

/** Puts the number of an equation after it. */
const numbered = (cells: MathNode[]): MathNode => ({
  m: 'row',
  c: cells.flatMap((cell, index): MathNode[] =>
    index === 0 ? [cell] : [{ m: 'space', em: index === 1 ? 0 : 2 }, cell],
  ),
})

/** Returns only the lines between cells: the typesetter draws none around the whole table. */
function linesOf(cells: Element[][]): { h: number[]; v: number[] } {
  const has = (cell: Element | undefined, side: string) => (cell?.attributes['style'] ?? '').includes(`border-${side}:`)
  const [first = []] = cells
  const h = cells.flatMap((row, index) =>
    index > 0 && (has(row[0], 'top') || has(cells[index - 1]![0], 'bottom')) ? [index] : [],
  )
  const v = first.flatMap((cell, index) =>
    index > 0 && (has(cell, 'left') || has(first[index - 1], 'right')) ? [index] : [],
  )
  return { h, v }
}

const notations: Readonly<Record<string, 'overline' | 'underline' | 'cancel'>> = {
  top: 'overline',
  bottom: 'underline',
  updiagonalstrike: 'cancel',
  downdiagonalstrike: 'cancel',
}

/** How each element is drawn. A formula with any other element is printed as it was written. */
const makers: Readonly<Record<string, Make>> = {
  math: row,
  mrow: row,
  mstyle: row,
  mpadded: row,
  mphantom: (element, depth) => ({ m: 'hidden', c: [row(element, depth + 1)] }),
  mi: (element) => {
    const text = textOf(element)
    if ([...text].length > 1) return { m: 'word', text }
    return { m: element.attributes['mathvariant'] === 'normal' ? 'text' : 'symbol', text }
  },
  mn: (element) => ({ m: 'text', text: textOf(element) }),
  mtext: (element) => ({ m: 'text', text: textOf(element).replaceAll('\u00a0', ' ') }),
  mo: ({ attributes, ...element }) => {
    const text = textOf({ ...element, attributes })
    const isOne = [...text].length === 1
    if (isOne && attributes['fence'] === 'true' && attributes['form'] === 'infix') return { m: 'mid', text }
    return { m: isOne ? 'symbol' : 'text', text }
  },
  mspace: ({ attributes }) => {
    const [, em] = /^(-?[\d.]+)em$/.exec(attributes['width'] ?? '') ?? []
    return { m: 'space', em: Math.max(-2, Math.min(10, Number(em ?? 0))) }
  },
  mfrac: (element, depth) => {
    const [upper, lower] = two(element)
    const hasLine = !(element.attributes['linethickness'] ?? '').startsWith('0')
    return { m: 'fraction', over: made(upper, depth + 1), under: made(lower, depth + 1), hasLine }
  },
  msqrt: (element, depth) => ({ m: 'root', of: row(element, depth + 1), degree: null }),
  mroot: (element, depth) => {
    const [of, degree] = two(element)
    return { m: 'root', of: made(of, depth + 1), degree: made(degree, depth + 1) }
  },
  msup: (element, depth) => {
    const [base, upper] = two(element)
    return attach(made(base, depth + 1), raised(upper, depth + 1), false)
  },
  msub: (element, depth) => {
    const [base, lower] = two(element)
    return attach(made(base, depth + 1), { below: made(lower, depth + 1) }, false)
  },
  msubsup: (element, depth) => {
    const [base, lower, upper] = three(element)
    const parts = { below: made(lower, depth + 1), ...raised(upper, depth + 1) }
    return attach(made(base, depth + 1), parts, false)
  },
  mover: over,
  munder: under,
  munderover: (element, depth) => {
    const [base, lower, upper] = three(element)
    const parts = { below: made(lower, depth + 1), above: made(upper, depth + 1) }
    return attach(made(base, depth + 1), parts, true)
  },
  menclose: (element, depth) => {
    const mark = notations[element.attributes['notation'] ?? '']
    if (mark) return { m: 'marked', of: row(element, depth + 1), mark }
    const inside = row(element, depth)
    return element.attributes['notation'] === 'box' ? { m: 'boxed', of: inside } : inside
  },
  mtable: table,
}
