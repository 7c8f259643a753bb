/** A query in the structure of PostgreSQL's `tsquery`, before it is serialized. */
export type Node = Lexeme | { readonly all: readonly Node[] } | Any | { readonly phrase: readonly Step[] }

export interface Lexeme {
  readonly lexeme: string
  readonly prefix: boolean
}

export interface Any {
  readonly any: readonly Node[]
  /** Preferred where both match in the same place. */
  readonly rather?: Node
  /** The alternatives are ranked by this node instead of by themselves. */
  readonly by?: Node
  /** There are many alternatives, all equally good: they are ranked as one. */
  readonly isAlike?: true
  /**
   * The term exactly as it was written. The alternatives match only what remains of it, so rows that match this come
   * first.
   */
  readonly exactly?: Node
  /** All words as they were written, one directly after the other. */
  readonly verbatim?: Node
}

/** What is searched for, and the lexeme of a page with exactly that title (`nameLexeme`). */
export interface Sought {
  readonly node: Node
  readonly name: string
}

/** A word of a phrase, and its distance from the word before it. */
export interface Step {
  readonly node: Node
  readonly behind: number
}

export const whole = (lexeme: string): Node => ({ lexeme, prefix: false })
export const beginning = (lexeme: string): Node => ({ lexeme, prefix: true })

/** Returns undefined if there is nothing to search for. */
export function all(nodes: readonly (Node | undefined)[]): Node | undefined {
  return combine(nodes, (some) => ({ all: some }))
}

export function any(nodes: readonly (Node | undefined)[]): Node | undefined {
  return combine(nodes, (some) => ({ any: some }))
}

function combine(nodes: readonly (Node | undefined)[], make: (some: Node[]) => Node): Node | undefined {
  const byText = new Map(nodes.flatMap((node) => (node ? [[queryText(node), node] as const] : [])))
  const some = [...byText.values()]
  return some.length > 1 ? make(some) : some[0]
}

export function phrase(steps: readonly Step[]): Node | undefined {
  return steps.length > 1 ? { phrase: steps } : steps[0]?.node
}

/** Finds `wide`, and ranks matches of `narrow` first. */
export const rather = (narrow: Node, wide: Node): Any => ({ any: [wide], rather: narrow })

/** Finds `wide`, ranked by how much of `by` the rows contain and how close together. */
export const rankedBy = (by: Node, wide: Node): Any => ({ any: [wide], by })

/** Finds `wide`. Rows that contain `exact`, wherever they contain it, come before all others. */
export const exactly = (exact: Node, wide: Node): Any => ({ any: [wide], exactly: exact })

/** `weights` restricts where the words may occur: A in the title of the page, B in the heading, D in the body. */
export function queryText(node: Node, weights = ''): string {
  if ('lexeme' in node) {
    const mark = (node.prefix ? '*' : '') + weights
    return `'${node.lexeme.replace(/['\\]/g, '$&$&')}'${mark && `:${mark}`}`
  }
  if ('all' in node) return `(${node.all.map((each) => queryText(each, weights)).join(' & ')})`
  if ('any' in node) return `(${node.any.map((each) => queryText(each, weights)).join(' | ')})`
  const [first, ...rest] = node.phrase
  return `(${rest.reduce((text, step) => `${text} <${step.behind}> ${queryText(step.node, weights)}`, queryText(first!.node, weights))})`
}

/** Lists the nodes below this one that match text exactly as it was written, in the given way. */
export function writtenIn(node: Node, how: 'exactly' | 'verbatim'): Node[] {
  if ('all' in node) return node.all.flatMap((each) => writtenIn(each, how))
  if (!('any' in node)) return []
  const inside = [...(node.rather ? [node.rather] : []), ...(node.by ? [node.by] : node.any)].flatMap((each) =>
    writtenIn(each, how),
  )
  return node[how] ? [node[how], ...inside] : inside
}

/** Lists all lexemes that the query asks for. */
export function lexemesIn(node: Node): Lexeme[] {
  if ('lexeme' in node) return [node]
  if ('all' in node) return node.all.flatMap(lexemesIn)
  if ('any' in node) return node.any.flatMap(lexemesIn)
  return node.phrase.flatMap((step) => lexemesIn(step.node))
}
