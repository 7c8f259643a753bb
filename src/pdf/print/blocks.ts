import type { Block, BlockOf } from '../../content/blocks.ts'
import { shownOf as shownOfUnknown } from '../../content/blocks/api-method.ts'
import { hasWords } from '../../content/blocks/content-ref.ts'
import type { Figure } from '../../content/blocks/images.ts'
import { shownOf } from '../../content/blocks/integration.ts'
import { isWebAddress } from '../../content/html/frames.ts'
import type { Inline } from '../../content/inlines.ts'
import { isBlank, plainText } from '../../content/inlines/text.ts'
import { toPlainText } from '../../content/text.ts'
import { iconNamed } from '../../published/icons/icons.ts'
import { dayIn } from '../../published/words/words.ts'
import { printColumns } from './columns.ts'
import { isWide } from './formula-width.ts'
import { printFormula } from './formulas.ts'
import { printHtml } from './html.ts'
import type { Node, Words } from './nodes.ts'
import { isTurned, paragraph } from './paragraph.ts'
import type { Printing } from './print.ts'
import { printTable } from './tables.ts'
import { asText, breakable, linkTo, pixels, printIcon, printWords } from './words.ts'

type Print<Type extends Block['type']> = (block: BlockOf<Type>, inside: Inside) => Node[]

/** What a block needs to print itself. */
export interface Inside {
  printing: Printing
  /** How many blocks it is nested in. */
  depth: number
  blocks: (blocks: readonly Block[]) => Node[]
  words: (inlines: readonly Inline[]) => Words
}

export function printBlocks(blocks: readonly Block[], printing: Printing, depth = 0): Node[] {
  const inside: Inside = {
    printing,
    depth,
    blocks: (children) => printBlocks(children, printing, depth + 1),
    words: (inlines) => printWords(inlines, printing),
  }
  return blocks.flatMap((block) => {
    const nodes = (printers[block.type] as (block: Block, inside: Inside) => Node[])(block, inside)
    return depth < printing.depth ? nodes : nodes.flatMap((node) => flat(node, printing))
  })
}

/** Unwraps a node that is nested too deeply: its title and its content follow one another instead. */
function flat(node: Node, printing: Printing): Node[] {
  const all = (nodes: readonly Node[]) => nodes.flatMap((each) => flat(each, printing))
  const titled = (title: Words) => (title.length > 0 ? [paragraph([{ t: 'b' as const, c: title }], printing)] : [])
  switch (node.t) {
    case 'list':
    case 'numbers':
    case 'steps':
    case 'columns':
      return node.items.flatMap(all)
    case 'task':
    case 'quote':
      return all(node.c)
    case 'hint':
      return [...titled(node.title === null ? [] : [node.title]), ...all(node.c)]
    case 'panel':
      return [...titled(node.title), ...all(node.c)]
    default:
      return [node]
  }
}

