/** Returns the text of a piece of HTML, without its tags. */
export function textOfHtml(html: string): string {
  return html
    .replace(/<!--[^]*?(?:-->|$)|<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
