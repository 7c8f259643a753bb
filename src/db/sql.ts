/**
 * SQL as a tagged template. What stands in `${}` becomes a parameter, never text; a nested `sql` is put in its place.
 * Each distinct text gets a statement name once, so PostgreSQL parses and plans it once per connection.
 */
export class Statement<Row = unknown> {
  declare readonly row: Row
  readonly #strings: TemplateStringsArray
  readonly #parts: readonly unknown[]
  /** How it is treated: most are short, planned once, and share connections. */
  readonly #kind: 'short' | 'long' | 'slow'

  constructor(strings: TemplateStringsArray, parts: readonly unknown[], kind: 'short' | 'long' | 'slow' = 'short') {
    this.#strings = strings
    this.#parts = parts
    this.#kind = kind
  }

  /** Planned anew for each set of values, on a connection of its own: for ranges, and for reads of whole tables. */
  asSlow(): Statement<Row> {
    return new Statement<Row>(this.#strings, this.#parts, 'slow')
  }

  /** On a connection of its own, since there may be much to read; but one plan is right for all values. */
  asLong(): Statement<Row> {
    return new Statement<Row>(this.#strings, this.#parts, 'long')
  }

  get isPlannedAnew(): boolean {
    return this.#kind === 'slow'
  }

  get isShort(): boolean {
    return this.#kind === 'short'
  }

  compile(): Compiled {
    if (!this.#parts.some((part) => part instanceof Statement)) {
      let known = flat.get(this.#strings)
      if (!known)
        flat.set(this.#strings, (known = named(this.#strings.reduce((text, next, i) => `${text}$${i}${next}`))))
      return { ...known, values: this.#parts }
    }
    const values: unknown[] = []
    return { ...named(this.#text(values)), values }
  }

  #text(values: unknown[]): string {
    let text = this.#strings[0]!
    this.#parts.forEach((part, i) => {
      text += part instanceof Statement ? part.#text(values) : `$${values.push(part)}`
      text += this.#strings[i + 1]!
    })
    return text
  }
}

export interface Compiled {
  text: string
  name: string
  values: readonly unknown[]
}

export function sql<Row = unknown>(strings: TemplateStringsArray, ...parts: unknown[]): Statement<Row> {
  return new Statement<Row>(strings, parts)
}

/** Nothing: for a condition that does not apply. */
export const nothing = sql``

/** Fragments one after the other, with `separator` between them. */
export function join(fragments: Statement[], separator: Statement): Statement {
  return fragments.reduce((all, next) => sql`${all}${separator}${next}`)
}

const flat = new WeakMap<TemplateStringsArray, { text: string; name: string }>()
const names = new Map<string, string>()

function named(text: string): { text: string; name: string } {
  let name = names.get(text)
  if (!name) names.set(text, (name = `s${names.size}`))
  return { text, name }
}
