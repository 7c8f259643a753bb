/**
 * SQL as a tagged template. A value in `${}` becomes a parameter, never text; a nested `sql` is inserted in its place.
 * Each distinct text gets one statement name, so PostgreSQL parses and plans it once per connection.
 */
export class Statement<Row = unknown> {
  declare readonly row: Row
  readonly #strings: TemplateStringsArray
  readonly #parts: readonly unknown[]
  /** How the statement is run: most are short, planned once, and share connections. */
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

  /** On a connection of its own, since it may read a lot, but with one plan for all values. */
  asLong(): Statement<Row> {
    return new Statement<Row>(this.#strings, this.#parts, 'long')
  }

  get isPlannedAnew(): boolean {
    return this.#kind === 'slow'
  }

  /**
   * Whether other statements may be queued behind it on the same connection. Not behind one that writes or locks,
   * however short it is: it may wait for another transaction, and all statements behind it would wait along.
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
    // A statement that is planned anew is sent without a name. Its text can be composed in as many ways as there are
    // requests, so no such text is cached.
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
  /** Whether it writes or locks something. */
  mayWait: boolean
}

export interface Compiled extends Named {
  values: readonly unknown[]
}

export function sql<Row = unknown>(strings: TemplateStringsArray, ...parts: unknown[]): Statement<Row> {
  return new Statement<Row>(strings, parts)
}

/** An empty fragment, for a condition that does not apply. */
export const nothing = sql``

/** Joins fragments, with `separator` between them. */
export function join(fragments: Statement[], separator: Statement): Statement {
  return fragments.reduce((all, next) => sql`${all}${separator}${next}`)
}

/**
 * Matches texts that contain `part`, regardless of case and of how accents are encoded. Wildcards of LIKE in `part` are
 * escaped.
 */
export function contains(text: Statement, part: string): Statement {
  // Texts are stored as they came: a text copied from a file name may have its accents as separate characters.
  const forms = new Set([part, part.normalize('NFC'), part.normalize('NFD')])
  const found = [...forms].map((form) => {
    // The database lowers both sides: what it takes for a letter, and so its `lower`, depends on its locale.
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
