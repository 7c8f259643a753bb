import { hash } from 'node:crypto'
import { Recent } from '../recent.ts'

/** A piece of a line of code, and what it is: the style sheet has a colour for each class. */
export interface Token {
  text: string
  class?: string
}

export type Lines = readonly (readonly Token[])[]

/** Longer code is shown without colours: nobody reads that much at once, and everybody would wait for it. */
const longest = 64 * 1024
const longestLineMs = 1_000
const mostAttempts = 3

const kept = new Recent<Lines>(4 * 1024 * 1024)

/**
 * Code in colours. Working them out is the dearest part of a page, so it is done once for each piece of code. Nothing
 * here can fail: what no grammar knows is plain text.
 */
export async function highlight(code: string, language: string | undefined): Promise<Lines> {
  const grammar = language?.toLowerCase()
  if (grammar === undefined || code.length > longest || plain.has(grammar)) return plainLines(code)
  const key = hash('sha256', `${grammar}\0${code}`, 'base64url')
  const known = kept.get(key)
  if (known) return known
  const lines = (await coloured(code, grammar)) ?? plainLines(code)
  kept.set(key, lines, code.length * 8)
  return lines
}

const plain = new Set(['text', 'txt', 'plain', 'plaintext', ''])

const plainLines = (code: string): Lines => code.split('\n').map((text) => [{ text }])

async function coloured(code: string, language: string): Promise<Lines | undefined> {
  const shiki = await (library ??= loadLibrary())
  if (!(await shiki.knows(language))) return undefined
  const read = () =>
    shiki.highlighter.codeToTokens(code, {
      lang: language,
      theme: 'css-variables',
      // A line of a megabyte, or a grammar that gets lost in one, ends in plain text.
      tokenizeMaxLineLength: 2_000,
      tokenizeTimeLimit: longestLineMs,
    })
  // The first use of a grammar makes its patterns, which on a busy machine takes longer than a line may: that line is cut
  // short, and what is made here is kept. With the patterns there, the next attempt gets further.
  for (let attempt = 1; ; attempt++) {
    const from = performance.now()
    const { tokens } = read()
    const isWhole = performance.now() - from < longestLineMs
    if (isWhole || attempt === mostAttempts) return tokens.map((line) => line.map(toToken(language)))
  }
}

const classes: Record<string, string> = {
  comment: 't-c',
  keyword: 't-k',
  string: 't-s',
  'string-expression': 't-s',
  constant: 't-n',
  function: 't-f',
  parameter: 't-v',
  punctuation: 't-p',
  link: 't-l',
}

const toToken =
  (language: string) =>
  ({ content: text, color }: { content: string; color?: string }): Token => {
    const kind = /--shiki-token-([a-z-]+)/.exec(color ?? '')?.[1]
    const found = kind === undefined ? undefined : classes[kind]
    // Unquoted words of YAML and shells are most of what there is: as strings they would drown the rest.
    const isWord = found === 't-s' && unquoted.has(language) && !/^['"`]/.test(text.trim())
    return found === undefined || isWord || text.trim() === '' ? { text } : { text, class: found }
  }

const unquoted = new Set(['yaml', 'yml', 'bash', 'sh', 'shell', 'zsh', 'shellscript', 'console'])

let library: Promise<Awaited<ReturnType<typeof loadLibrary>>> | undefined

async function loadLibrary() {
  const [{ createHighlighterCore, createCssVariablesTheme }, { createJavaScriptRegexEngine }, { bundledLanguages }] =
    await Promise.all([import('shiki/core'), import('shiki/engine/javascript'), import('shiki/langs')])
  const theme = createCssVariablesTheme({ name: 'css-variables', variablePrefix: '--shiki-', fontStyle: false })
  // `forgiving`: a pattern that JavaScript cannot express is left out, instead of the whole grammar.
  const engine = createJavaScriptRegexEngine({ forgiving: true })
  const highlighter = await createHighlighterCore({ themes: [theme], langs: [], engine })
  const grammars = bundledLanguages as Record<string, Parameters<typeof highlighter.loadLanguage>[0] | undefined>
  const knows = async (language: string) => {
    if (highlighter.getLoadedLanguages().includes(language)) return true
    const grammar = Object.hasOwn(grammars, language) ? grammars[language] : undefined
    if (grammar === undefined) return false
    await highlighter.loadLanguage(grammar)
    return true
  }
  return { highlighter, knows }
}
