/** A question as PostgreSQL asks it (`tsquery`), before it is text. */
export type Node = Lexeme | { readonly all: readonly Node[] } | Any | { readonly phrase: readonly Step[] }

export interface Lexeme {
  readonly lexeme: string
  readonly prefix: boolean
}

export interface Any {
  readonly any: readonly Node[]
  /** What is the better one of them, where they are in the same place. */
  readonly rather?: Node
  /** Ranked by this, and not by themselves. */
  readonly by?: Node
  /** There are many of them, and each is as good as the others: they are ranked as one. */
  readonly isAlike?: true
  /** What was written, and the others say only what is left of it: where this is comes first. */
  readonly exactly?: Node
  /** All of them, one behind the other, as they were written. */
  readonly verbatim?: Node
}

/** What is looked for, and what a page would be called that is just that (`nameLexeme`). */
export interface Sought {
  readonly node: Node
  readonly name: string
}

/** A word of a phrase, and how many places it stands behind the one before it. */
export interface Step {
  readonly node: Node
  readonly behind: number
}

export const whole = (lexeme: string): Node => ({ lexeme, prefix: false })
export const beginning = (lexeme: string): Node => ({ lexeme, prefix: true })

/** Nothing where there is nothing to ask for. */
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

/** `wide`, those with `narrow` first. */
export const rather = (narrow: Node, wide: Node): Any => ({ any: [wide], rather: narrow })

/** `wide`, by how much of `by` they have, and how near to each other. */
export const rankedBy = (by: Node, wide: Node): Any => ({ any: [wide], by })

/** `wide`, those that have `exact` before all others, wherever they have it. */
export const exactly = (exact: Node, wide: Node): Any => ({ any: [wide], exactly: exact })

/** `weights` says where the words must stand: A in the title of the page, B in the heading, D in the body. */
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

/** What of it was written just so, in either way. */
export function writtenIn(node: Node, how: 'exactly' | 'verbatim'): Node[] {
  if ('all' in node) return node.all.flatMap((each) => writtenIn(each, how))
  if (!('any' in node)) return []
  const inside = [...(node.rather ? [node.rather] : []), ...(node.by ? [node.by] : node.any)].flatMap((each) =>
    writtenIn(each, how),
  )
  return node[how] ? [node[how], ...inside] : inside
}

/** Everything that is asked for in it. */
export function lexemesIn(node: Node): Lexeme[] {
  if ('lexeme' in node) return [node]
  if ('all' in node) return node.all.flatMap(lexemesIn)
  if ('any' in node) return node.any.flatMap(lexemesIn)
  return node.phrase.flatMap((step) => lexemesIn(step.node))
}
