import { firstCharacters } from '../shortened.ts'

const longest = 64

export const wrongName = 'A name has 1 to 64 characters.'

/** Returns the name a person entered, on one line, or undefined if it is not a valid name. */
export function readName(text = ''): string | undefined {
  const name = onOneLine(text)
  return name === '' || [...name].length > longest ? undefined : name
}

/** Returns the name given by an identity provider, cut to the maximum length. */
export function nameFrom(text: string): string | undefined {
  return firstCharacters(onOneLine(text), longest).trim() || undefined
}

const onOneLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