/** How each type of block is printed. A new type does not compile until it is added here. */
const printers: { [Type in Block['type']]: Print<Type> } = {
  code: ({ text, language = null, title = null, lineNumbers = false }, { printing }) => {
    // Diagrams are printed as source: the library that draws them measures text in a browser, and there is none here.
    const kind = diagrams.get(language ?? '')
    const diagram = kind === undefined ? null : `${printing.phrases.diagram} (${kind})`
    return [
      {
        t: 'code',
        text: breakable(text),
        lang: printing.colours ? grammarOf(language, text) : null,
        title: title !== null && diagram !== null ? `${title} – ${diagram}` : (title ?? diagram),
        numbered: lineNumbers && diagram === null,
        whole: isShort(text),
      },
    ]
  },
  column: ({ blocks }, inside) => inside.blocks(blocks),
  columns: (block, inside) => printColumns(block, inside),
  'content-ref': (block, { printing }) => {
    const { url, blocks } = block
    const target = printing.chapter.around.link(url)
    if (!target && !hasWords(block)) return []
    const title = target?.title ?? (toPlainText(blocks).trim() || url)
    return [paragraph([arrow(printing), linkTo(url, [asText(title)], printing)], printing)]
  },
  definition: () => [],
  details: ({ summary, blocks }, inside) => {
    const title = isBlank(summary) ? [inside.printing.phrases.details] : inside.words(summary)
    return [{ t: 'panel', title, c: inside.blocks(blocks) }]
  },
  divider: () => [{ t: 'rule' }],
  element: ({ blocks }, inside) => inside.blocks(blocks),
  embed: ({ url, blocks }, { printing }) => {
    const caption = toPlainText(blocks).trim()
    // On paper, a title does not show where it leads, so the host is added.
    const said = caption && isWebAddress(url) ? [` – ${asText(new URL(url).host)}`] : []
    return [paragraph([arrow(printing), linkTo(url, [asText(caption || url)], printing), ...said], printing)]
  },
  error: ({ message }, { printing }) => [
    {
      t: 'hint',
      tone: 'danger',
      icon: printing.icon('danger'),
      title: null,
      c: [paragraph([asText(message)], printing)],
    },
  ],
  file: ({ src, name, blocks }, { printing }) => {
    const title = name ?? printing.chapter.around.file(src)?.name ?? src
    const caption = toPlainText(blocks).trim()
    const said = caption ? [` – ${asText(caption)}`] : []
    return [paragraph([arrow(printing), linkTo(src, [asText(title)], printing), ...said], printing)]
  },
  // Footnotes are printed together, at the end of the page.
  footnote: () => [],
  heading: (block, { printing, words }) => {
    const anchor = printing.anchorOf(block)
    const id = (anchor === undefined ? undefined : printing.label(anchor)) ?? ''
    const other = printing.otherAnchorOf(block)
    const place = other === undefined ? undefined : printing.label(other)
    const c = words(block.inlines)
    const turned = isTurned(c, printing)
    return [{ t: 'head', level: block.level, id, turned, c: place === undefined ? c : [{ t: 'at', id: place }, ...c] }]
  },
  hint: ({ style, icon, title = null, blocks }, inside) => [
    { t: 'hint', tone: style, icon: inside.printing.icon(iconNamed(icon) ?? style), title, c: inside.blocks(blocks) },
  ],
  html: ({ html }, inside) => printHtml(html, inside),
  // Conditional content stays hidden until its condition has been evaluated. Includes have been replaced by what they
  // name.
  if: () => [],
  images: ({ images }, inside) => images.flatMap((image) => printFigure(image, inside)),
  include: () => [],
  integration: (block, inside) => inside.blocks(shownOf(block)),
  list: (block, inside) => printList(block, inside),
  'list-item': ({ blocks }, inside) => inside.blocks(blocks),
  math: ({ text }, { printing }) => {
    const formula = printFormula(text, printing.formulas)
    return [formula ? { t: 'equation', c: formula, isWide: isWide(formula) } : { t: 'formula', text: breakable(text) }]
  },
  openapi: ({ method, path }, inside) => operation(method, path, inside),
  'openapi-operation': ({ method, path }, inside) => operation(method, path, inside),
  'openapi-schemas': ({ schemas, spec }, inside) => operation(undefined, schemas ?? spec, inside),
  'openapi-webhook': ({ method, name }, inside) => operation(method, name, inside),
  paragraph: ({ align = 'start', inlines }, { words, printing }) => {
    const c = words(inlines)
    return c.length === 0 ? [] : [paragraph(c, printing, align === 'center' || align === 'right' ? align : 'start')]
  },
  prompt: ({ description, blocks }, inside) => [
    { t: 'panel', title: [asText(description ?? inside.printing.phrases.prompt)], c: inside.blocks(blocks) },
  ],
  quote: ({ blocks }, inside) => [{ t: 'quote', c: inside.blocks(blocks) }],
  raw: ({ text }, { printing }) => [paragraph([asText(text)], printing)],
  step: ({ blocks }, inside) => [{ t: 'steps', items: [inside.blocks(blocks)] }],
  stepper: ({ blocks }, inside) => [
    { t: 'steps', items: blocks.map((each) => inside.blocks(each.type === 'step' ? each.blocks : [each])) },
  ],
  tab: ({ title, icon, blocks }, inside) => [
    { t: 'panel', title: [...printIcon(icon, inside.printing, ' '), asText(title)], c: inside.blocks(blocks) },
  ],
  table: (block, inside) => printTable(block, inside),
  tabs: ({ blocks }, inside) => inside.blocks(blocks),
  unknown: (block, inside) => inside.blocks(shownOfUnknown(block)),
  update: ({ date = '', tags, blocks }, inside) => [
    { t: 'panel', title: [[dayOf(date, inside.printing), tags].filter(Boolean).join(' · ')], c: inside.blocks(blocks) },
  ],
  updates: ({ blocks }, inside) => inside.blocks(blocks),
}

