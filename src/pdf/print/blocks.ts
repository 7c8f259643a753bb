import type { Block, BlockOf } from '../../content/blocks.ts'
import { shownOf as shownOfUnknown } from '../../content/blocks/api-method.ts'
import type { Figure } from '../../content/blocks/images.ts'
import { shownOf } from '../../content/blocks/integration.ts'
import type { Inline } from '../../content/inlines.ts'
import { plainText } from '../../content/inlines/text.ts'
import { toPlainText } from '../../content/text.ts'
import { isWide } from './formula-width.ts'
import { printFormula } from './formulas.ts'
import { printHtml } from './html.ts'
import type { Node, Words } from './nodes.ts'
import type { Printing } from './print.ts'
import { printTable } from './tables.ts'
import { asText, breakable, linkTo, pixels, printWords } from './words.ts'

type Print<Type extends Block['type']> = (block: BlockOf<Type>, inside: Inside) => Node[]

/** What a block has at hand to print itself. */
export interface Inside {
  printing: Printing
  blocks: (blocks: readonly Block[]) => Node[]
  words: (inlines: readonly Inline[]) => Words
}

export function printBlocks(blocks: readonly Block[], printing: Printing, depth = 0): Node[] {
  const inside: Inside = {
    printing,
    blocks: (children) => printBlocks(children, printing, depth + 1),
    words: (inlines) => printWords(inlines, printing),
  }
  return blocks.flatMap((block) => {
    const nodes = (printers[block.type] as (block: Block, inside: Inside) => Node[])(block, inside)
    return depth < printing.depth ? nodes : nodes.flatMap(flat)
  })
}

/** Too deep to stand in anything: what a block holds follows it. */
function flat(node: Node): Node[] {
  const titled = (title: Words) => (title.length > 0 ? [paragraph([{ t: 'b' as const, c: title }])] : [])
  switch (node.t) {
    case 'list':
    case 'numbers':
    case 'steps':
      return node.items.flatMap((item) => item.flatMap(flat))
    case 'task':
    case 'quote':
      return node.c.flatMap(flat)
    case 'hint':
      return [...titled(node.title === null ? [] : [node.title]), ...node.c.flatMap(flat)]
    case 'panel':
      return [...titled(node.title), ...node.c.flatMap(flat)]
    default:
      return [node]
  }
}

const paragraph = (c: Words, align = 'start'): Node => ({ t: 'par', align, c })

