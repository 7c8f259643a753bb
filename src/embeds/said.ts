import { tagAttributes } from '../content/html/attributes.ts'
import { strippedElements } from '../content/html/stripped.ts'
import { type HtmlTag, isVoidElement, readTag } from '../content/html/tags.ts'
import { decodeText } from '../content/html/text.ts'
import { storable } from '../db/storable.ts'
import { shortened } from '../shortened.ts'

/** What a page says about itself: plain text, no longer than allowed. */
export interface Said {
  title?: string
  site?: string
  description?: string
  icon?: string
}

/** The database refuses longer values. */
const most = { title: 200, site: 100, description: 400, icon: 2048 }

/** Reads each character once, however hostile the markup is. `address` is the URL of the page. */
export function saidIn(markup: string, address: string): Said {
  const head = readHead(markup)
  const words = (limit: number, ...names: string[]) => {
    for (const name of names) {
      const text = shortened(inOneLine(head.said.get(name) ?? ''), limit).trim()
      if (visible.test(text)) return text
    }
    return undefined
  }
  const title = words(most.title, 'og:title', 'twitter:title', 'title')
  const site = words(most.site, 'og:site_name', 'application-name')
  const description = words(most.description, 'og:description', 'twitter:description', 'description')
  const icon = iconAt(head, address)
  return {
    ...(title !== undefined && { title }),
    ...(site !== undefined && { site }),
    ...(description !== undefined && { description }),
    ...(icon !== undefined && { icon }),
  }
}

/** Characters that only join or separate others are not visible. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

interface Head {
  /** By the name of the meta element; `title` is the title of the document. The first of each name counts. */
  said: Map<string, string>
  /** The icons as they are written, in the order of the page. */
  icons: string[]
  base: string | undefined
}

const wanted = new Set(
  'og:title og:site_name og:description twitter:title twitter:description description application-name'.split(' '),
)

/** Elements whose content is not markup. */
const closed = new Set([...strippedElements.filter((name) => !isVoidElement(name)), 'title', 'textarea'])

function readHead(markup: string): Head {
  const head: Head = { said: new Map(), icons: [], base: undefined }
  let next = 0
  for (let at = markup.indexOf('<'); at !== -1; at = markup.indexOf('<', next)) {
    next = at + 1
    if (markup.startsWith('<!--', at)) {
      // An empty comment may be closed by its own dashes.
      const end = markup.indexOf('-->', at + 2)
      if (end === -1) break
      next = end + 3
      continue
    }
    const tag = readTag(markup, at)
    if (tag === 'unfinished') break
    if (!tag) continue
    next = tag.end
    if (tag.closing) continue
    if (closed.has(tag.name)) next = endOf(markup, tag)
    if (tag.name === 'title' && !head.said.has('title')) head.said.set('title', decoded(markup.slice(tag.end, next)))
    else if (tag.name === 'meta' || tag.name === 'link' || tag.name === 'base') note(head, tag)
  }
  return head
}

function endOf(markup: string, { name, end }: HtmlTag): number {
  const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
  closing.lastIndex = end
  return closing.exec(markup)?.index ?? markup.length
}

function note(head: Head, tag: HtmlTag): void {
  const attribute = (name: string) => tag.attributes.find((each) => each.name === name)?.value
  if (tag.name === 'meta') {
    const name = (attribute('property') ?? attribute('name') ?? '').toLowerCase()
    if (wanted.has(name) && !head.said.has(name)) head.said.set(name, decoded(attribute('content') ?? ''))
    return
  }
  const { rel, href } = tagAttributes(tag)
  if (typeof href !== 'string') return
  if (tag.name === 'base') head.base ??= href
  else if (head.icons.length < mostIcons && typeof rel === 'string' && /(?:^|\s)icon(?:\s|$)/i.test(rel))
    head.icons.push(href)
}

/** Longer than anything that is kept of it. */
const mostSource = 4_000

/** Text of a page. It may contain entities, but no tags. */
const decoded = (source: string) => decodeText(shortened(source, mostSource))

/** Text in one line. It can neither leave the line it is in, nor reverse the direction of the text after it. */
const inOneLine = (text: string) =>
  storable(text)
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()

/** Enough: a page names a few, some of them as data URLs. */
const mostIcons = 20

/** The first icon with a web address that is not too long. */
function iconAt({ icons, base }: Head, address: string): string | undefined {
  const from = base !== undefined && URL.canParse(base, address) ? new URL(base, address).href : address
  return icons.flatMap((icon) => URL.parse(icon, from)?.href ?? []).find((href) => isIcon(href))
}

const isIcon = (href: string) => /^https?:/.test(href) && href.length <= most.icon
