import { piecesOf } from './inline.ts'
import { fenceAfter } from './lines.ts'

/** Packages of documentation tools. In a file that is not called `.mdx`, only imports of these are treated as code. */
const ofTools = /["'](@theme|@site|@docusaurus|@astrojs|astro|nextra|fumadocs)[/\w-]*|\.mdx?["']/

/** Removes what an MDX page is computed with: imports, exports, comments, and attributes that are code. */
export function withoutModules(source: readonly string[], isMdx: boolean): string[] {
  const lines = isMdx ? withoutComments(unwrapped(source)) : source
  const pictures = isMdx ? picturesIn(lines) : new Map<string, string>()
  const written: string[] = []
  let fence = ''
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    const before = fence
    fence = fenceAfter(line, fence)
    const isCode = before !== '' || fence !== ''
    const until = isCode ? at : endOfStatement(lines, at, isMdx)
    if (until > at) {
      at = until - 1
      // Does not leave two blank lines in the place of the statement.
      if ((written.at(-1) ?? '').trim() === '' && lines[until]?.trim() === '') at += 1
    } else if (isMdx && !isCode) {
      const end = endOfPicture(lines, at)
      const [first, ...more] = lines.slice(at, end + 1)
      written.push(withoutCode([first, ...more.map((each) => each.trim())].join(' '), pictures))
      at = end
    } else written.push(line)
  }
  return written
}

/**
 * Unwraps code that is shown as a part of the page, and is in a code block only so that translators leave it alone
 * (Docusaurus).
 */
