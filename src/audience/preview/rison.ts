/** Describes what is wrong with a Rison text, and where. */
export class RisonError extends Error {}

const maxDepth = 16

/**
 * Parses Rison, a form of JSON that stays readable in an address: `(plan:pro,beta:!t,roles:!(a,'b c'))`. The
 * parentheses of an object may be missing.
 */
export function readRison(text: string): unknown {
  const reader = new Reader(text)
  return text.startsWith('(') || text.startsWith('!') ? reader.whole() : reader.wholeObject()
}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  whole(): unknown {
    const value = this.#value(0)
    if (this.#at < this.#text.length) this.#refuse('the end')
    return value
  }

  wholeObject(): unknown {
    return this.#object(0, undefined)
  }

  #value(depth: number): unknown {
    if (depth > maxDepth) throw new RisonError(`is nested more than ${maxDepth} deep`)
    const next = this.#text[this.#at]
    if (next === '(') {
      this.#at++
      return this.#object(depth, ')')
    }
    if (next === "'") return this.#quoted()
    if (next === '!') return this.#special(depth)
    return this.#word()
  }

  /** Parses an object up to `end`, or to the end of the text. */
  #object(depth: number, end: string | undefined): Record<string, unknown> {
    const entries: [string, unknown][] = []
    while (this.#text[this.#at] !== end) {
      if (entries.length > 0) this.#expect(',')
      const key = this.#text[this.#at] === "'" ? this.#quoted() : String(this.#word())
      this.#expect(':')
      entries.push([key, this.#value(depth + 1)])
    }
    if (end !== undefined) this.#at++
    return Object.fromEntries(entries)
  }

  #special(depth: number): unknown {
    const letter = this.#text[this.#at + 1]
    this.#at += 2
    switch (letter) {
      case 't':
        return true
      case 'f':
        return false
      case 'n':
        return null
      case '(': {
        const items: unknown[] = []
        while (this.#text[this.#at] !== ')') {
          if (items.length > 0) this.#expect(',')
          items.push(this.#value(depth + 1))
        }
        this.#at++
        return items
      }
      default:
        this.#at--
        return this.#refuse('!t, !f, !n or !(')
    }
  }

  #quoted(): string {
    const [match, inside = ''] = this.#match(/'((?:[^'!]|![!'])*)'/y)
    if (match === undefined) return this.#refuse("a text that ends in '")
    this.#at += match.length
    return inside.replace(/!([!'])/g, '$1')
  }

  #word(): string | number {
    const [word] = this.#match(/[^'!:(),*@$\s]+/y)
    if (word === undefined) return this.#refuse('a value')
    this.#at += word.length
    return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e-?\d+)?$/.test(word) ? Number(word) : word
  }

  #match(pattern: RegExp): (string | undefined)[] {
    pattern.lastIndex = this.#at
    return pattern.exec(this.#text) ?? []
  }

  #expect(character: string): void {
    if (this.#text[this.#at] !== character) this.#refuse(character)
    this.#at++
  }

  #refuse(wanted: string): never {
    throw new RisonError(`expected ${wanted} at character ${this.#at + 1}`)
  }
}
