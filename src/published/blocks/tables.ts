import type { BlockOf } from '../../content/blocks.ts'
import type { TableCell, TableColumn } from '../../content/blocks/table.ts'
import { type Html, attributes, html } from '../../content/html/template.ts'
import type { Inline } from '../../content/inlines.ts'
import { plainText } from '../../content/inlines/text.ts'
import { iconNamed } from '../icons.ts'
import type { DrawBlock, Drawing } from './drawing.ts'
import { checkbox, sideOf } from './text.ts'

export const table: DrawBlock<'table'> = (block, draw) =>
  block.view === 'cards' ? cards(block, draw) : plainTable(block, draw)

type Table = BlockOf<'table'>

function plainTable(block: Table, draw: Drawing): Html {
  const shown = block.columns.map(({ attributes: of }) => of?.['data-hidden'] === undefined)
  const cells = (
    row: readonly TableCell[],
    content: (cell: TableCell, index: number) => Html,
    drawCell: (content: Html, align: Html) => Html,
  ) =>
    row.flatMap((cell, index) => {
      const side = attributes({ 'data-align': sideOf(block.columns[index]?.align) })
      return shown[index] ? [drawCell(content(cell, index), side)] : []
    })
  const titles = block.columns.map(({ inlines }) => inlines)
  const headless =
    block.others?.['data-header-hidden'] !== undefined || titles.every((title) => plainText(title).trim() === '')
  const head = cells(
    titles,
    (cell) => draw.inlines(cell),
    (content, align) => html`<th scope="col" ${align}>${content}</th>`,
  )
  const value = (cell: TableCell, index: number) => drawValue(cell, block.columns[index], draw)
  const rows = block.rows.map(
    (row) =>
      html`<tr>
        ${cells(row, value, (content, align) => html`<td${align}>${content}</td>`)}
      </tr>`,
  )
  return html`<div class="table scroll" tabindex="0" role="group" aria-label="${draw.words.table}">
    <table>
      ${drawWidths(block.columns.filter((_, index) => shown[index]))}${
        !headless &&
        html`<thead>
          <tr>
            ${head}
          </tr>
        </thead>`
      }
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`
}

/** As wide as the author drew the columns, as far as there is room. */
function drawWidths(columns: readonly TableColumn[]): Html | undefined {
  const widths = columns.map(({ attributes: of }) => /^\d{1,4}(?=\.\d+$|$)/.exec(String(of?.['width']))?.[0])
  if (widths.every((width) => width === undefined)) return undefined
  return html`<colgroup>
    ${widths.map((width) => html`<col${attributes({ width })}>`)}
  </colgroup>`
}

/** A column can say what its cells are; one that is something else is shown as it was written. */
function drawValue(cell: TableCell, column: TableColumn | undefined, draw: Drawing): Html {
  const { 'data-type': type, 'data-max': max } = column?.attributes ?? {}
  const said = plainText(cell).trim()
  if (type === 'checkbox' && (said === 'true' || said === 'false')) return checkbox(said === 'true', draw)
  const most = Math.min(Number(max) || 5, 10)
  if (type !== 'rating' || !/^\d+$/.test(said) || Number(said) > most) return draw.inlines(cell)
  const stars = '★'.repeat(Number(said)) + '☆'.repeat(most - Number(said))
  return html`<span class="stars" role="img" aria-label="${said}/${most}">${stars}</span>`
}

/** A card a row. Columns say what they are for: a target, a cover; the first other one is the title. */
function cards(block: Table, draw: Drawing): Html {
  const has = (index: number, name: string) => block.columns[index]?.attributes?.[name] !== undefined
  const at = (name: string) => block.columns.findIndex((_, index) => has(index, name))
  const [target, cover, coverDark] = ['data-card-target', 'data-card-cover', 'data-card-cover-dark'].map(at)
  const texts = block.columns.flatMap((_, index) =>
    has(index, 'data-hidden') || [target, cover, coverDark].includes(index) ? [] : [index],
  )
  const size = block.others?.['data-card-size'] === 'large' ? 'large' : undefined
  const drawn = block.rows.map((row) => {
    const href = addressIn(row[target!] ?? []) ?? addressIn(row[texts[0] ?? -1] ?? [])
    const [first = [], ...others] = texts.map((index) => row[index] ?? []).filter((cell) => cell.length > 0)
    return card({ title: first, texts: others, href, cover: addressIn(row[cover!] ?? []) }, draw)
  })
  return html`<ul class="cards" role="list" ${attributes({ 'data-size': size })}>
    ${drawn}
  </ul>`
}

interface Card {
  title: TableCell
  texts: TableCell[]
  href: string | undefined
  cover: string | undefined
}

function card({ title, texts, href, cover }: Card, draw: Drawing): Html {
  const target = href === undefined ? undefined : draw.link(href)
  const picture = cover === undefined ? undefined : draw.image(cover)
  const lead = title.find((inline) => inline.type === 'icon')
  const icon = lead?.type === 'icon' ? iconNamed(lead.name) : undefined
  const words = unlinked(title.filter((inline) => inline !== lead))
  const text = draw.inlines(words)
  return html`<li class="card">
    ${picture && html`<img class="card-cover" src="${picture.src}" alt="" loading="lazy" decoding="async" />`}
    <div class="card-body">
      ${icon && html`<span class="chip">${draw.icons.draw(icon)}</span>`}
      <h3>
        ${target ? html`<a${attributes({ href: target.href, rel: target.external && 'noopener' })}>${text}</a>` : text}
      </h3>
      ${texts.map((cell) => html`<p>${draw.inlines(cell)}</p>`)}
    </div>
  </li>`
}

/** The card as a whole is the link: one inside of it would not be valid. */
function unlinked(inlines: readonly Inline[]): Inline[] {
  return inlines.flatMap((inline): Inline[] => {
    if (inline.type === 'link' || inline.type === 'mention') return unlinked(inline.inlines)
    // A title that is all bold says nothing with it.
    if (inline.type === 'strong' && inlines.length === 1) return unlinked(inline.inlines)
    return [inline]
  })
}

function addressIn(cell: readonly Inline[]): string | undefined {
  for (const inline of cell) {
    if (inline.type === 'image') return inline.src
    if ('href' in inline) return inline.href
    const inside = 'inlines' in inline && inline.inlines ? addressIn(inline.inlines) : undefined
    if (inside !== undefined) return inside
  }
  return undefined
}
