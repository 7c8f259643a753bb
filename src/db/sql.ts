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
  #compiled: Compiled | undefined

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

  /**
   * Whether others may stand behind it on the same connection. Not behind what writes or locks, however short it is: that
   * may wait for somebody else's transaction, and all of them would wait along.
   */
  get isShort(): boolean {
    return this.#kind === 'short' && !this.compile().mayWait
  }

  compile(): Compiled {
    return (this.#compiled ??= this.#compile())
  }

  #compile(): Compiled {
    if (!this.#parts.some((part) => part instanceof Statement)) {
      let found = flat.get(this.#strings)
      if (!found)
        flat.set(this.#strings, (found = named(this.#strings.reduce((text, next, i) => `${text}$${i}${next}`))))
      return { ...found, values: this.#parts }
    }
    const values: unknown[] = []
    const text = this.#text(values)
    // It is sent without a name, and may be put together in as many ways as somebody can ask: none of them is kept.
    return { ...(this.isPlannedAnew ? { text, name: '', mayWait: writesOrLocks.test(text) } : named(text)), values }
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

interface Named {
  text: string
  name: string
  /** It writes or locks something. */
  mayWait: boolean
}

export interface Compiled extends Named {
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

/** Whether a text contains another one, in any case, whatever signs stand in that, and however accents are written. */
export function contains(text: Statement, part: string): Statement {
  // Texts are kept as they came: what was copied from the name of a file may have its accents as signs of their own.
  const forms = new Set([part, part.normalize('NFC'), part.normalize('NFD')])
  const found = [...forms].map((form) => {
    // Both by the database: what it takes for a letter, and so its `lower`, depends on its locale.
    return sql`lower(${text}) like lower(${`%${form.replace(/[\\%_]/g, '\\$&')}%`})`
  })
  return found.length === 1 ? found[0]! : sql`(${join(found, sql` or `)})`
}

const flat = new WeakMap<TemplateStringsArray, Named>()
const known = new Map<string, Named>()

const writesOrLocks =
  /\b(?:insert\s+into|update\s+\S+\s+(?:(?:as\s+)?\S+\s+)?set|delete\s+from|for\s+(?:no\s+key\s+update|update|share|key\s+share)|pg_advisory)/

function named(text: string): Named {
  let found = known.get(text)
  if (!found) known.set(text, (found = { text, name: `s${known.size}`, mayWait: writesOrLocks.test(text) }))
  return found
}
