const isBreak = (code: number): boolean => code === 10 || code === 13

/** Where the line that holds an offset begins. Lines end with `\n`, `\r\n` or `\r`. */
export function lineStartAt(text: string, offset: number): number {
  let start = offset
  while (start > 0 && !isBreak(text.charCodeAt(start - 1))) start--
  return start
}

/** Where the line that holds an offset ends, its line break not included. */
export function lineEndAt(text: string, offset: number): number {
  let end = offset
  while (end < text.length && !isBreak(text.charCodeAt(end))) end++
  return end
}

/** The start of the line after the one that ends here. */
export function afterBreak(text: string, end: number): number {
  return text.startsWith('\r\n', end) ? end + 2 : Math.min(end + 1, text.length)
}

/** The line break that a text uses. */
export function lineBreakOf(text: string): string {
  return /\r\n|\r|\n/.exec(text)?.[0] ?? '\n'
}

/** Puts a text inside a container: `first` before its first line, `rest` before the others. */
export function prefixLines(text: string, first: string, rest: string): string {
  const [head = '', ...tail] = text.split('\n')
  return [first + head, ...tail.map((line) => (line === '' ? rest.trimEnd() : rest + line))].join('\n')
}
