/** A formula that would write, or become, far more than there is in it. */
export class TooLarge extends Error {}

interface Token {
  text: string
}

/** What the library replaces macros with, one for each formula. Not part of its interface: look here if you upgrade. */
export interface Expander {
  _getExpansion: (this: Expander, name: string) => { tokens: readonly Token[] } | null | undefined
  consumeArgs: (this: Expander, count: number, delimiters?: unknown) => (readonly Token[])[]
}

/** How many tokens the macros of a formula may write. Those of the library write a few each. */
const mostWritten = 20_000

/** What chemical formulas and units may consist of: reading them takes time that grows with the square of this. */
const longestRead = 500

/**
 * The library limits how often macros are used, but not how much they write: a formula could define a long one, and
 * write a thousand times as much as there is, for many seconds.
 */
export function limitMacros(prototype: Expander): void {
  const { _getExpansion: getExpansion, consumeArgs } = prototype
  // If they had other names, nothing would call what replaces them.
  if (typeof getExpansion !== 'function' || typeof consumeArgs !== 'function')
    throw new Error('The macros of formulas cannot be limited')
  const bodies = new WeakMap<Expander, readonly Token[]>()
  const written = new WeakMap<Expander, number>()

  prototype._getExpansion = function (name) {
    bodies.delete(this)
    const expansion = getExpansion.call(this, name)
    if (expansion) bodies.set(this, expansion.tokens)
    return expansion
  }

  // Called for each macro before its text is put together, and by macros that are functions.
  prototype.consumeArgs = function (count, delimiters) {
    const body = bodies.get(this)
    const given = consumeArgs.call(this, count, delimiters)
    const longest = Math.max(0, ...given.map(({ length }) => length))
    if (!body && longest > longestRead) throw new TooLarge('A macro of this formula is given too much')
    const places = body?.filter(({ text }) => text === '#').length ?? 0
    const sum = (written.get(this) ?? 0) + (body?.length ?? 0) + places * longest
    if (sum > mostWritten) throw new TooLarge('The macros of this formula write too much')
    written.set(this, sum)
    return given
  }
}
