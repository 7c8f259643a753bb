import type * as hast from 'hast'
import type { Images } from '../blocks/images.ts'
import type { Inline, InlineImage, InlineMath } from '../inlines.ts'

/** Returns what a user may change about a piece, as attributes of the element that stands for it. */
export function saidOf(piece: Inline): Readonly<Record<string, string>> {
  if (piece.type === 'image') return saidOfPicture(piece)
  return piece.type === 'math' ? saidOfFormula(piece) : {}
}

export const saidOfPicture = ({
  src,
  srcDark = '',
  alt,
  width = '',
}: InlineImage): Readonly<Record<string, string>> => ({
  'data-picture': '',
  'data-address': src,
  'data-dark': srcDark,
  'data-alt': alt,
  'data-width': width,
})

export const saidOfFormula = ({ text }: Pick<InlineMath, 'text'>): Readonly<Record<string, string>> => ({
  'data-formula': text,
})

/** Reads a piece. Returns the same object if nothing about it was changed. */
export function readPiece(element: hast.Element, before: Inline): Inline {
  if (before.type === 'image') return readPicture(element, before)
  return before.type === 'math' ? readFormula(element, before, withinLine) : before
}

/** Without a width, a picture has its own width. Readers see no other values than these. */
const width = /^(?:\d{1,5}|\d{1,3}%)?$/

export function readPicture<Picture extends InlineImage>(element: hast.Element, before: Picture): Picture {
  const src = saidAnew(element, 'dataAddress', before.src)?.trim()
  const dark = saidAnew(element, 'dataDark', before.srcDark ?? '')?.trim()
  const alt = saidAnew(element, 'dataAlt', before.alt)
  const wide = saidAnew(element, 'dataWidth', before.width ?? '')
  let now = before
  if (alt !== undefined) now = { ...now, alt: oneLine(alt) }
  if (src) {
    // The address may have come from a reference, and the other sizes belong to the previous picture.
    const { reference: _, sources: _sources, others = {}, ...rest } = now
    const { srcset: _srcset, sizes: _sizes, ...left } = others
    now = { ...(rest as Picture), ...(Object.keys(left).length > 0 ? { others: left } : {}), src }
  }
  if (dark !== undefined) {
    const { srcDark: _, ...rest } = now
    now = { ...(rest as Picture), ...(dark === '' ? {} : { srcDark: dark }) }
  }
  if (wide !== undefined && width.test(wide)) {
    // Without a height, the picture keeps its own proportions.
    const { width: _, height: _height, size: _size, ...rest } = now
    now = { ...(rest as Picture), ...(wide === '' ? {} : { width: wide }) }
  }
  return now
}

/** Returns the side of pictures, or '' for the middle. It may also be set on the element around them. */
export function sideOf({ align, others }: Pick<Images, 'align' | 'others'>): string {
  const said = align ?? others?.['align']
  return said === 'left' || said === 'right' ? said : ''
}

/** Reads the side of pictures. All pictures of a block are on one side, so a change to one of them applies to all. */
export function readSide(places: readonly hast.Element[], block: Images): Images {
  const before = sideOf(block)
  const side = places.flatMap((place) => saidAnew(place, 'dataSide', before) ?? []).find(isSide)
  if (side === undefined) return block
  const { align: _, ...rest } = block
  if (side !== '') return { ...rest, align: side }
  return block.others?.['align'] === undefined ? rest : { ...rest, align: 'center' }
}

const isSide = (side: string): boolean => ['', 'left', 'right'].includes(side)

/** Reads a formula. An empty one is ignored: the formula before it stays. */
export function readFormula<Formula extends { readonly text: string }>(
  element: hast.Element,
  before: Formula,
  within: (text: string) => string = (text) => text.trim(),
): Formula {
  const said = saidAnew(element, 'dataFormula', before.text)
  const text = said === undefined ? '' : within(said)
  return text === '' ? before : { ...before, text }
}

/** Reads a formula that was not there before. */
export function newFormula({ properties }: hast.Element): Inline[] {
  const text = withinLine(String(properties['dataFormula'] ?? ''))
  return text === '' ? [] : [{ type: 'math', text }]
}

/** Removes the signs of a formula from its text, which must not contain them. */
const withinLine = (text: string): string =>
  oneLine(text)
    .replace(/^\$+|(?<!\$)\$+$/g, '')
    .replace(/\${2,}/g, '$')
    .trim()

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Returns the new value, or undefined if nobody changed it. Not every character survives the markup of a browser. */
export function saidAnew({ properties }: hast.Element, name: string, before: string): string | undefined {
  const now = properties[name]
  if (typeof now !== 'string' || now === before) return undefined
  return now === before.replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD') ? undefined : now
}
