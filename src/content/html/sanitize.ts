import type * as hast from 'hast'
import type { Schema } from 'hast-util-sanitize'
import { packageOnFirstUse } from '../../on-first-use.ts'
import { strippedElements } from './stripped.ts'

const sanitizer = packageOnFirstUse<typeof import('hast-util-sanitize')>('hast-util-sanitize')

/** Put before every id of an author, so that none shadows a global of the page (`window.name`, `document.forms`). */
export const idPrefix = 'user-content-'

/** No class and no role: with those of the surrounding page, a text could cover the page or mislead its script. */
const anywhere = ['align', 'dir', 'id', 'lang', 'title', 'ariaLabel', 'ariaHidden']

const allowedElements =
  'a abbr article aside audio b blockquote br caption center cite code col colgroup dd del details dfn div dl dt em ' +
  'figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p picture pre q s samp section small source ' +
  'span strike strong sub summary sup table tbody td tfoot th thead time tr u ul var video wbr'

/** What raw HTML of an author may contain. Everything else is removed; the text of unknown elements stays. */
const schema: Schema = {
  tagNames: allowedElements.split(' '),
  attributes: {
    a: ['href', 'dataMention', 'dataIcon'],
    audio: ['src', 'controls'],
    col: ['span', 'width'],
    colgroup: ['span', 'width'],
    details: ['open'],
    div: ['dataFullWidth', 'dataWithFrame'],
    img: ['src', 'alt', 'width', 'height', 'dataSize'],
    input: [['type', 'checkbox'], ['disabled', true], 'checked'],
    li: ['value'],
    ol: ['start', 'reversed', 'type'],
    source: ['src', 'srcSet', 'media', 'type', 'width', 'height'],
    table: ['dataView', 'dataFullWidth', 'dataCardSize', 'dataHeaderHidden', 'dataColumnTitleHidden'],
    td: ['colSpan', 'rowSpan', 'width', 'dataObjectFit'],
    th: [
      'colSpan',
      'rowSpan',
      'scope',
      'width',
      'dataHidden',
      'dataType',
      'dataMax',
      'dataMultiple',
      'dataCardTarget',
      'dataCardCover',
      'dataCardCoverDark',
    ],
    time: ['dateTime'],
    video: ['src', 'controls', 'width', 'height', 'poster', 'muted', 'loop', 'playsInline'],
    '*': anywhere,
  },
  protocols: {
    href: ['http', 'https', 'mailto', 'tel'],
    src: ['http', 'https'],
    srcSet: ['http', 'https'],
    poster: ['http', 'https'],
    cite: ['http', 'https'],
  },
  ancestors: {
    tbody: ['table'],
    td: ['table'],
    tfoot: ['table'],
    th: ['table'],
    thead: ['table'],
    tr: ['table'],
  },
  required: { input: { type: 'checkbox', disabled: true } },
  strip: strippedElements,
  clobber: ['id', 'name', 'ariaDescribedBy', 'ariaLabelledBy'],
  clobberPrefix: idPrefix,
  allowComments: false,
  allowDoctypes: false,
}

/**
 * Returns safe HTML from any HTML. Sanitizing the result again changes nothing. If `place` is given, it returns what an
 * id becomes.
 */
export function sanitize(tree: hast.Root, place?: (id: string) => string): hast.Root {
  // The library prefixes ids each time it runs; an id that has its prefix already must not get another.
  const safe = sanitizer().sanitize(withoutPrefix(tree), schema)
  const root: hast.Root =
    safe.type === 'root' ? safe : { type: 'root', children: safe.type === 'doctype' ? [] : [safe] }
  if (place) placeIds(root, place)
  return root
}

function placeIds(node: hast.Root | hast.Element, place: (id: string) => string): void {
  for (const child of node.children) {
    if (child.type !== 'element') continue
    const { id } = child.properties
    if (typeof id === 'string') child.properties['id'] = place(id.slice(idPrefix.length))
    placeIds(child, place)
  }
}

function withoutPrefix<Node extends hast.Nodes>(node: Node): Node {
  if (!('children' in node)) return node
  const children = node.children.map((child) => withoutPrefix(child as hast.Nodes))
  if (node.type !== 'element') return { ...node, children }
  const id = node.properties['id']
  const own = typeof id === 'string' && id.startsWith(idPrefix)
  const properties = own ? { ...node.properties, id: id.slice(idPrefix.length) } : node.properties
  return { ...node, properties, children }
}