const arrow = ({ isRightToLeft }: Printing) => (isRightToLeft ? '← ' : '→ ')

/** A `Map`, because a language may be named like a property that every object has. */
const diagrams: ReadonlyMap<string, string> = new Map([
  ['mermaid', 'Mermaid'],
  ['plantuml', 'PlantUML'],
])

/** Code of so few lines is kept on one sheet, however narrow the place where it is printed. */
const isShort = (text: string) =>
  text.split('\n').reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / 40)), 0) <= 24

/** Colouring takes time, and nobody needs it in code this long. */
const longestColoured = 20_000

/**
 * Returns the typesetter's name for a language, or null for code without colours. The typesetter's JavaScript grammar
 * never finishes on `return x` followed by a comment of several lines. Its TypeScript grammar does, and covers all of
 * JavaScript. Languages that embed JavaScript are left uncoloured if the code contains such a comment.
 */
function grammarOf(language: string | null, text: string): string | null {
  if (language === null || text.length > longestColoured || !/^[\w+#-]{1,30}$/.test(language)) return null
  const name = language.toLowerCase()
  if (['js', 'javascript', 'mjs', 'cjs', 'node'].includes(name)) return 'ts'
  return holdingScripts.has(name) && text.split('\n').some(isOpen) ? null : language
}

const isOpen = (line: string) => line.lastIndexOf('/*') > line.lastIndexOf('*/')

const holdingScripts = new Set(
  'html htm xhtml vue svelte php md mdx markdown astro ejs erb jsp asp handlebars hbs liquid twig jinja'.split(' '),
)

function printList({ kind, start = 1, loose, blocks }: BlockOf<'list'>, inside: Inside): Node[] {
  const content = (item: Block) => inside.blocks(item.type === 'list-item' ? item.blocks : [item])
  // Any list may contain items that are not tasks: they get no checkbox.
  const isDone = (item: Block) => (item.type === 'list-item' ? item.checked : undefined)
  const withBox = (item: Block): Node[] => {
    const done = isDone(item)
    return done === undefined ? content(item) : [{ t: 'task', isDone: done, c: content(item) }]
  }
  if (kind === 'tasks')
    return blocks.flatMap((item) =>
      isDone(item) === undefined ? [{ t: 'list', tight: !loose, items: [content(item)] }] : withBox(item),
    )
  const items = blocks.map(withBox)
  return [kind === 'ordered' ? { t: 'numbers', tight: !loose, start, items } : { t: 'list', tight: !loose, items }]
}

/** A picture that is not available leaves its description. */
function printFigure(image: Figure, { printing, words }: Inside): Node[] {
  const file = printing.pictures ? printing.chapter.around.file(image.src) : undefined
  const name = file && printing.shelf.take(file)
  const caption = image.caption && plainText(image.caption).trim() !== '' ? words(image.caption) : null
  if (name === undefined) {
    const text = image.alt || file?.name || ''
    const link = linkTo(image.src, [asText(text || image.src)], printing)
    if (text === '' && link.url === null) return caption ? [paragraph(caption, printing)] : []
    return [paragraph([{ t: 'i', c: [link] }], printing), ...(caption ? [paragraph(caption, printing)] : [])]
  }
  const [, percent] = /^(\d{1,3})%$/.exec(image.width ?? '') ?? []
  const share = percent === undefined ? null : Math.min(100, Math.max(5, Number(percent))) / 100
  return [
    { t: 'figure', file: name, alt: image.alt, width: pixels(image.width) ?? file?.width ?? null, share, caption },
  ]
}

/** Formats a date as published pages do. Text that is not a date is left as it was written. */
const dayOf = (date: string, { language }: Printing) =>
  Number.isNaN(Date.parse(date)) ? date : dayIn(language, new Date(date), 'short')

function operation(method: string | undefined, name: string | undefined, { printing }: Inside): Node[] {
  const text = [method?.toUpperCase(), name].filter(Boolean).join(' ')
  return text === '' ? [] : [paragraph([{ t: 'mono', text: breakable(text) }], printing)]
}
