const isBreak = (code: number): boolean => code === 10 || code === 13

/** Returns where the line that contains an offset begins. Lines end with `\n`, `\r\n` or `\r`. */
export function lineStartAt(text: string, offset: number): number {
  let start = offset
  while (start > 0 && !isBreak(text.charCodeAt(start - 1))) start--
  return start
}

/** Returns where the line that contains an offset ends, without its line break. */
export function lineEndAt(text: string, offset: number): number {
  let end = offset
  while (end < text.length && !isBreak(text.charCodeAt(end))) end++
  return end
}

/** Returns the start of the next line, given the end of a line. */
export function afterBreak(text: string, end: number): number {
  return text.startsWith('\r\n', end) ? end + 2 : Math.min(end + 1, text.length)
}

/** The line break that a text uses. */
export function lineBreakOf(text: string): string {
  return /\r\n|\r|\n/.exec(text)?.[0] ?? '\n'
}

/** Puts a text on one line. The blanks around each line break become one blank. */
export function onOneLine(text: string): string {
  if (!/[\r\n]/.test(text)) return text
  const lines = text.split(/[\r\n]+/)
  const last = lines.length - 1
  return lines
    .map((line, at) => (at === 0 ? line.trimEnd() : at === last ? line.trimStart() : line.trim()))
    .filter((line, at) => line !== '' || at === 0 || at === last)
    .join(' ')
}

/** Removes the blanks and blank lines at the end. Other white space is text, and `trimEnd` would remove it, too. */
export function withoutBlanksAtEnd(text: string): string {
  let end = text.length
  while (end > 0 && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(0, end)
}

/** Space, tab, line feed, carriage return. */
export const isBlank = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13

/** Puts a text inside a container: `first` before its first line, `rest` before the others. */
export function prefixLines(text: string, first: string, rest: string): string {
  const [head = '', ...tail] = text.split('\n')
  return [first + head, ...tail.map((line) => (line === '' ? rest.trimEnd() : rest + line))].join('\n')
}
