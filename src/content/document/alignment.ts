/** The alignment of text, in the terms of HTML. Documents use other terms. */
export type Align = 'left' | 'center' | 'right'

const documentWords = { left: 'start', center: 'center', right: 'end' } as const

export const isAlign = (value: unknown): value is Align =>
  typeof value === 'string' && Object.hasOwn(documentWords, value)

export const toAlignment = (align: Align | undefined) => align && documentWords[align]

export function fromAlignment(value: unknown): { align?: Align } {
  const align = (['left', 'center', 'right'] as const).find((each) => documentWords[each] === value)
  return align === undefined ? {} : { align }
}
