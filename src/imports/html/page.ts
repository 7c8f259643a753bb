import { fromHtml } from 'hast-util-from-html'
import type { Block } from '../../content/blocks.ts'
import { plainText } from '../../content/inlines/text.ts'
import { writeBlocks } from '../../content/markdown/write-blocks.ts'
import { shortened } from '../../shortened.ts'
import { BlocksReader } from './blocks.ts'
import { type Element, type Root, attribute, elementsIn, everyElement, remove, wordsOf } from './elements.ts'
import { extract } from './extract.ts'
import { footnoteBlocks, takeFootnotes } from './footnotes.ts'
import { type Generator, generators, plain } from './generators.ts'
import { type MenuItem, readMenu } from './navigation.ts'
import { findFirst, matcher } from './selectors.ts'
import { findTabs } from './tabs.ts'

/** A page that has been read. All its addresses are absolute. */
export interface HtmlPage {
  generator: string
  title: string
  description?: string
  markdown: string
  /** The targets of all links on the page, including its menus. */
  links: string[]
  menu: MenuItem[]
}

export interface HtmlSource {
  html: string
  /** The address of the page. Its links are resolved against it. */
  url: string
  /** Returns an address for data that is embedded in the page. */
  keep(dataUrl: string): string | undefined
}

/** All elements of a page, listed once. */
type Elements = readonly Element[]

/** Reads a page. Returns undefined if it has no content. */
export function readHtml({ html, url, ...source }: HtmlSource): HtmlPage | undefined {
  const root = fromHtml(html)
  const all = [...everyElement(root)]
  const base = baseOf(all, url)
  const resolve = (href: string) => addressOf(href, base)
  const links = linksOf(all, resolve)
  const generator = generatorOf(all)
  const navigation = generator.navigation.length > 0 ? findFirst(all, generator.navigation) : undefined
  const menu = navigation ? readMenu(navigation, resolve) : []

  const title = titleOf(all, generator)
  const description = metaOf(all, 'description') ?? metaOf(all, 'og:description')
  const content = contentOf(root, all, generator)
  if (!content) return undefined
  const drop = matcher([...generator.drop, ...plain.drop])
  remove(content, drop)
  moveSectionIds(content)
  const footnotes = takeFootnotes(content)
  const reader = new BlocksReader(
    { resolve, keep: (dataUrl) => source.keep(dataUrl), footnotes: footnotes.labels },
    findTabs(content),
  )
  const blocks = [...reader.read(content.children), ...footnoteBlocks(footnotes, reader.context)]
  const { heading, rest } = takeTitle(blocks, title.heading)
  const markdown = withAttachments(writeBlocks(rest), findAttachments(all, generator, resolve))
  const name = heading ?? title.heading ?? title.document
  if (markdown.trim() === '' && !name) return undefined
  return {
    generator: generator.name,
    title: name || 'Untitled',
    ...(description && { description: shortened(description, 300) }),
    markdown: markdown === '' ? '' : `${markdown}\n`,
    links,
    menu,
  }
}

interface Attachment {
  name: string
  address: string
}

/** Returns the files that Confluence lists below a page, including those that the page shows. */
function findAttachments(
  all: Elements,
  { attachments = [] }: Generator,
  resolve: (href: string) => string | undefined,
): Attachment[] {
  const list = findFirst(all, attachments)
  if (!list || !all.some((each) => attribute(each, 'id') === 'attachments')) return []
  return [...everyElement(list)].flatMap((each) => {
    const address = each.tagName === 'a' ? resolve(attribute(each, 'href') ?? '') : undefined
    return address === undefined ? [] : [{ name: wordsOf(each) || address.split('/').at(-1)!, address }]
  })
}

/** Appends a list of the files that the page does not show. A thumbnail has the name of its file without the ending. */
function withAttachments(markdown: string, attachments: readonly Attachment[]): string {
  const others = attachments.filter(({ address }) => {
    const name = address
      .split('/')
      .at(-1)!
      .replace(/\.\w+$/, '')
    return !markdown.includes(`/${name}.`) && !markdown.includes(`/${name})`)
  })
  if (others.length === 0) return markdown
  const blocks = others.map(({ name, address }): Block => {
    const inlines = [{ type: 'link' as const, href: address, inlines: [{ type: 'text' as const, text: name }] }]
    return { type: 'list-item', blocks: [{ type: 'paragraph', inlines }] }
  })
  const title: Block = { type: 'heading', level: 2, inlines: [{ type: 'text', text: 'Attachments' }] }
  const list: Block = { type: 'list', kind: 'unordered', loose: false, blocks }
  return `${markdown}${markdown === '' ? '' : '\n\n'}${writeBlocks([title, list])}`
}

