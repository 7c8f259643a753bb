/** Elements that are removed with all of their content: none of it is meant to be read. */
export const strippedElements = [
  'script', 'style', 'template', 'iframe', 'object', 'embed', 'svg', 'math', 'noscript', 'xmp', 'plaintext',
] // prettier-ignore

export const isStripped = (name: string): boolean => strippedElements.includes(name.toLowerCase())

const withContent = strippedElements.filter((name) => name !== 'embed').join('|')
// These two may end in themselves, as in `<svg/>`.
const alone = '<(?:svg|math)(?=[\\s/>])[^<>]*/>'
const stripped = new RegExp(`${alone}|<(${withContent})(?=[\\s/>])[^<>]*>[^]*?(?:</\\1\\s*>|$)`, 'gi')

/** Returns HTML without such elements. Only for extracting its text: the result is not safe to show. */
export const withoutStripped = (html: string): string => html.replace(stripped, ' ')
