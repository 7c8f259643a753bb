import { type Block, type BlockOf, everyBlock } from '../../content/blocks.ts'
import { toPlainText } from '../../content/text.ts'
import type { Inside } from './blocks.ts'
import type { Node } from './nodes.ts'

/** Side by side, or where that would be too narrow for what is in them, one after the other. */
export function printColumns({ blocks }: BlockOf<'columns'>, inside: Inside): Node[] {
  const columns = blocks.filter((block) => block.type === 'column')
  const isBeside = columns.length === blocks.length && columns.length > 1 && columns.length <= mostBeside
  if (!isBeside || !columns.every((column) => isNarrow(column.blocks, columns.length))) return inside.blocks(blocks)
  return [{ t: 'columns', widths: widthsOf(columns), items: columns.map((column) => inside.blocks(column.blocks)) }]
}

const mostBeside = 3

/** Code, tables and the like want all of the sheet. */
const narrow = new Set<Block['type']>(
  'content-ref details divider embed file footnote heading hint images list list-item paragraph quote'.split(
    ' ',
  ) as Block['type'][],
)

/** How many letters of headings stand in a line. */
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

/** In percent. Those that do not say it share the rest; none is too narrow to be read. */
function widthsOf(columns: readonly BlockOf<'column'>[]): number[] {
  const said = columns.map(({ width = '' }) => (/^\d+(\.\d+)?%$/.test(width) ? Number.parseFloat(width) : undefined))
  const rest = 100 - said.reduce<number>((all, width) => all + (width ?? 0), 0)
  const silent = said.filter((width) => width === undefined).length
  return said.map((width) => Math.max(leastWidth, width ?? rest / silent))
}

const leastWidth = 25
