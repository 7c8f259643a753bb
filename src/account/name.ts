import { firstCharacters } from '../shortened.ts'

const longest = 64

export const wrongName = 'A name has 1 to 64 characters.'

/** What somebody wants to be called, on one line; undefined where that is no name. */
export function readName(text = ''): string | undefined {
  const name = onOneLine(text)
  return name === '' || [...name].length > longest ? undefined : name
}

/** What an identity provider calls somebody, as much of it as a name may have. */
export function nameFrom(text: string): string | undefined {
  return firstCharacters(onOneLine(text), longest).trim() || undefined
}

const onOneLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
