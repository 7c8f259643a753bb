import { type Block, type BlockOf, everyBlock } from '../../content/blocks.ts'
import { toPlainText } from '../../content/text.ts'
import type { Inside } from './blocks.ts'
import type { Node } from './nodes.ts'

/** Prints columns side by side, or one after the other if that would be too narrow for their content. */
export function printColumns({ blocks }: BlockOf<'columns'>, inside: Inside): Node[] {
  const columns = blocks.filter((block) => block.type === 'column')
  const isBeside = columns.length === blocks.length && columns.length > 1 && columns.length <= mostBeside
  if (!isBeside || !columns.every((column) => isNarrow(column.blocks, columns.length))) return inside.blocks(blocks)
  return [{ t: 'columns', widths: widthsOf(columns), items: columns.map((column) => inside.blocks(column.blocks)) }]
}

const mostBeside = 3

/** The blocks that fit into a narrow column. Code, tables and the like need the whole sheet. */
const narrow = new Set<Block['type']>(
  'content-ref details divider embed file footnote heading hint images list list-item paragraph quote'.split(
    ' ',
  ) as Block['type'][],
)

/** How many letters of a heading fit in a line. */
const lettersOfLine = 60

function isNarrow(blocks: readonly Block[], columns: number): boolean {
  const most = lettersOfLine / columns
  return (
    [...everyBlock(blocks)].every(({ type }) => narrow.has(type)) &&
    toPlainText(blocks)
      .split(/\s+/)
      .every((word) => word.length <= most)
  )
}

/** Returns the widths in percent. Columns without a width share the rest; none becomes too narrow to read. */
function widthsOf(columns: readonly BlockOf<'column'>[]): number[] {
  const said = columns.map(({ width = '' }) => (/^\d+(\.\d+)?%$/.test(width) ? Number.parseFloat(width) : undefined))
  const rest = 100 - said.reduce<number>((all, width) => all + (width ?? 0), 0)
  const silent = said.filter((width) => width === undefined).length
  return said.map((width) => Math.max(leastWidth, width ?? rest / silent))
}

const leastWidth = 25
