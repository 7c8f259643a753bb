import { fenceAfter } from './lines.ts'

/** Packages of tools: in a file that is not called `.mdx`, only what comes from them is taken for code. */
const ofTools = /["'](@theme|@site|@docusaurus|@astrojs|astro|nextra|fumadocs)[/\w-]*|\.mdx?["']/

/** Without what a page is computed with (MDX): imports, exports, comments, and attributes that are code. */
export function withoutModules(lines: readonly string[], isMdx: boolean): string[] {
  const written: string[] = []
  let fence = ''
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    const before = fence
    fence = fenceAfter(line, fence)
    const until = before !== '' || fence !== '' ? at : endOfStatement(lines, at, isMdx)
    if (until > at) {
      at = until - 1
      // The line behind it may be blank as well.
      if ((written.at(-1) ?? '').trim() === '' && lines[until]?.trim() === '') at += 1
    } else written.push(isMdx && before === '' && fence === '' ? withoutCode(line) : line)
  }
  return written
}

/** The line behind a statement; where none begins here, this one. */
function endOfStatement(lines: readonly string[], at: number, isMdx: boolean): number {
  const line = lines[at]!
  if (/^import\s/.test(line)) {
    const most = Math.min(lines.length, at + 50)
    for (let end = at; end < most && lines[end]!.trim() !== ''; end++) {
      if (!/(?:from\s+|^import\s+)["'][^"']+["'];?\s*$/.test(lines[end]!)) continue
      return isMdx || ofTools.test(lines[end]!) ? end + 1 : at
    }
  }
  if (isMdx && /^export\s+(const|let|var|function|default|async|class)\b/.test(line)) {
    let end = at
    while (end < lines.length && lines[end]!.trim() !== '') end += 1
    return end
  }
  if (isMdx && /^\s*\{\/\*/.test(line)) {
    const end = lines.slice(at, at + 100).findIndex((each) => each.trimEnd().endsWith('*/}'))
    return at + end + 1
  }
  return at
}

const withoutCode = (line: string) =>
  withoutComments(line)
    // Components are read with what they were given.
    .replace(/<[a-z][^<>]*>/g, (tag) =>
      tag.replace(/\s[\w-]+=\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/g, '').replace(/\sclassName=/g, ' class='),
    )

function withoutComments(line: string): string {
  let text = ''
  let from = 0
  for (let at = line.indexOf('{/*'); at !== -1; at = line.indexOf('{/*', from)) {
    const end = line.indexOf('*/}', at)
    if (end === -1) break
    text += line.slice(from, at)
    from = end + 3
  }
  return text + line.slice(from)
}