/** How each block is printed. A new one does not compile until it can be. */
const printers: { [Type in Block['type']]: Print<Type> } = {
  code: ({ text, language = null, title = null }) => [
    // Diagrams are printed as they were written.
    {
      t: 'code',
      text: breakable(text),
      lang: known(language, text),
      title: title ?? diagrams.get(language ?? '') ?? null,
    },
  ],
  column: ({ blocks }, inside) => inside.blocks(blocks),
  columns: ({ blocks }, inside) => inside.blocks(blocks),
  'content-ref': ({ url, blocks }, { printing }) => {
    const title = printing.chapter.around.link(url)?.title ?? (toPlainText(blocks).trim() || url)
    return [paragraph(['→ ', linkTo(url, [asText(title)], printing)])]
  },
  definition: () => [],
  details: ({ summary, blocks }, inside) => [{ t: 'panel', title: inside.words(summary), c: inside.blocks(blocks) }],
  divider: () => [{ t: 'rule' }],
  element: ({ blocks }, inside) => inside.blocks(blocks),
  embed: ({ url, blocks }, { printing }) => {
    const caption = toPlainText(blocks).trim()
    return [paragraph(['→ ', linkTo(url, [asText(caption || url)], printing)])]
  },
  error: ({ message }) => [{ t: 'hint', tone: 'danger', title: null, c: [paragraph([asText(message)])] }],
  file: ({ src, name, blocks }, { printing }) => {
    const title = name ?? printing.chapter.around.file(src)?.name ?? src
    const caption = toPlainText(blocks).trim()
    return [paragraph(['→ ', linkTo(src, [asText(title)], printing), ...(caption ? [` – ${asText(caption)}`] : [])])]
  },
  // Together at the end of the page.
  footnote: () => [],
  heading: (block, { printing, words }) => {
    const anchor = printing.anchorOf(block)
    const id = (anchor === undefined ? undefined : printing.label(anchor)) ?? ''
    const other = printing.otherAnchorOf(block)
    const place = other === undefined ? undefined : printing.label(other)
    const c = words(block.inlines)
    return [{ t: 'head', level: block.level, id, c: place === undefined ? c : [{ t: 'at', id: place }, ...c] }]
  },
  hint: ({ style, title = null, blocks }, inside) => [{ t: 'hint', tone: style, title, c: inside.blocks(blocks) }],
  html: ({ html }, inside) => printHtml(html, inside),
  // What has a condition stays hidden until it was decided, and an include is replaced by what it names.
  if: () => [],
  images: ({ images }, inside) => images.flatMap((image) => printFigure(image, inside)),
  include: () => [],
  integration: (block, inside) => inside.blocks(shownOf(block)),
  list: (block, inside) => printList(block, inside),
  'list-item': ({ blocks }, inside) => inside.blocks(blocks),
  math: ({ text }, { printing }) => {
    const formula = printing.formulas ? printFormula(text) : undefined
    return [formula ? { t: 'equation', c: formula, isWide: isWide(formula) } : { t: 'formula', text: breakable(text) }]
  },
  openapi: ({ method, path }) => operation(method, path),
  'openapi-operation': ({ method, path }) => operation(method, path),
  'openapi-schemas': ({ schemas, spec }) => operation(undefined, schemas ?? spec),
  'openapi-webhook': ({ method, name }) => operation(method, name),
  paragraph: ({ align = 'start', inlines }, { words }) => {
    const c = words(inlines)
    return c.length === 0 ? [] : [paragraph(c, align === 'center' || align === 'right' ? align : 'start')]
  },
  prompt: ({ description, blocks }, inside) => [
    { t: 'panel', title: description === undefined ? [] : [asText(description)], c: inside.blocks(blocks) },
  ],
  quote: ({ blocks }, inside) => [{ t: 'quote', c: inside.blocks(blocks) }],
  raw: ({ text }) => [paragraph([asText(text)])],
  step: ({ blocks }, inside) => [{ t: 'steps', items: [inside.blocks(blocks)] }],
  stepper: ({ blocks }, inside) => [
    { t: 'steps', items: blocks.map((each) => inside.blocks(each.type === 'step' ? each.blocks : [each])) },
  ],
  tab: ({ title, blocks }, inside) => [{ t: 'panel', title: [asText(title)], c: inside.blocks(blocks) }],
  table: (block, inside) => printTable(block, inside),
  tabs: ({ blocks }, inside) => inside.blocks(blocks),
  unknown: (block, inside) => inside.blocks(shownOfUnknown(block)),
  update: ({ date = '', tags, blocks }, inside) => [
    { t: 'panel', title: [[date, tags].filter(Boolean).join(' · ')], c: inside.blocks(blocks) },
  ],
  updates: ({ blocks }, inside) => inside.blocks(blocks),
}

/** A map: a language may be called what every object has. */
const diagrams: ReadonlyMap<string, string> = new Map([
  ['mermaid', 'Diagram (Mermaid)'],
  ['plantuml', 'Diagram (PlantUML)'],
])

/** Colours cost time, and nobody needs them in what is that long. */
const longestColoured = 20_000

const known = (language: string | null, text: string) =>
  language !== null && text.length <= longestColoured && /^[\w+#-]{1,30}$/.test(language) ? language : null

function printList({ kind, start = 1, loose, blocks }: BlockOf<'list'>, inside: Inside): Node[] {
  const content = (item: Block) => inside.blocks(item.type === 'list-item' ? item.blocks : [item])
  if (kind === 'tasks') {
    return blocks.map((item) => ({
      t: 'task',
      isDone: item.type === 'list-item' && item.checked === true,
      c: content(item),
    }))
  }
  const items = blocks.map(content)
  return [kind === 'ordered' ? { t: 'numbers', tight: !loose, start, items } : { t: 'list', tight: !loose, items }]
}

/** One that is not at hand leaves its description. */
function printFigure(image: Figure, { printing, words }: Inside): Node[] {
  const file = printing.pictures ? printing.chapter.around.file(image.src) : undefined
  const name = file && printing.shelf.take(file)
  const caption = image.caption && plainText(image.caption).trim() !== '' ? words(image.caption) : null
  if (name === undefined) {
    const text = image.alt || file?.name || ''
    const link = linkTo(image.src, [asText(text || image.src)], printing)
    if (text === '' && link.url === null) return caption ? [paragraph(caption)] : []
    return [paragraph([{ t: 'i', c: [link] }]), ...(caption ? [paragraph(caption)] : [])]
  }
  const [, percent] = /^(\d{1,3})%$/.exec(image.width ?? '') ?? []
  const share = percent === undefined ? null : Math.min(100, Math.max(5, Number(percent))) / 100
  return [
    { t: 'figure', file: name, alt: image.alt, width: pixels(image.width) ?? file?.width ?? null, share, caption },
  ]
}

function operation(method: string | undefined, name: string | undefined): Node[] {
  const text = [method?.toUpperCase(), name].filter(Boolean).join(' ')
  return text === '' ? [] : [paragraph([{ t: 'mono', text: breakable(text) }])]
}
