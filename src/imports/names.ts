/** A name without what Notion adds to it. */
export const withoutId = (name: string) => name.replace(/[ _-][0-9a-f]{32}$/i, '')

/** `getting-started.md` is "Getting started"; what Notion adds to a name is left out. */
export function titleOf(name: string): string {
  const words = withoutId(name.normalize().replace(/\.[a-z]{2,8}$/i, ''))
    .replace(/[_-]+/g, ' ')
    .trim()
  return words === '' ? 'Untitled' : words.charAt(0).toUpperCase() + words.slice(1)
}
