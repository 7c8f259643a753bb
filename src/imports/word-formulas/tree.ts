import { spelledOut } from '../../saml/xml/elements.ts'

/** An element of a formula as a word processor writes it, by its name without the namespace. */
export interface Part {
  name: string
  /** Its own text, which only runs have. */
  text: string
  value: string | undefined
  parts: Part[]
}

/** A formula that nests deeper is none that somebody wrote. */
const deepest = 64

/** Undefined where it is no XML, or nests too deep. */
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

/** The first one that is called so. */
export const partOf = (part: Part, name: string) => part.parts.find((each) => each.name === name)

/** What its properties say about something: undefined where nothing, and an empty text where it is named without a value. */
export function property({ name, parts }: Part, called: string): string | undefined {
  const properties = parts.find((each) => each.name === `${name}Pr`)
  const found = properties && partOf(properties, called)
  return found && (found.value ?? '')
}

/** Whether its properties switch something on, which they do by naming it alone, too. */
export function isOn(part: Part, called: string): boolean {
  const value = property(part, called)
  return value !== undefined && !['0', 'off', 'false'].includes(value)
}
