import type { Block } from './blocks.ts'
import type { TableColumn } from './blocks/table.ts'
import type { Inline } from './inlines.ts'

/** Returns inlines to put in the place of these, or the same list if nothing changes. */
export type ChangeInlines = (inlines: readonly Inline[], column?: TableColumn) => readonly Inline[]

/** Returns a block with its own inlines changed; blocks within it stay. Returns the same object if nothing changes. */
export function withOwnInlines(block: Block, change: ChangeInlines): Block {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return changed(block, 'inlines', change(block.inlines))
    case 'details':
      return changed(block, 'summary', change(block.summary))
    case 'images': {
      const images = block.images.map((image) =>
        image.caption ? changed(image, 'caption', change(image.caption)) : image,
      )
      return images.every((image, at) => image === block.images[at]) ? block : { ...block, images }
    }
    case 'table': {
      const rows = block.rows.map((row) => row.map((cell, at) => change(cell, block.columns[at])))
      const columns = block.columns.map((column) => ({ ...column, inlines: change(column.inlines) }))
      const isSame =
        rows.every((row, at) => row.every((cell, column) => cell === block.rows[at]?.[column])) &&
        columns.every((column, at) => column.inlines === block.columns[at]?.inlines)
      return isSame ? block : { ...block, columns, rows }
    }
    default:
      return block
  }
}

export function changed<B extends object, Field extends keyof B>(block: B, field: Field, value: B[Field]): B {
  return block[field] === value ? block : { ...block, [field]: value }
}
