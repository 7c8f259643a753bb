/** Returns a Markdown link, or the words alone if there is no address. */
export const linked = (words: string, href: string | undefined) =>
  href === undefined ? words : `[${words.replace(/[[\]]/g, '\\$&')}](<${href.replace(/[<>]/g, '')}>)`
