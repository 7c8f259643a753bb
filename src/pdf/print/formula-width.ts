import type { MathNode } from './formulas.ts'

/** About this many letters fill most of a line. */
const most = 50

/**
 * Whether a formula has a part that may be wider than a line. In running text, a formula breaks at the signs between
 * its parts.
 */
export function isWide(formula: MathNode): boolean {
  if (formula.m !== 'row') return widthOf(formula) > most
  let width = 0
  return formula.c.some((node) => {
    width = isSign(node) ? 0 : width + widthOf(node)
    return width > most
  })
}

const isSign = (node: MathNode) => node.m === 'symbol' && /^[-+=<>\p{Sm}\u2212]$/u.test(node.text)

/** The approximate width in letters. */
function widthOf(node: MathNode): number {
  switch (node.m) {
    case 'row':
    case 'hidden':
    case 'fenced':
      return sum(node.c)
    case 'fraction':
      return Math.max(widthOf(node.over), widthOf(node.under))
    case 'attached':
      return widthOf(node.to) + Math.max(small(node.above), small(node.below))
    case 'root':
      return 1 + widthOf(node.of)
    case 'accent':
    case 'marked':
    case 'boxed':
    case 'coloured':
      return widthOf(node.of)
    case 'table':
    case 'aligned':
      return node.rows.reduce((widest, row) => Math.max(widest, sum(row) + row.length), 0)
    case 'space':
      return node.em * 2
    default:
      return node.text.length
  }
}

const sum = (nodes: readonly MathNode[]) => nodes.reduce((width, node) => width + widthOf(node), 0)

const small = (node: MathNode | null) => (node ? widthOf(node) * 0.7 : 0)
