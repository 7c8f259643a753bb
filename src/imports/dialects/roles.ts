import { linked } from './link.ts'

const ofCode = /^(?:(?:py|c|cpp|js|std|rst):)?(?:attr|class|cmd|command|code|data|envvar|exc|file|func|function|literal|mailheader|meth|mod|module|obj|option|program|samp|token)$/ // prettier-ignore

/** Writes inline code that has `{role}` right in front of it. */
export function writeRole(role: string, text: string): string {
  const [, words = text, target] = /^([^<>]*?)\s*<([^<>]+)>$/.exec(text) ?? []
  if (role === 'math') return `$$${text}$$`
  if (role === 'kbd') return `<kbd>${text}</kbd>`
  if (role === 'sub' || role === 'subscript') return `<sub>${text}</sub>`
  if (role === 'sup' || role === 'superscript') return `<sup>${text}</sup>`
  if (role === 'doc' || role === 'download') return linked(words || (target ?? text), target ?? text)
  if (role === 'ref' || role === 'numref')
    return target === undefined ? linked(text, `#${text}`) : linked(words, `#${target}`)
  return ofCode.test(role) ? `\`${words.replace(/^[~!]/, '')}\`` : words
}
