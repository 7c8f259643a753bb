/** Words that lead somewhere; words alone where that is not said. */
export const linked = (words: string, href: string | undefined) =>
  href === undefined ? words : `[${words.replace(/[[\]]/g, '\\$&')}](<${href.replace(/[<>]/g, '')}>)`
