import { writeOpenTag } from '../../content/html/attributes.ts'
import { writeRole } from './roles.ts'

const attribute = String.raw`(?:[.#][\w:-]{1,100}|[\w-]{1,100}=(?:"[^"]{0,200}"|'[^']{0,200}'|[^\s}"']{1,200}))`
const list = String.raw`\{:?\s{0,20}${attribute}(?:\s{1,20}${attribute}){0,20}\s{0,20}\}`
/**
 * A link, a picture, emphasized text, or text in angle brackets, followed by its attributes in braces. Any other brace
 * belongs to the text.
 */
const behind = new RegExp(
  [
    String.raw`(\]\((?:<[^<>]*>|(?:[^()\s<>]|\([^()]*\))*)(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)`,
    String.raw`\]\[[^[\]]*\]`,
    String.raw`(?<![\w\\*])\*{1,3}[^*\s][^*]*\*{1,3}`,
    String.raw`(?<![\w\\_])_{1,3}[^_\s][^_]*_{1,3}`,
    String.raw`<[^<>\s][^<>]*>)${list}`,
  ].join('|'),
  'g',
)
/** Icons by name (MkDocs), with their attributes. */
export const icons = new RegExp(`:(?:material|fontawesome|octicons|simple)-[a-z0-9-]+:(?:${list})? ?`, 'g')
const inFront = new RegExp(`^${list}`)
const whole = new RegExp(`^${list}$`)

/**
 * Removes the attributes in braces of a link, a picture or a heading (MkDocs, Jekyll). An id is kept, in the syntax
 * used here. Template syntax for addresses becomes plain, and the names of icons are removed.
 */
