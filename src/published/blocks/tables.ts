import type { BlockOf } from '../../content/blocks.ts'
import { type TableCell, type TableColumn, drawWidths } from '../../content/blocks/table.ts'
import { crowdedColumns } from '../../content/blocks/table-room.ts'
import { isHeadless, valueOf } from '../../content/blocks/table-values.ts'
import { type Html, attributes, html, trusted } from '../../content/html/template.ts'
import type { Inline } from '../../content/inlines.ts'
import { addressIn } from '../../content/inlines/cells.ts'
import { isList, plainText } from '../../content/inlines/text.ts'
import { iconNamed } from '../icons/icons.ts'
import { type DrawBlock, type Drawing, leadsTo } from './drawing.ts'
import { forBothThemes } from './pictures.ts'
import { checkbox, sideOf } from './text.ts'
import { unlinked } from './unlinked.ts'

export const table: DrawBlock<'table'> = (block, draw) =>
  block.view === 'cards' ? cards(block, draw) : plainTable(block, draw)

type Table = BlockOf<'table'>

function plainTable(block: Table, draw: Drawing): Html {
  const shown = block.columns.map(({ attributes: of }) => of?.['data-hidden'] === undefined)
  const titles = block.columns.map(({ inlines }) => inlines)
  const crowded = crowdedOnPaper(block.columns.length, [titles, ...block.rows])
  const cells = (
    row: readonly TableCell[],
    content: (cell: TableCell, index: number) => Html,
    drawCell: (content: Html, align: Html) => Html,
  ) =>
    row.flatMap((cell, index) => {
      const side = attributes({ 'data-align': sideOf(block.columns[index]?.align), 'data-crowded': crowded[index] })
      return shown[index] ? [drawCell(content(cell, index), side)] : []
    })
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
        !isHeadless(block) &&
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

/**
 * Which columns are crowded on paper, by how many letters fit side by side on a sheet at the font size that print.css
 * uses for this many columns.
 */
const crowdedOnPaper = (columns: number, rows: readonly (readonly TableCell[])[]): boolean[] =>
  crowdedColumns(rows, columns, columns > 10 ? 105 : columns > 6 ? 90 : 75)

/** Draws a cell according to the type of its column. */
function drawValue(cell: TableCell, column: TableColumn | undefined, draw: Drawing): Html {
  const value = valueOf(cell, column)
  switch (value.shows) {
    case 'checkbox':
      return checkbox(value.isDone, draw)
    case 'rating':
      return html`<span class="stars" role="img" aria-label="${value.label}">${value.stars}</span>`
    case 'options':
      return html`${value.options.map((option) => html`<span class="tag" data-tone="plain">${option}</span>${' '}`)}`
    case 'picture':
      return drawThumbnail(value.src, value.alt, draw) ?? draw.inlines(cell)
    case 'words':
      return draw.inlines(value.inlines)
  }
}

function drawThumbnail(address: string, alt: string, draw: Drawing): Html | undefined {
  const picture = draw.image(address)
  if (!picture) return undefined
  const { src, width, height } = picture
  return html`<img${attributes({ class: 'cell-picture', src, alt, width, height, loading: 'lazy', decoding: 'async' })} />`
}

/**
 * Draws one card per row. Columns say what they are for: a target, a cover. The first other column with words is the
 * title.
 */
function cards(block: Table, draw: Drawing): Html {
  const has = (index: number, name: string) => block.columns[index]?.attributes?.[name] !== undefined
  const at = (name: string) => block.columns.findIndex((_, index) => has(index, name))
  const [target, cover, coverDark] = ['data-card-target', 'data-card-cover', 'data-card-cover-dark'].map(at)
  const texts = block.columns.flatMap((_, index) =>
    has(index, 'data-hidden') || [target, cover, coverDark].includes(index) ? [] : [index],
  )
  const size = block.others?.['data-card-size'] === 'large' ? 'large' : undefined
  const drawn = block.rows.map((row) => {
    const { sign, cells } = signOf(
      texts.flatMap((index) => (row[index] === undefined ? [] : [{ cell: withoutHeadings(row[index]), index }])),
    )
    const [first, ...others] = cells
      .flatMap((each, index) => (index === 0 ? titleApart(each) : [each]))
      .filter(({ cell }) => plainText(cell).trim() !== '' || hasPicture(cell))
    const shown: Card = {
      sign,
      title: notBold(unlinked(first?.cell ?? [])),
      texts: others.map(({ cell, index }) => {
        const text = drawValue(cell, block.columns[index], draw)
        return cell.some(isListOf) ? html`<div class="card-text">${text}</div>` : html`<p>${text}</p>`
      }),
      href: addressIn(row[target!] ?? []) ?? addressIn(first?.cell ?? []),
      cover: addressIn(row[cover!] ?? []),
      coverDark: addressIn(row[coverDark!] ?? []),
    }
    return card(shown, draw)
  })
  return html`<ul class="cards" role="list" ${attributes({ 'data-size': size })}>
    ${drawn}
  </ul>`
}

interface Card {
  sign: Inline | undefined
  title: TableCell
  texts: Html[]
  href: string | undefined
  cover: string | undefined
  coverDark: string | undefined
}

function card({ sign, title, texts, href, cover, coverDark }: Card, draw: Drawing): Html {
  const target = href === undefined ? undefined : draw.link(href)
  const text = draw.inlines(title)
  const heading = trusted(`h${draw.nextLevel()}`)
  return html`<li class="card">
    ${cover !== undefined && drawCover(cover, coverDark, draw)}
    <div class="card-body">
      ${sign && html`<span class="chip">${drawSign(sign, draw)}</span>`}
      <${heading} class="card-title">${target ? html`<a${attributes(leadsTo(target))}>${text}</a>` : text}</${heading}>
      ${texts}
    </div>
  </li>`
}

function drawCover(light: string, dark: string | undefined, draw: Drawing): Html | undefined {
  const picture = draw.image(light)
  const drawn = (src: string) => html`<img class="card-cover" src="${src}" alt="" loading="lazy" decoding="async" />`
  return picture && forBothThemes(picture.src, dark === undefined ? undefined : draw.image(dark)?.src, drawn)
}

const drawSign = (sign: Inline, draw: Drawing): Html =>
  // Cards stand in rows: one without its icon would be out of line.
  sign.type === 'icon' ? draw.icons.draw(iconNamed(sign.name) ?? 'page') : draw.inlines([sign])

interface CellAt {
  cell: TableCell
  index: number
}

const isListOf = (inline: Inline): boolean => inline.type === 'element' && isList(inline.name)

/** Ends a title where a list begins. */
function titleApart({ cell, index }: CellAt): CellAt[] {
  const at = cell.findIndex(isListOf)
  return at === -1
    ? [{ cell, index }]
    : [
        { cell: cell.slice(0, at), index },
        { cell: cell.slice(at), index },
      ]
}

/** Returns the icon that a card begins with, or an emoji that stands alone. */
function signOf(cells: readonly CellAt[]): { sign: Inline | undefined; cells: readonly CellAt[] } {
  const [first, ...others] = cells
  if (!first) return { sign: undefined, cells }
  const [lead, ...rest] = first.cell.filter((inline) => inline.type !== 'text' || inline.text.trim() !== '')
  const isSign = lead?.type === 'icon' || (lead?.type === 'emoji' && rest.length === 0)
  return isSign ? { sign: lead, cells: [{ ...first, cell: rest }, ...others] } : { sign: undefined, cells }
}

/** Removes headings from a cell, because the title of a card is a heading already. */
const withoutHeadings = (cell: TableCell): TableCell =>
  cell.flatMap((inline): readonly Inline[] =>
    inline.type === 'element' && /^h[1-6]$/.test(inline.name) ? withoutHeadings(inline.inlines) : [inline],
  )

/** Removes bold from a title that is bold as a whole: it has no meaning there. */
function notBold(title: TableCell): TableCell {
  const [only, ...more] = title.filter((inline) => inline.type !== 'text' || inline.text.trim() !== '')
  return only?.type === 'strong' && more.length === 0 ? notBold(only.inlines) : title
}

const hasPicture = (cell: TableCell) => cell.some(({ type }) => type === 'image')
