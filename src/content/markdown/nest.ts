/** Something that opens or closes: a `{% tag %}`, an HTML tag. Only marks of the same name belong together. */
export interface Mark {
  readonly name: string
  readonly closes: boolean
}

export type Piece<Node> = Node | Pair<Node>

/** Two marks and the nodes between them. */
export class Pair<Node> {
  readonly open: Node
  readonly close: Node
  readonly inside: Piece<Node>[]

  constructor(open: Node, close: Node, inside: Piece<Node>[]) {
    this.open = open
    this.close = close
    this.inside = inside
  }
}

/**
 * Turns a flat run of siblings into a tree, in linear time however many marks stay open. A closing mark belongs to the
 * nearest open one of its name; marks opened in between and never closed remain what they are, single nodes.
 */
export function nest<Node>(
  nodes: readonly Node[],
  markOf: (node: Node) => Mark | undefined,
  maxDepth: number,
): Piece<Node>[] {
  const closes = matchMarks(nodes, markOf)
  return closes.size === 0 ? [...nodes] : build(nodes, closes, 0, nodes.length, maxDepth)
}

/** Maps the index of each opening mark that is closed to the index of its closing mark. */
export function matchMarks<Node>(
  nodes: readonly Node[],
  markOf: (node: Node) => Mark | undefined,
): Map<number, number> {
  const closes = new Map<number, number>()
  const open: { name: string; index: number }[] = []
  const waiting = new Map<string, number>()
  nodes.forEach((node, index) => {
    const mark = markOf(node)
    if (!mark) return
    const count = waiting.get(mark.name) ?? 0
    if (!mark.closes) {
      open.push({ name: mark.name, index })
      waiting.set(mark.name, count + 1)
    } else if (count > 0) {
      for (let last = open.pop(); last; last = open.pop()) {
        waiting.set(last.name, (waiting.get(last.name) ?? 1) - 1)
        if (last.name !== mark.name) continue
        closes.set(last.index, index)
        break
      }
    }
  })
  return closes
}

function build<Node>(
  nodes: readonly Node[],
  closes: ReadonlyMap<number, number>,
  start: number,
  end: number,
  depthLeft: number,
): Piece<Node>[] {
  const pieces: Piece<Node>[] = []
  for (let index = start; index < end; index++) {
    const node = nodes[index] as Node
    const close = closes.get(index)
    if (close === undefined || depthLeft <= 0) {
      pieces.push(node)
    } else {
      pieces.push(new Pair(node, nodes[close] as Node, build(nodes, closes, index + 1, close, depthLeft - 1)))
      index = close
    }
  }
  return pieces
}