export function withoutAttributes(line: string): string {
  if (!/[{:~^]|`#!|\+\+|==|<Badge|\$|\\\(|[\s"]=\d*x|\(uploads\//.test(line)) return line
  const plain = /^ {0,3}#{1,6}\s/.test(line) ? headingOf(line) : line
  return piecesOf(withRoles(plain))
    .map(({ text, isCode }, index) =>
      isCode ? asFormula(withoutLanguage(text)) : withoutSigns(index === 0 ? text : text.replace(inFront, '')),
    )
    .join('')
}

/**
 * Converts inline code with a role in front of it (Sphinx). A brace within code, as in `/users/{id}`, is not a role for
 * the code after it.
 */
function withRoles(line: string): string {
  if (!line.includes('}`')) return line
  let written = ''
  let from = 0
  for (const [start, end] of codeIn(line)) {
    const before = line.slice(from, start)
    const role = /(?<![\w`{])\{([a-z][\w:-]{0,40})\}$/.exec(before.slice(-50))
    const code = line.slice(start, end)
    const text = code.startsWith('``') || code.length > longestRole ? undefined : code.slice(1, -1)
    written += role && text !== undefined ? before.slice(0, -role[0].length) + writeRole(role[1]!, text) : before + code
    from = end
  }
  return written + line.slice(from)
}

const longestRole = 500

/** Removes the language that inline code may begin with (MkDocs). A shebang is followed by a path, and stays. */
const withoutLanguage = (code: string) => code.replace(/^(`+)#![\w+-]+ (?=\S)/, '$1')

/** Converts `$x^2$` (MkDocs, Docusaurus). Without a sign of a formula it may be a price or a name, and stays. */
const asFormula = (code: string) => {
  if (code.startsWith('\\(')) return isFormula(code.slice(2, -2)) ? `$$${code.slice(2, -2).trim()}$$` : code
  return /^\$[^$]/.test(code) && /\\[A-Za-z]|[\^=]|_\{/.test(code) ? `$${code}$` : code
}

/**
 * Between `\\(` and `\\)` there is either a formula (MkDocs) or text in escaped brackets. A formula contains a command,
 * or a sign and no word of three or more letters.
 */
export function isFormula(text: string): boolean {
  if (/\]\(|https?:\/\//.test(text)) return false
  if (/\\[A-Za-z]/.test(text)) return true
  const plain = text.replace(/[_^]\{[^{}]*\}/g, '_')
  return /[\^=_<>]|^\s*[A-Za-z]\s*$/.test(plain) && !/[A-Za-z]{3}/.test(plain)
}

interface Piece {
  text: string
  /** Whether this is code or a formula, which must not be read as Markdown. */
  isCode: boolean
}

/** Splits a line into text, code and formulas. */
export function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const [start, end] of [...codeIn(line), [line.length, line.length] as const]) {
    const words = line
      .slice(from, start)
      .split(/(\$\$[^$]+\$\$|(?<![\w\\])\\\((?:[^\\]|\\[^()\\]){1,500}\\\)|\$(?=\S)[^$]*[^\s$\\]\$(?!\w))/)
    words.forEach((text, index) => pieces.push({ text, isCode: index % 2 === 1 }))
    if (end > start) pieces.push({ text: line.slice(start, end), isCode: true })
    from = end
  }
  return pieces
}

/** Returns where inline code begins and ends. It ends at a run of as many backticks as it began with. */
function codeIn(line: string): (readonly [start: number, end: number])[] {
  const runs = Array.from(line.matchAll(/`+/g), ({ 0: { length }, index }) => ({ index, length }))
  const closing: (number | undefined)[] = []
  const later = new Map<number, number>()
  for (let at = runs.length - 1; at >= 0; at--) {
    const { length } = runs[at]!
    closing[at] = later.get(length)
    later.set(length, at)
  }
  const found: (readonly [number, number])[] = []
  for (let at = 0; at < runs.length; at++) {
    const { index, length } = runs[at]!
    const end = closing[at]
    const isEscaped = length === 1 && line[index - 1] === '\\'
    if (end === undefined || isEscaped) continue
    found.push([index, runs[end]!.index + length])
    at = end
  }
  return found
}

function headingOf(line: string): string {
  const at = line.lastIndexOf('{')
  const said = at === -1 ? '' : line.slice(at).trimEnd()
  if (!whole.test(said)) return line
  const id = /[{:\s]#([\w:.-]+)/.exec(said)?.[1]
  return line.slice(0, at).trimEnd() + (id === undefined ? '' : ` {#${id}}`)
}

/** `++ctrl+alt+del++` (MkDocs). */
const keys = /(?<![\w+{])\+\+([a-z0-9_-]{1,20}(?:\+[a-z0-9_-]{1,20}){0,5})\+\+(?![\w+])/g

const keyOf = (name: string) => `<kbd>${name.charAt(0).toUpperCase()}${name.slice(1)}</kbd>`

/** A Hugo shortcode that shows the words passed to it. */
const shortcodeOfText =
  /\{\{[<%]\s{0,9}[\w-]{1,50}(?:\s{1,9}[\w-]{1,50}="[^"]{0,200}"){0,5}?\s{1,9}(?:text|content)="([^"]{0,200})"(?:\s{1,9}[\w-]{1,50}="[^"]{0,200}"){0,5}\s{0,9}[>%]\}\}/g

/** Hugo shortcodes for the address of a page, and for a button that leads to an address. */
const shortcodeOfAddress =
  /\{\{[<%]\s{0,9}(?:rel)?ref\s{1,9}(?:path=)?["'`]?([^"'`\s]{1,500})["'`]?(?:\s{1,9}[^{}]{0,200}?)?\s{0,9}[>%]\}\}/g
const shortcodeOfButton =
  /\{\{[<%]\s{0,9}button\s(?:[^{}]{0,200}\s)?(?:href|relref)="([^"<>]{0,500})"[^{}]{0,200}[>%]\}\}([^{}]{0,500})\{\{[<%]\s{0,9}\/\s{0,9}button\s{0,9}[>%]\}\}/g
const shortcodeOfFormula =
  /\{\{[<%]\s{0,9}(?:katex|math|latex)\s{0,9}[>%]\}\}((?:(?!\{\{)[^]){0,1000})\{\{[<%]\s{0,9}\/\s{0,9}(?:katex|math|latex)\s{0,9}[>%]\}\}/g
const shortcodeOfIcon = /\{\{[<%]\s{0,9}icon\s[^{}]{0,200}[>%]\}\} ?/g
/** Any other pair of shortcodes around a text. */
const shortcodeAround =
  /\{\{[<%]\s{0,9}([\w-]{1,50})(?:\s[^{}]{0,300})?[>%]\}\}((?:(?!\{\{)[^]){0,1000})\{\{[<%]\s{0,9}\/\s{0,9}\1\s{0,9}[>%]\}\}/g

/** Converts additions, deletions and highlights, and removes comments (Critic Markup, MkDocs). */
const withoutCritic = (text: string) =>
  text
    .replace(/\{\+\+([^{}+]{1,500})\+\+\}/g, '<u>$1</u>')
    .replace(/\{--([^{}]{1,500}?)--\}/g, '~~$1~~')
    .replace(/\{~~([^{}~]{1,500})~>([^{}~]{1,500})~~\}/g, '~~$1~~ $2')
    .replace(/\{==([^{}=]{1,500})==\}/g, '<mark>$1</mark>')
    .replace(/\{>>[^{}]{1,500}<<\}/g, '')

/**
 * Reads `H~2~O` and `x^2^` (MkDocs, Wiki.js, Pandoc): only right after a letter or a digit, and only if short.
 * Otherwise the sign has another meaning, as in addresses and in versions such as `1~rc.2~jammy`.
 */
const small = String.raw`[A-Za-z0-9+\-−,.()*′]{1,20}`
const address = String.raw`\]\([^()\s]*|https?:\/\/[^\s<>]*|<[A-Za-z/][^<>]*>`
const raised = new RegExp(
  String.raw`${address}|(?<=[A-Za-z0-9)\]])~([0-9+\-−]{1,20}(?=~(?![~0-9]))|${small}(?=~(?![~0-9a-z])))~` +
    String.raw`|(?<=[A-Za-z0-9)\]>])\^(${small})\^(?![\^0-9])`,
  'g',
)

const withRaised = (text: string) =>
  text.replace(raised, (whole: string, below: string | undefined, above: string | undefined) => {
    if (below !== undefined) return `<sub>${below}</sub>`
    return above === undefined ? whole : `<sup>${above}</sup>`
  })

/** A picture with its size: `![a](b.png =100x50)` (Wiki.js), `![a](b.png " =100x50")` (Outline). */
const sizedPicture =
  /!\[([^[\]]{0,300})\]\(([^()\s<>"]{1,500})\s{1,9}(?:"\s?=(\d{0,5})x(\d{0,5})"|=(\d{0,5})x(\d{0,5}))\)/g

function writeSized(...[, alt = '', src = '', ...size]: (string | undefined)[]): string {
  const [width, height] = [size[0] ?? size[2] ?? '', size[1] ?? size[3] ?? '']
  return writeOpenTag('img', { src, alt, ...(width !== '' && { width }), ...(height !== '' && { height }) })
}

const withoutSigns = (text: string) =>
  withRaised(text.includes('{') ? withoutCritic(text) : text)
    .replace(sizedPicture, writeSized)
    .replace(/@\[([^[\]]{1,200})\]\(mention:[^()\s]{0,300}\)/g, '@$1')
    .replace(/\[([^[\]]{1,200}\.[A-Za-z0-9]{1,5}) \d{1,12}\](?=\((?:\.\.?\/)*uploads\/)/g, '[$1]')
    .replace(icons, '')
    .replace(keys, (_, names: string) => names.split('+').map(keyOf).join('+'))
    .replace(/(?<![\w=])==([^\s=](?:[^=]*[^\s=])?)==(?![\w=])/g, '<mark>$1</mark>')
    .replace(/\^\^([^\s^](?:[^^]*[^\s^])?)\^\^/g, '<u>$1</u>')
    .replace(/<Badge\b[^<>]*?\stext=["']([^"'<>]*)["'][^<>]*>/g, '$1')
    .replace(shortcodeOfText, '$1')
    .replace(shortcodeOfAddress, '$1')
    .replace(shortcodeOfFormula, (_, formula: string) => `$$${formula.trim()}$$`)
    .replace(shortcodeOfButton, (_, href: string, words: string) => `[${words.trim()}](<${href}>)`)
    .replace(shortcodeOfIcon, '')
    .replace(shortcodeAround, '$2')
    .replace(/\{\{-?\s*site\.(?:baseurl|url)\s*-?\}\}/g, '')
    .replace(/\{\{\s*["']([^"']*)["']\s*\|\s*(?:relative_url|absolute_url)\s*\}\}/g, '$1')
    .replace(/\{%-?\s*(?:link|post_url)\s+(\S+)\s*-?%\}/g, '/$1')
    .replace(/\{%-?\s{0,9}(?:end)?raw\s{0,9}-?%\}/g, '')
    .replace(behind, '$1')