function unwrapped(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => line.startsWith('```mdx-code-block'))) return lines
  let fence = ''
  let isWrapped = false
  return lines.filter((line) => {
    const before = fence
    fence = fenceAfter(line, fence)
    const begins = before === '' && /^`{3,}mdx-code-block\s*$/.test(line)
    const ends = isWrapped && fence === ''
    isWrapped = begins || (isWrapped && !ends)
    return !begins && !ends
  })
}

/** Returns the line after a statement, or `at` if no statement begins there. */
function endOfStatement(lines: readonly string[], at: number, isMdx: boolean): number {
  const line = lines[at]!
  if (/^import\s/.test(line)) {
    const most = Math.min(lines.length, at + 50)
    for (let end = at; end < most && lines[end]!.trim() !== ''; end++) {
      if (!/(?:from\s+|^import\s+)["'][^"']+["'];?\s*$/.test(lines[end]!)) continue
      return isMdx || ofTools.test(lines[end]!) ? end + 1 : at
    }
  }
  return isMdx && /^export\s+(const|let|var|function|default|async|class)\b/.test(line) ? endOfExport(lines, at) : at
}

/** Returns the first blank line outside all brackets, or before a line that cannot be code within them. */
function endOfExport(lines: readonly string[], at: number): number {
  let depth = 0
  let end = at
  for (; end < lines.length; end++) {
    const line = lines[end]!
    if (line.trim() === '') {
      if (depth <= 0 || !/^(?:\s|$|[)\]}])/.test(lines[end + 1] ?? 'end')) return end
    }
    // Brackets in strings do not count.
    for (const [sign] of line.replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '').matchAll(/[([{}\])]/g))
      depth += '([{'.includes(sign) ? 1 : -1
  }
  return end
}

/** Removes comments, which may span many lines. A comment that is not closed is text, and so is one in code. */
function withoutComments(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => line.includes('{/*'))) return lines
  const nextEnd: number[] = []
  for (let at = lines.length - 1; at >= 0; at--) nextEnd[at] = lines[at]!.includes('*/}') ? at : (nextEnd[at + 1] ?? -1)
  const written: string[] = []
  let fence = ''
  for (let at = 0; at < lines.length; at++) {
    let line = lines[at]!
    const before = fence
    fence = fenceAfter(line, fence)
    if (before !== '' || fence !== '' || !line.includes('{/*')) {
      written.push(line)
      continue
    }
    // Docusaurus writes the anchor of a heading like this.
    line = line.replace(/^(#{1,6}\s.*\S)\s*\{\/\*\s*#([\w-]+)\s*\*\/\}\s*$/, '$1 {#$2}')
    let text = ''
    let from = 0
    let shown = withoutCodeSpans(line)
    for (let start = shown.indexOf('{/*'); start !== -1; start = shown.indexOf('{/*', from)) {
      const end = line.indexOf('*/}', start)
      const last = end === -1 ? (nextEnd[at + 1] ?? -1) : at
      if (last === -1) break
      text += line.slice(from, start)
      if (end === -1) {
        at = last
        line = lines[at]!
        shown = withoutCodeSpans(line)
      }
      from = (end === -1 ? line.indexOf('*/}') : end) + 3
    }
    text += line.slice(from)
    if (from === 0 || text.trim() !== '') written.push(from > 0 && text.startsWith(' ') ? text.trimStart() : text)
  }
  return written
}

/** Replaces inline code with blanks. The length of the line stays the same. */
const withoutCodeSpans = (line: string) =>
  piecesOf(line)
    .map(({ text, isCode }) => (isCode ? ' '.repeat(text.length) : text))
    .join('')

/** The paths of imported pictures, by the names that they are imported under. */
function picturesIn(lines: readonly string[]): Map<string, string> {
  const named = /^import\s+(\w+)\s+from\s+["']([^"']+\.(?:png|jpe?g|gif|svg|webp|avif))["']/i
  return new Map(
    lines.flatMap((line) => {
      const [, name, path] = named.exec(line) ?? []
      return name === undefined || path === undefined ? [] : [[name, path] as const]
    }),
  )
}

const mostOfTag = 30

/** Returns the last line of a picture whose tag spans several lines, otherwise `at`. */
function endOfPicture(lines: readonly string[], at: number): number {
  if (!/^\s*<(?:img|Image)\b[^<>]*$/.test(lines[at]!)) return at
  for (let end = at + 1; end < Math.min(lines.length, at + mostOfTag); end++) {
    if (/^[^<>]*>/.test(lines[end]!)) return end
    if (/[<>]/.test(lines[end]!) || lines[end]!.trim() === '') break
  }
  return at
}

const tags = /<\/?(?:[a-z]|(?:Image|Link|LinkButton|Badge)\b)[^<>]*>/g

/**
 * Converts text in braces, which may be just the blanks at the end of a line, and attributes that are code. Other
 * components are read elsewhere, with the values passed to them.
 */
const withoutCode = (line: string, pictures: ReadonlyMap<string, string>) =>
  /<|\{["']/.test(line)
    ? piecesOf(line)
        .map(({ text, isCode }) => (isCode ? text : plainText(text, pictures)))
        .join('')
    : line

const plainText = (text: string, pictures: ReadonlyMap<string, string>) =>
  text
    .replace(tags, (tag) => plainTag(tag, pictures))
    .replace(/(?<!=)\{(?:'([^'{}]*)'|"([^"{}]*)")\}/g, (_, single?: string, double?: string) => single ?? double ?? '')

const plainTag = (tag: string, pictures: ReadonlyMap<string, string>) =>
  tag
    .replace(/^<Badge\b[^<>]*?\stext=["']([^"']*)["'][^<>]*>$/, '$1')
    .replace(/^<Image\b/, '<img')
    .replace(/^(<\/?)Link(?:Button)?\b/, '$1a')
    .replace(/^(<a\b[^<>]*?\s)to=/, '$1href=')
    .replace(/\s([\w-]+)=\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}/g, (_, name: string, code: string) => {
      const value = valueOf(code.trim(), pictures)
      return value === undefined || value.includes('"') ? '' : ` ${name}="${value}"`
    })
    .replace(/\sclassName=/g, ' class=')

/** Returns a literal value: text, a number, or the path of a picture. */
function valueOf(code: string, pictures: ReadonlyMap<string, string>): string | undefined {
  const [, call, words] = /^(?:(require|useBaseUrl)\(\s*)?["'`]([^"'`]*)["'`]\s*(?:\)(?:\.default)?)?$/.exec(code) ?? []
  if (words !== undefined) return call === 'useBaseUrl' ? words.replace(/^\/?/, '/') : words
  return /^\d+$/.test(code) ? code : pictures.get(code.replace(/\.src$/, ''))
}
