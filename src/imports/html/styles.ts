import { type Element, attribute } from './elements.ts'

/** Returns the inline style of an element, in lower case. */
export function styleOf(element: Element): ReadonlyMap<string, string> {
  const rules = (attribute(element, 'style') ?? '').toLowerCase().split(';')
  return new Map(
    rules.flatMap((rule) => {
      const colon = rule.indexOf(':')
      return colon === -1 ? [] : [[rule.slice(0, colon).trim(), rule.slice(colon + 1).trim()] as const]
    }),
  )
}
