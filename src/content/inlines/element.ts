import { frameAddress } from '../html/frames.ts'
import type { Inline } from '../inlines.ts'
import type { Attributes, Range } from '../tree.ts'
import { emojiByCode } from './emoji.ts'
import { firstAddress, isForDark } from './image.ts'
import { plainText } from './text.ts'

/** Returns the inline for an HTML element in running text. Used for Markdown and for the cells of HTML tables. */
export function inlineFromElement(
  name: string,
  attributes: Attributes,
  inlines: readonly Inline[],
  range?: Range,
): Inline {
  const place = range === undefined ? {} : { range }
  switch (name) {
    case 'b':
    case 'strong':
      return { type: 'strong', inlines }
    case 'i':
      return iconName(attributes) === undefined
        ? { type: 'emphasis', inlines }
        : { type: 'icon', name: iconName(attributes) ?? '' }
    case 'em':
      return { type: 'emphasis', inlines }
    case 'del':
    case 's':
    case 'strike':
      return { type: 'strikethrough', inlines }
    case 'ins':
    case 'u':
      return { type: 'underline', inlines }
    case 'kbd':
      return { type: 'keyboard', inlines }
    case 'sub':
      return { type: 'subscript', inlines }
    case 'sup':
      return { type: 'superscript', inlines }
    case 'mark':
      return { type: 'color', ...colors(attributes), inlines }
    case 'br':
      return { type: 'break' }
    case 'code':
      return hasClass(attributes, 'expression')
        ? { type: 'expression', source: plainText(inlines).trim() }
        : { type: 'code', text: writtenText(inlines) }
    case 'img':
      return { ...imageFromAttributes(attributes), ...place }
    case 'picture':
      return { ...pictureFrom(inlines), ...place }
    case 'a':
      return linkFrom(attributes, inlines, place)
    case 'iframe':
      return frameFrom(attributes, place) ?? { type: 'element', name, attributes, inlines, ...place }
    case 'span':
      return (
        emojiFrom(attributes) ??
        mathFrom(attributes, inlines, range) ?? { type: 'element', name, attributes, inlines, ...place }
      )
    default:
      return { type: 'element', name, attributes, inlines, ...place }
  }
}

/** Returns the text as it was written, if it was parsed before it was known to be code or math. */
function writtenText(inlines: readonly Inline[]): string {
  return plainText(
    inlines.map((inline): Inline => {
      if (inline.type === 'expression') return { type: 'text', text: `{{ ${inline.source} }}` }
      return inline.type === 'emoji' ? { type: 'text', text: `:${inline.name}:` } : inline
    }),
  )
}

/** GitBook writes an emoji in HTML as `<span data-gb-custom-inline data-tag="emoji" data-code="1f4a1">💡</span>`. */
function emojiFrom(attributes: Attributes): Inline | undefined {
  const code = attributes['data-tag'] === 'emoji' ? attributes['data-code'] : undefined
  return typeof code === 'string' ? emojiByCode(code)[0] : undefined
}

/**
 * GitBook writes math in HTML as `<span class="math">x_1</span>`. In running text, math has its own delimiters, and the
 * content of such a tag has been parsed as Markdown, so it is not read as math there.
 */
function mathFrom(attributes: Attributes, inlines: readonly Inline[], range: Range | undefined): Inline | undefined {
  if (range !== undefined || !hasClass(attributes, 'math')) return undefined
  const isFormula = inlines.every(({ type }) => type === 'text' || type === 'emoji')
  return isFormula ? { type: 'math', text: writtenText(inlines) } : undefined
}

