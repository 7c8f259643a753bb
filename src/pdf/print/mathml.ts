/** An element of MathML. */
export interface Element {
  name: string
  attributes: Record<string, string | undefined>
  children: (Element | string)[]
}

/**
 * Reads MathML as temml writes it: every element is closed, every attribute quoted. Anything else throws an error, and
 * the formula is then printed as it was written.
 */
export function readMathML(markup: string): Element {
  const root: Element = { name: '', attributes: {}, children: [] }
  const open = [root]
  for (const [whole, isEnd, name, attributes = '', isEmpty] of markup.matchAll(tokens)) {
    const parent = open.at(-1)!
    if (name === undefined) {
      parent.children.push(decode(whole))
    } else if (isEnd) {
      if (open.pop()!.name !== name || open.length === 0) throw new Error(`</${name}> closes nothing`)
    } else {
      const element: Element = { name, attributes: readAttributes(attributes), children: [] }
      parent.children.push(element)
      if (!isEmpty) open.push(element)
    }
  }
  const [math] = childrenOf(root)
  if (!math || open.length !== 1) throw new Error('It is not closed')
  return math
}

const tokens = /<(\/)?([a-z]+)((?:\s+[\w-]+=(?:"[^"]*"|'[^']*'))*)\s*(\/)?>|[^<]+/g

const readAttributes = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/([\w-]+)=(?:"([^"]*)"|'([^']*)')/g)].map(([, name, double, single]) => [
      name!,
      decode(double ?? single ?? ''),
    ]),
  )

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

const decode = (text: string) =>
  text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]+));/gi, (whole, hex, decimal, name) =>
    name === undefined ? String.fromCodePoint(hex ? parseInt(hex, 16) : Number(decimal)) : (named[name] ?? whole),
  )

export const childrenOf = ({ children }: Element): Element[] =>
  children.filter((child): child is Element => typeof child !== 'string')

/** Returns all text in the element. */
export const textOf = ({ children }: Element): string =>
  children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('')
