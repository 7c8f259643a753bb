/** What a piece of HTML says, without its tags. */
export function textOfHtml(html: string): string {
  return html
    .replace(/<!--[^]*?(?:-->|$)|<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
