const attribute = String.raw`(?:[.#][\w:-]{1,100}|[\w-]{1,100}=(?:"[^"]{0,200}"|'[^']{0,200}'|[^\s}"']{1,200}))`
const list = String.raw`\{:?\s{0,20}${attribute}(?:\s{1,20}${attribute}){0,20}\s{0,20}\}`
const behind = new RegExp(`([)\\]*_>])${list}`, 'g')
const inFront = new RegExp(`^${list}`)
const whole = new RegExp(`^${list}$`)

/**
 * What is said about a link, a picture or a heading in braces (MkDocs, Jekyll): an id stays, as it is written here. What
 * addresses are called by, and signs that are pictures there, become plain.
 */
export function withoutAttributes(line: string): string {
  if (!/[{:]/.test(line)) return line
  const plain = /^ {0,3}#{1,6}\s/.test(line) ? headingOf(line) : line
  // What stands in code says what it says.
  return plain
    .split(/(`+[^`]*`+)/)
    .map((part, index) => (index % 2 === 1 ? part : withoutSigns(index === 0 ? part : part.replace(inFront, ''))))
    .join('')
}

function headingOf(line: string): string {
  const at = line.lastIndexOf('{')
  const said = at === -1 ? '' : line.slice(at).trimEnd()
  if (!whole.test(said)) return line
  const id = /[{:\s]#([\w:.-]+)/.exec(said)?.[1]
  return line.slice(0, at).trimEnd() + (id === undefined ? '' : ` {#${id}}`)
}

const withoutSigns = (text: string) =>
  text
    .replace(behind, '$1')
    .replace(/:(?:material|fontawesome|octicons|simple)-[a-z0-9-]+: ?/g, '')
    .replace(/\{\{[<%]\s*(?:rel)?ref\s+["'`]?([^"'`\s]+)["'`]?\s*[>%]\}\}/g, '$1')
    .replace(/\{\{-?\s*site\.(?:baseurl|url)\s*-?\}\}/g, '')
    .replace(/\{\{\s*["']([^"']*)["']\s*\|\s*(?:relative_url|absolute_url)\s*\}\}/g, '$1')
    .replace(/\{%-?\s*(?:link|post_url)\s+(\S+)\s*-?%\}/g, '/$1')
