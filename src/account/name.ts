const longest = 64

export const wrongName = 'A name has 1 to 64 characters.'

/** What somebody wants to be called, on one line; undefined where that is no name. */
export function readName(text = ''): string | undefined {
  const name = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return name === '' || [...name].length > longest ? undefined : name
}
