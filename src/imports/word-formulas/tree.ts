import { spelledOut } from '../../saml/xml/elements.ts'

/** An element of a formula in a word processor document, with its name without the namespace. */
export interface Part {
  name: string
  /** The text directly in the element. Only the `t` elements of runs have any. */
  text: string
  value: string | undefined
  parts: Part[]
}

/** Limit for nested elements. No formula written by a person nests deeper. */
const deepest = 64

/** Returns undefined if the text is not XML or nests too deep. */
export function treeOf(xml: string): Part | undefined {
  const root: Part = { name: '', text: '', value: undefined, parts: [] }
  const open = [root]
  for (const [, end, name, attributes, empty, text] of xml.matchAll(pieces)) {
    const current = open.at(-1)!
    if (text !== undefined) current.text += spelledOut(text)
    else if (end !== '') {
      if (open.pop()!.name !== name || open.length === 0) return undefined
    } else {
      const part: Part = { name: name!, text: '', value: valueIn(attributes!), parts: [] }
      current.parts.push(part)
      if (empty === '') open.push(part)
      if (open.length > deepest) return undefined
    }
  }
  return open.length === 1 ? root : undefined
}

const pieces = /<(\/?)(?:\w+:)?(\w+)((?:[^<>"'/]|\/(?!>)|"[^"<]*"|'[^'<]*')*)(\/?)>|([^<]+)/g

function valueIn(attributes: string): string | undefined {
  const found = /\sm:val\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(attributes)
  return found ? spelledOut(found[1] ?? found[2] ?? '') : undefined
}

/** Returns the first child with this name. */
export const partOf = (part: Part, name: string) => part.parts.find((each) => each.name === name)

/**
 * Returns the value of a property of the element: undefined if it is not set, and an empty text if it is named without
 * a value.
 */
export function property({ name, parts }: Part, called: string): string | undefined {
  const properties = parts.find((each) => each.name === `${name}Pr`)
  const found = properties && partOf(properties, called)
  return found && (found.value ?? '')
}

/** Whether the properties switch something on. Naming it without a value also switches it on. */
export function isOn(part: Part, called: string): boolean {
  const value = property(part, called)
  return value !== undefined && !['0', 'off', 'false'].includes(value)
}
