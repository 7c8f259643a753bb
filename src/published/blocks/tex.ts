import { packageOnFirstUse } from '../../on-first-use.ts'

interface Library {
  renderToString(formula: string, options: object): string
}

const temml = packageOnFirstUse<Library>('temml')

/** Writes a formula in TeX as MathML. Throws if it cannot be read. Nothing in it leads anywhere or runs. */
export function mathMLOf(formula: string, displayMode: boolean): string {
  limitMacros()
  return temml().renderToString(formula, {
    displayMode,
    throwOnError: true,
    trust: false,
    annotate: false,
    maxExpand: 200,
  })
}

/** How many tokens the macros of a formula may write. Those of the library write a few each. */
const mostWritten = 20_000

interface Token {
  text: string
}

/** What the library replaces macros with, one for each formula. */
interface Expander {
  _getExpansion: (this: Expander, name: string) => { tokens: readonly Token[] } | null | undefined
  consumeArgs: (this: Expander, count: number, delimiters?: unknown) => (readonly Token[])[]
}

let areLimited = false

/**
 * The library limits how often macros are used, but not how much they write: a formula could define a long one, and
 * write a thousand times as much as there is, for many seconds. The class that does this is only reachable through a
 * macro.
 */
function limitMacros(): void {
  if (areLimited) return
  const reach = (expander: Expander) => {
    limit(Object.getPrototypeOf(expander) as Expander)
    return ''
  }
  temml().renderToString('\\reach', { macros: { '\\reach': reach } })
  areLimited = true
}

function limit(prototype: Expander): void {
  const { _getExpansion: getExpansion, consumeArgs } = prototype
  const bodies = new WeakMap<Expander, readonly Token[]>()
  const written = new WeakMap<Expander, number>()

  prototype._getExpansion = function (name) {
    bodies.delete(this)
    const expansion = getExpansion.call(this, name)
    if (expansion) bodies.set(this, expansion.tokens)
    return expansion
  }

  // Called for each macro before its text is put together.
  prototype.consumeArgs = function (count, delimiters) {
    const body = bodies.get(this) ?? []
    const given = consumeArgs.call(this, count, delimiters)
    const longest = Math.max(0, ...given.map(({ length }) => length))
    const places = body.filter(({ text }) => text === '#').length
    const sum = (written.get(this) ?? 0) + body.length + places * longest
    if (sum > mostWritten) throw new Error('The macros of this formula write too much')
    written.set(this, sum)
    return given
  }
}