function generatorOf(all: Elements): Generator {
  const said = metaOf(all, 'generator') ?? ''
  return (
    generators.find(({ meta }) => meta?.test(said)) ?? generators.find(({ marks }) => findFirst(all, marks)) ?? plain
  )
}

/**
 * Finds the content: with the selectors of the generator, else with the HTML elements for content, else where most of
 * the text is.
 */
function contentOf(root: Root, all: Elements, generator: Generator): Element | undefined {
  const body = all.find(({ tagName }) => tagName === 'body')
  const known = findFirst(all, generator.content) ?? findFirst(all, plain.content)
  if (known && wordsOf(known) !== '') return known
  return extract(body ?? root) ?? (known && hasPicture(known) ? known : undefined)
}

const hasPicture = (element: Element) => [...everyElement(element)].some(({ tagName }) => tagName === 'img')

interface Titles {
  /** The heading above the page. */
  heading?: string
  /** The title of the browser window, without the name of the site. */
  document: string
}

function titleOf(all: Elements, generator: Generator): Titles {
  const above = findFirst(all, generator.title ?? [])
  const title = all.find(({ tagName }) => tagName === 'title')
  const words = metaOf(all, 'og:title') ?? (title ? wordsOf(title) : '')
  const [document = ''] = words.split(/ [|–—·«»] | - | :: /)
  const heading = above && wordsOf(withoutAnchors(above))
  return { ...(heading && { heading: withoutSpace(heading, generator) }), document: document.trim() }
}

function withoutAnchors(element: Element): Element {
  const copy = structuredClone(element)
  remove(copy, matcher([...plain.drop, '.sl-anchor-link', '.hash-link']))
  return copy
}

/** Confluence puts the name of the space in front of the title. */
const withoutSpace = (heading: string, { name }: Generator) =>
  name === 'Confluence' ? heading.replace(/^.{1,100}? : /, '') : heading

/** Removes the first heading of a page if it is the title, so that the title is not shown twice. */
function takeTitle(blocks: readonly Block[], known: string | undefined): { heading?: string; rest: readonly Block[] } {
  const index = blocks.findIndex((block) => block.type === 'heading')
  const first = blocks[index]
  if (first?.type !== 'heading') return { rest: blocks }
  const title = plainText(first.inlines).trim()
  const isTitle = known === undefined ? first.level === 1 : title === known
  // Further down in the text it is the heading of a section.
  if (!isTitle || index > 2) return { rest: blocks }
  return { heading: title, rest: blocks.toSpliced(index, 1) }
}

/** Sphinx sets the id of a heading on the element around it. */
function moveSectionIds(content: Element): void {
  for (const section of everyElement(content)) {
    const id = section.tagName === 'section' || section.tagName === 'div' ? attribute(section, 'id') : undefined
    const [heading] = id === undefined ? [] : elementsIn(section)
    if (heading && /^h[1-6]$/.test(heading.tagName) && attribute(heading, 'id') === undefined)
      heading.properties['id'] = id
  }
}

function baseOf(all: Elements, url: string): string {
  const element = all.find(({ tagName }) => tagName === 'base')
  const href = element && attribute(element, 'href')
  return href !== undefined && URL.canParse(href, url) ? new URL(href, url).href : url
}

/** Returns an absolute address if its scheme is one that a page may link to. Scripts are not followed. */
function addressOf(href: string, base: string): string | undefined {
  // In an archive it is unknown which of the two schemes was used.
  const text = href.trim().replace(/^\/\//, base.startsWith('archive:') ? 'https://' : '//')
  if (text === '' || !URL.canParse(text, base)) return undefined
  const url = new URL(text, base)
  return /^(https?|mailto|tel|archive):$/.test(url.protocol) ? url.href : undefined
}

const maxLinks = 10_000

function linksOf(all: Elements, resolve: (href: string) => string | undefined): string[] {
  const links = new Set<string>()
  for (const element of all) {
    const href = element.tagName === 'a' ? attribute(element, 'href') : undefined
    const to = href === undefined || href.startsWith('#') ? undefined : resolve(href)
    if (to !== undefined) links.add(to.split('#')[0]!)
    if (links.size >= maxLinks) break
  }
  return [...links]
}

function metaOf(all: Elements, name: string): string | undefined {
  for (const element of all) {
    if (element.tagName !== 'meta') continue
    const said = attribute(element, 'name') ?? attribute(element, 'property')
    if (said?.toLowerCase() === name) return attribute(element, 'content')?.replace(/\s+/g, ' ').trim() || undefined
  }
  return undefined
}
