import type { Inline, InlineImage, Mark } from '../../content/inlines.ts'
import type { Context } from './context.ts'
import { type Element, type Node, attribute, childrenOf, classesOf, elementsIn, isElement, textOf } from './elements.ts'
import { anchorIn } from './footnotes.ts'
import { findFirst } from './selectors.ts'

const marks: Record<string, Mark['type']> = {
  b: 'strong', strong: 'strong', i: 'emphasis', em: 'emphasis', cite: 'emphasis', dfn: 'emphasis', var: 'emphasis',
  s: 'strikethrough', del: 'strikethrough', strike: 'strikethrough', u: 'underline', ins: 'underline',
  kbd: 'keyboard', sup: 'superscript', sub: 'subscript',
} // prettier-ignore

/** Elements that may be visible in browsers, but are not part of the text of a page. */
export const silent = new Set([
  'script', 'style', 'template', 'noscript', 'svg', 'button', 'canvas', 'select', 'textarea', 'dialog', 'link', 'meta',
  'head', 'title', 'object', 'input', 'map', 'area', 'source', 'track', 'progress', 'meter',
]) // prettier-ignore

const separate = new Set(['p', 'div', 'li', 'tr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'section', 'dt', 'dd', 'pre'])

/** Reads running text. Blanks are collapsed as in a browser: one between words, none at the edges of a line. */
export function readInlines(nodes: readonly Node[], context: Context): Inline[] {
  const reader = new InlineReader(context)
  return trimEnd(reader.read(nodes, 0))
}

const maxDepth = 60

class InlineReader {
  readonly #context: Context
  /** Whether a blank at this point would be superfluous. */
  #isBlank = true

  constructor(context: Context) {
    this.#context = context
  }

  read(nodes: readonly Node[], depth: number): Inline[] {
    return nodes.flatMap((node) => {
      if (node.type === 'text') return this.#text(node.value)
      return isElement(node) ? this.#element(node, depth) : []
    })
  }

  #text(value: string): Inline[] {
    // Removes invisible characters, which would otherwise end up in the middle of words.
    const text = value.replace(/[ \t\n\r\f]+/g, ' ').replace(/[\u00ad\u200b\u2060\ufeff]/g, '')
    const shown = this.#isBlank ? text.replace(/^ /, '') : text
    if (shown === '') return []
    this.#isBlank = shown.endsWith(' ')
    return [{ type: 'text', text: shown.replaceAll('\u00a0', ' ') }]
  }

  #element(element: Element, depth: number): Inline[] {
    const { tagName: tag } = element
    if (silent.has(tag) || isHidden(element)) return []
    if (depth > maxDepth) return this.#text(textOf(element))
    const formula = formulaOf(element)
    if (formula !== undefined) return this.#solid({ type: 'math', text: formula })
    const inside = () => this.read(element.children, depth + 1)
    const mark = marks[tag]
    if (mark) {
      const inlines = inside()
      // A reference to a footnote is superscript anyway.
      const isReference = mark === 'superscript' && inlines.every(({ type }) => type === 'footnote-reference')
      return isReference ? inlines : wrap(inlines, (inlines) => ({ type: mark, inlines }))
    }
    switch (tag) {
      case 'a':
        return this.#link(element, inside)
      case 'code':
      case 'tt':
      case 'samp':
        return this.#code(element)
      case 'br':
        this.#isBlank = true
        return [{ type: 'break' }]
      case 'img':
        return this.#image(element)
      case 'iframe':
        return this.#frame(element)
      case 'q':
        return [...this.#text('“'), ...inside(), ...this.#text('”')]
      case 'picture': {
        const image = elementsIn(element).find(({ tagName }) => tagName === 'img')
        return image ? this.#image(image) : []
      }
      default:
        return separate.has(tag) ? [...this.#text(' '), ...inside(), ...this.#text(' ')] : inside()
    }
  }

  #link(element: Element, inside: () => Inline[]): Inline[] {
    const href = attribute(element, 'href')
    if (href === undefined) return inside()
    const label = href.startsWith('#') ? this.#context.footnotes.get(anchorIn(href)) : undefined
    if (label !== undefined) return this.#solid({ type: 'footnote-reference', label })
    const to = this.#context.resolve(href)
    const inlines = inside()
    if (to === undefined) return inlines
    return wrap(inlines, (inlines) => ({ type: 'link', href: to, inlines }))
  }

  #code(element: Element): Inline[] {
    const lines = linesOf(element)
    if (lines.every((text) => text === '')) return []
    const inlines = lines.flatMap((text, index): Inline[] => [
      ...(index > 0 ? [{ type: 'break' } as const] : []),
      ...(text === '' ? [] : [{ type: 'code', text } as const]),
    ])
    const only = elementsIn(element)
    const href = only.length === 1 && only[0]!.tagName === 'a' ? attribute(only[0]!, 'href') : undefined
    const to = href === undefined ? undefined : this.#context.resolve(href)
    // Code has no blanks at its edges, but they separate it from the text beside it.
    const written = textOf(element)
    const before = /^\s/.test(written) ? this.#text(' ') : []
    this.#isBlank = lines.at(-1) === ''
    const after = /\s$/.test(written) ? this.#text(' ') : []
    return [...before, ...(to === undefined ? inlines : [{ type: 'link', href: to, inlines } as const]), ...after]
  }

  #image(element: Element): Inline[] {
    const image = imageOf(element, this.#context)
    if (!image) return []
    if (typeof image === 'string') return this.#text(image)
    return this.#solid(image)
  }

  /** A frame cannot be shown within text, so it becomes a link. */
  #frame(element: Element): Inline[] {
    const to = this.#context.resolve(attribute(element, 'src') ?? '')
    if (to === undefined) return []
    const text = attribute(element, 'title')?.replace(/\s+/g, ' ').trim() || to.replace(/^archive:\/*/, '')
    return this.#solid({ type: 'link', href: to, inlines: [{ type: 'text', text }] })
  }

  #solid(inline: Inline): Inline[] {
    this.#isBlank = false
    return [inline]
  }
}

/** Returns the text of an element line by line. Only a `br` ends a line, as in a browser. */
function linesOf(element: Element): string[] {
  const lines = ['']
  const stack: Node[] = [element]
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (next.type === 'text') lines.push(lines.pop()! + next.value)
    else if (isElement(next) && next.tagName === 'br') lines.push('')
    else for (const child of childrenOf(next).toReversed()) stack.push(child)
  }
  return lines.map((text) => text.replace(/\s+/g, ' ').trim())
}

/** Returns an image, or the text that it stands for if it is an emoji. */
export function imageOf(element: Element, context: Context): InlineImage | string | undefined {
  const alt = (attribute(element, 'alt') ?? '').replace(/\s+/g, ' ').trim()
  // Confluence stores the emoji itself beside its name.
  const sign = attribute(element, 'dataEmojiFallback') ?? alt
  if (classesOf(element).some((name) => /^(tw)?emo(ji|ticon)/.test(name)) && sign !== '') return sign
  // An image that is loaded lazily has its address in another attribute, and a small placeholder in `src`.
  const given = attribute(element, 'src') ?? ''
  const late = attribute(element, 'dataSrc') ?? attribute(element, 'dataOriginal')
  const address = late !== undefined && (given === '' || given.startsWith('data:')) ? late : given
  const src = address.startsWith('data:') ? context.keep(address) : context.resolve(address)
  if (src === undefined || address === '') return undefined
  const title = attribute(element, 'title')?.trim()
  const width = attribute(element, 'width')
  const isSmall = width !== undefined && /^\d+$/.test(width) && Number(width) > 0 && Number(width) <= 400
  return { type: 'image', src, alt, ...(title && { title }), ...(isSmall && { width: width }) }
}

/** Returns the source of a formula. Rendered formulas contain it beside the rendering. */
export function formulaOf(element: Element): string | undefined {
  const classes = classesOf(element)
  const isFormula = classes.some((name) => /^(katex|katex-display|math|MathJax)$/.test(name))
  if (!isFormula && element.tagName !== 'math') return undefined
  const source = findFirst(element, ['annotation[encoding=application/x-tex]'])
  if (source) return textOf(source).trim()
  const written = /^\\[([]([\s\S]*)\\[)\]]$/.exec(textOf(element).trim())?.[1]
  return written?.trim()
}

function isHidden(element: Element): boolean {
  if (attribute(element, 'ariaHidden') === 'true' && element.tagName !== 'img') return textOf(element).trim().length < 3
  return classesOf(element).some((name) => /^(sr-only|visually-hidden|screen-reader-text)$/.test(name))
}

/** Wraps inlines in a mark. Blanks at the edges are placed outside the mark, and blank text is not marked at all. */
function wrap(inlines: Inline[], make: (inlines: Inline[]) => Inline): Inline[] {
  if (!inlines.some((inline) => inline.type !== 'text' || inline.text.trim() !== '')) return inlines
  const first = inlines[0]!
  const before = first.type === 'text' && first.text.startsWith(' ')
  const last = inlines.at(-1)!
  const after = last.type === 'text' && last.text.endsWith(' ')
  const inner = inlines.map((inline, index): Inline => {
    if (inline.type !== 'text') return inline
    let { text } = inline
    if (before && index === 0) text = text.trimStart()
    if (after && index === inlines.length - 1) text = text.trimEnd()
    return { type: 'text', text }
  })
  const blank: Inline = { type: 'text', text: ' ' }
  return [...(before ? [blank] : []), make(inner), ...(after ? [blank] : [])]
}

function trimEnd(inlines: Inline[]): Inline[] {
  const trimmed = [...inlines]
  for (let last = trimmed.at(-1); last; last = trimmed.at(-1)) {
    if (last.type === 'break') trimmed.pop()
    else if (last.type === 'text' && last.text.endsWith(' ')) {
      const text = last.text.trimEnd()
      trimmed.pop()
      if (text === '') continue
      trimmed.push({ type: 'text', text })
    } else break
  }
  while (trimmed[0]?.type === 'break') trimmed.shift()
  return trimmed
}
