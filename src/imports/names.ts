/** Removes the id that Notion adds to a name. */
export const withoutId = (name: string) => name.replace(/[ _-][0-9a-f]{32}$/i, '')

/**
 * Returns the title for a file name: `getting-started.md` becomes "Getting started". The id that Notion adds is left
 * out.
 */
export function titleOf(name: string): string {
  const words = withoutId(name.normalize().replace(/\.[a-z]{2,8}$/i, ''))
    .replace(/[_-]+/g, ' ')
    .trim()
  return words === '' ? 'Untitled' : words.charAt(0).toUpperCase() + words.slice(1)
}
