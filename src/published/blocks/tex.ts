import { packageOnFirstUse } from '../../on-first-use.ts'
import { type Expander, TooLarge, limitMacros } from './tex-macros.ts'

interface Library {
  renderToString(formula: string, options: object): string
  __parse(formula: string, options: object): unknown
}

const library = packageOnFirstUse<Library>('temml')

const options = { throwOnError: true, trust: false, annotate: false, maxExpand: 200 }

/**
 * Writes a formula in TeX as MathML. Throws if it cannot be read, or if it would write far more than there is in it: no
 * formula may block the server or exhaust its memory (docs/decisions/0032-formulas-are-limited.md). Nothing in it leads
 * anywhere or runs.
 */
export function mathMLOf(formula: string, displayMode: boolean): string {
  const temml = limited()
  limitParts(temml.__parse(formula, { ...options, displayMode }))
  return temml.renderToString(formula, { ...options, displayMode })
}

let areMacrosLimited = false

/** The class that replaces macros is only reachable through a macro. */
function limited(): Library {
  const temml = library()
  if (areMacrosLimited) return temml
  const reach = (expander: Expander) => {
    limitMacros(Object.getPrototypeOf(expander) as Expander)
    areMacrosLimited = true
    return ''
  }
  temml.renderToString('\\reach', { macros: { '\\reach': reach } })
  if (!areMacrosLimited) throw new Error('The macros of formulas are not limited')
  return temml
}

/** Many more than a formula has characters. */
const mostParts = 20_000

interface Part {
  type: unknown
  body?: unknown
  /** The columns of a table. */
  cols?: readonly unknown[]
}

/**
 * The library draws some parts more than once, within each other too, and it fills up all rows of a table to the length
 * of the first. A few hundred characters could become millions of elements.
 */
function limitParts(tree: unknown): void {
  let left = mostParts
  const inside = [tree]
  while (inside.length > 0) {
    const next = inside.pop()
    if (typeof next !== 'object' || next === null) continue
    if (isPart(next)) {
      left -= 1 + cellsOf(next)
      inside.push(...Array.from({ length: timesAgain[String(next.type)] ?? 0 }, () => next.body))
    }
    if (left < 0) throw new TooLarge('This formula would become too large')
    // Where a part is in the formula refers to all of it.
    for (const [name, value] of Object.entries(next)) if (name !== 'loc' && name !== 'token') inside.push(value)
  }
}

const isPart = (value: object): value is Part => 'type' in value

/** How many more times the body of a part is drawn. The library itself repeats the body of others in its tree. */
const timesAgain: Readonly<Record<string, number>> = { cancelto: 2, lap: 1 }

function cellsOf({ type, body, cols = [] }: Part): number {
  if (type !== 'array') return 0
  const rows = body as readonly (readonly unknown[])[]
  return rows.length * Math.max(rows[0]?.length ?? 0, cols.length)
}
