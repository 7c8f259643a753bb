/** Elements that are taken out with all that is in them: none of it is meant to be read. */
export const strippedElements = [
  'script', 'style', 'template', 'iframe', 'object', 'embed', 'svg', 'math', 'noscript', 'xmp', 'plaintext',
] // prettier-ignore

export const isStripped = (name: string): boolean => strippedElements.includes(name.toLowerCase())

const withContent = strippedElements.filter((name) => name !== 'embed').join('|')
const stripped = new RegExp(`<(${withContent})(?=[\\s/>])[^<>]*>[^]*?(?:</\\1\\s*>|$)`, 'gi')

/** HTML without such elements. For its text only: what is left is not safe to show. */
export const withoutStripped = (html: string): string => html.replace(stripped, ' ')
