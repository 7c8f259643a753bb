import { limits } from '../content/limits.ts'
import type { ErrorDetail } from '../http/errors.ts'

const words: Record<string, string> = {
  'page exists': 'This page is not there any more.',
  'into exists': 'The page that it should stand below is not there any more.',
  'into type': 'Nothing can stand below a link: choose a page or a group.',
  'into cycle': 'A page cannot stand below itself, nor below one that is below it.',
  'into levels': `Pages stand on at most ${limits.pageLevels} levels: choose one that is further up.`,
  'metadata.slug slug': 'This is no part of an address: it has no blanks, slashes, ?, # and %, and is not ~ alone.',
  'metadata.slug unique': 'Another page beside it has this address.',
  'name name': 'A file cannot have such a name: it must not contain slashes or line breaks.',
  'file exists': 'This file is not there any more.',
  'document.markdown maxBytes': `A text has at most ${limits.sourceBytes / 1024} KB.`,
  'reusableContent exists': 'This reusable content is not there any more.',
}

/** Changes of content are refused by the names that fields have in the API. For people, it says what is the matter. */
export function inWords({ path, rule, message }: ErrorDetail): string | undefined {
  // The page that a comment is about stands in no list of changes.
  const field = path === 'body.page' ? 'page' : /^body\.changes\.\d+\.(.+)$/.exec(path)?.[1]
  if (field === undefined) return undefined
  if (/^files\.\d+\.url$/.test(field)) return `It cannot be fetched: the address ${message}.`
  return words[`${field} ${rule}`] ?? `${field.split('.').at(-1)}: ${message}.`
}
