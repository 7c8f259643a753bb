import type * as hast from 'hast'
import { withAddresses } from '../../content/html/addresses.ts'
import { childElements, findElements } from '../../content/html/find.ts'
import { readFragment } from '../../content/html/fragment.ts'
import { sanitize } from '../../content/html/sanitize.ts'
import { htmlToInlines } from '../../content/html/to-inlines.ts'
import type { Inline } from '../../content/inlines.ts'
import { isBlank } from '../../content/inlines/text.ts'
import { limits } from '../../content/limits.ts'
import type { Inside } from './blocks.ts'
import type { GridCell, Node } from './nodes.ts'
import { paragraph } from './paragraph.ts'
import { fitColumns } from './tables.ts'

/** Prints HTML of an author that is not a block: its tables, and a paragraph for each text between them. */
export function printHtml(source: string, inside: Inside): Node[] {
  const tree = readFragment(source)
  // Addresses are kept here, and resolved when their words are printed.
  withAddresses(tree, { link: (href) => href, image: (src) => src })
  return printNodes(sanitize(tree).children, inside)
}

function printNodes(nodes: readonly hast.Nodes[], inside: Inside): Node[] {
  const printed: Node[] = []
  let run: hast.Nodes[] = []
  const flush = () => {
    const inlines = htmlToInlines(run)
    if (!isBlank(inlines)) printed.push(paragraph(inside.words(inlines), inside.printing))
    run = []
  }
  const apart = (nodes: readonly Node[]) => {
    flush()
    for (const node of nodes) printed.push(node)
  }
  for (const node of nodes) {
    if (node.type !== 'element') run.push(node)
    else if (node.tagName === 'table') apart(printGrid(node, inside) ?? printNodes(cellsOf(node), inside))
    else if (node.tagName === 'hr') apart([{ t: 'rule' }])
    else if (ownLine.has(node.tagName)) apart(printNodes(node.children, inside))
    else run.push(node)
  }
  flush()
  return printed
}

/**
 * Elements that begin on a line of their own, as does their content. Lists are not included: they are printed with the
 * words around them.
 */
const ownLine = new Set(
  'article aside blockquote caption center dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 p pre section summary td th'.split(
    ' ',
  ),
)

const cellsOf = (table: hast.Element): hast.Nodes[] => [...findElements(table, ['caption', 'td', 'th'])]

/** More columns than this do not fit on any sheet. */
const maxColumns = 40
const maxSpan = 100

/** Prints a table whose cells may span rows and columns. Undefined if it has no cells, or is too large. */
function printGrid(table: hast.Element, inside: Inside): Node[] | undefined {
  const rows = [...findElements(table, ['tr'])].map((row) =>
    childElements(row).filter(({ tagName }) => tagName === 'td' || tagName === 'th'),
  )
  const placed = placeCells(rows)
  if (!placed) return undefined
  // A column in which no cell begins results only from a span that is wider than the table.
  const starts = [...new Set(placed.map(({ x }) => x))].toSorted((a, b) => a - b)
  if (starts.length === 0 || starts.length > maxColumns) return undefined
  const columnOf = new Map(starts.map((start, index) => [start, index]))
  const texts: Inline[][][] = rows.map(() => [])
  const laid = placed.map(({ element, x, y, width, height }) => {
    const w = starts.filter((start) => start >= x && start < x + width).length
    const column = columnOf.get(x) ?? 0
    const inlines = htmlToInlines(element.children)
    // The text of a cell that spans several columns does not show how wide each of them should be.
    if (w === 1) texts[y]![column] = inlines
    return { element, inlines, x: column, y, w, h: height }
  })
  const { widths, narrow } = fitColumns(texts, starts.length, inside)
  const cells = laid.map(({ element, inlines, x, y, w, h }): GridCell => {
    const words = inside.words(inlines)
    return {
      x,
      y,
      w,
      h,
      isHead: element.tagName === 'th',
      align: typeof element.properties['align'] === 'string' ? element.properties['align'] : 'start',
      c: narrow(words, x, w),
    }
  })
  const captions = [...findElements(table, ['caption'])].flatMap((caption) => printNodes(caption.children, inside))
  return [...captions, { t: 'grid', columns: starts.length, widths, cells }]
}

interface Placed {
  element: hast.Element
  x: number
  y: number
  width: number
  height: number
}

/** Places cells as browsers do: each at the first free position of its row. */
function placeCells(rows: readonly (readonly hast.Element[])[]): Placed[] | undefined {
  const taken = rows.map(() => new Set<number>())
  const placed: Placed[] = []
  let area = 0
  for (const [y, row] of rows.entries()) {
    let x = 0
    for (const element of row) {
      while (taken[y]?.has(x)) x++
      let width = spanOf(element.properties['colSpan'], maxSpan)
      const height = spanOf(element.properties['rowSpan'], rows.length - y)
      // The cell ends where a cell from a row above has taken the space.
      for (let at = 1; at < width; at++) if (taken[y]?.has(x + at)) width = at
      area += width * height
      if (area > limits.tableCells) return undefined
      for (let down = 0; down < height; down++) for (let at = 0; at < width; at++) taken[y + down]?.add(x + at)
      placed.push({ element, x, y, width, height })
      x += width
    }
  }
  return placed
}

/** Parses a span. A missing or invalid one counts as 1; zero means all that is left. */
function spanOf(value: unknown, most: number): number {
  const span = Number(value ?? 1)
  return Number.isInteger(span) && span >= 0 ? Math.min(span || most, most) : 1
}