function imageFromAttributes(attributes: Attributes): Extract<Inline, { type: 'image' }> {
  const text = (name: string) => (typeof attributes[name] === 'string' ? attributes[name] : undefined)
  const { src: _, alt: _alt, title: _title, 'data-size': size, width: _width, height: _height, ...others } = attributes
  return {
    type: 'image',
    src: text('src') ?? '',
    alt: text('alt') ?? '',
    ...(text('title') ? { title: text('title') } : {}),
    ...(size === 'line' || size === 'original' ? { size } : {}),
    ...(text('width') ? { width: text('width') } : {}),
    ...(text('height') ? { height: text('height') } : {}),
    ...(Object.keys(others).length > 0 ? { others } : {}),
  }
}

/** Reads `<picture>`: the image, the source that GitBook writes for dark mode, and any others. */
function pictureFrom(inlines: readonly Inline[]): Inline {
  const image = inlines.find((inline) => inline.type === 'image') ?? imageFromAttributes({})
  const sources = inlines.flatMap((inline) =>
    inline.type === 'element' && inline.name === 'source' ? [inline.attributes] : [],
  )
  const dark = sources.find(isForDark)
  const srcDark = firstAddress(dark?.['srcset'])
  const hasOthers = sources.some((source) => source !== dark)
  return {
    ...image,
    ...(srcDark === undefined ? {} : { srcDark }),
    ...(hasOthers ? { sources } : {}),
  }
}

function linkFrom(attributes: Attributes, inlines: readonly Inline[], place: { range?: Range }): Inline {
  const { href, title, id = attributes['name'] } = attributes
  // GitBook writes the id of a heading as `<a href="#id" id="id"></a>`.
  if (typeof id === 'string' && inlines.length === 0) return { type: 'anchor', id }
  if (typeof href === 'string' && attributes['data-footnote-ref'] !== undefined) {
    const label = annotatedLabel(href)
    if (label !== undefined) return { type: 'footnote-reference', label, ...(inlines.length > 0 ? { inlines } : {}) }
  }
  if (typeof href !== 'string') return { type: 'element', name: 'a', attributes, inlines, ...place }
  if (attributes['data-mention'] !== undefined) return { type: 'mention', href, inlines, ...place }
  if (hasClass(attributes, 'button')) {
    const icon = attributes['data-icon']
    const kind = hasClass(attributes, 'secondary') ? 'secondary' : 'primary'
    return { type: 'button', href, kind, ...(typeof icon === 'string' ? { icon } : {}), inlines, ...place }
  }
  return { type: 'link', href, ...(typeof title === 'string' ? { title } : {}), inlines, ...place }
}

/** A frame in running text becomes a link to what it would show. */
function frameFrom(attributes: Attributes, place: { range?: Range }): Inline | undefined {
  const href = frameAddress(attributes['src'])
  return href === undefined ? undefined : { type: 'link', href, inlines: [{ type: 'text', text: href }], ...place }
}

/** Returns the label of the footnote that an address leads to: `#user-content-fn-1`. */
export function annotatedLabel(href: string): string | undefined {
  return /^#user-content-fn-([^\s[\]]{1,200})$/.exec(href)?.[1]
}

function iconName(attributes: Attributes): string | undefined {
  const classes = typeof attributes['class'] === 'string' ? attributes['class'].split(/\s+/) : []
  const styles = new Set(['fa-solid', 'fa-regular', 'fa-light', 'fa-thin', 'fa-brands', 'fa-duotone'])
  return classes.find((name) => name.startsWith('fa-') && !styles.has(name))?.slice(3)
}

function hasClass(attributes: Attributes, name: string): boolean {
  const value = attributes['class']
  return typeof value === 'string' && value.split(/\s+/).includes(name)
}

/** Reads `style="color:red;background-color:blue;"` as GitBook writes it. */
function colors(attributes: Attributes): { color?: string; background?: string } {
  const style = typeof attributes['style'] === 'string' ? attributes['style'] : ''
  const find = (property: string) =>
    style
      .split(';')
      .map((rule) => rule.split(':').map((part) => part.trim()))
      .find(([name]) => name === property)?.[1]
  const [color, background] = [find('color'), find('background-color')]
  return { ...(color ? { color } : {}), ...(background ? { background } : {}) }
}
