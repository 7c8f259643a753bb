import { limits } from '../content/limits.ts'
import type { ErrorDetail } from '../http/errors.ts'

const words: Record<string, string> = {
  'page exists': 'This page no longer exists.',
  'into exists': 'The parent page no longer exists.',
  'into type': 'A link cannot have pages below it: choose a page or a group.',
  'into cycle': 'A page cannot be placed below itself or below one of its own pages.',
  'into levels': `Pages can have at most ${limits.pageLevels} levels: choose a parent further up.`,
  'metadata.slug slug': 'This is not a valid path: it must not contain spaces, slashes, ?, # or %, nor be just ~.',
  'metadata.slug unique': 'Another page at the same level has this address.',
  'name name': 'This is not a valid file name: it must not contain slashes or line breaks.',
  'file exists': 'This file no longer exists.',
  'document.markdown maxBytes': `A text has at most ${limits.sourceBytes / 1024} KB.`,
  'reusableContent exists': 'This reusable content no longer exists.',
}

/** Refusals of content changes name the fields of the API. This returns a reason for people instead. */
export function inWords({ path, rule, message }: ErrorDetail): string | undefined {
  // The page of a comment is not in a list of changes.
  const field = path === 'body.page' ? 'page' : /^body\.changes\.\d+\.(.+)$/.exec(path)?.[1]
  if (field === undefined) return undefined
  if (/^files\.\d+\.url$/.test(field)) return `It cannot be fetched: the address ${message}.`
  return words[`${field} ${rule}`] ?? `${field.split('.').at(-1)}: ${message}.`
}
