import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { GrammarState } from 'shiki/core'
import { Recent } from '../../recent.ts'

/** A piece of a line of code, and what it is: the style sheet has a colour for each class. */
export interface Token {
  text: string
  class?: string
}

export type Lines = readonly (readonly Token[])[]

/** Longer code is shown without colours: nobody reads that much at once, and everybody would wait for it. */
const longest = 64 * 1024
/** Of a line, too: the patterns of some grammars take time by the cube of it, and nothing can stop them meanwhile. */
const longestLine = 500
const longestLineMs = 1_000
const mostAttempts = 3
/** Of this thread, for one piece of code. Brackets that nobody closes make each line dearer: the rest is plain. */
const mostWorkMs = 2_000
/** Then others have their turn. */
const restMs = 10

const kept = new Recent<Lines>(4 * 1024 * 1024)

/**
 * Code in colours. Working them out is the dearest part of a page, so it is done once for each piece of code. Nothing
 * here can fail: what no grammar knows is plain text.
 */
export async function highlight(code: string, language: string | undefined): Promise<Lines> {
  const grammar = language?.toLowerCase()
  if (grammar === undefined || code.length > longest || plain.has(grammar)) return plainLines(code.split('\n'))
  const key = hash('sha256', `${grammar}\0${code}`, 'base64url')
  const known = kept.get(key) ?? underway.get(key)
  if (known) return known
  const lines = coloured(code, grammar)
    .then((found) => found ?? plainLines(code.split('\n')))
    .finally(() => underway.delete(key))
  underway.set(key, lines)
  kept.set(key, await lines, code.length * 8)
  return lines
}

/** What is being coloured: whoever asks for the same meanwhile waits for it. */
const underway = new Map<string, Promise<Lines>>()

const plain = new Set(['text', 'txt', 'plain', 'plaintext', ''])

const plainLines = (lines: readonly string[]): Lines => lines.map((text) => [{ text }])

async function coloured(code: string, language: string): Promise<Lines | undefined> {
  const shiki = await (library ??= loadLibrary())
  if (!(await shiki.knows(language))) return undefined
  const source = code.split(/\r?\n/)
  const lines: Token[][] = []
  let state: GrammarState | undefined
  let workMs = 0
  let restedMs = 0
  for (const line of source) {
    if (workMs > mostWorkMs) break
    const read = colourLine(shiki, line, language, state)
    lines.push(read.tokens[0]!.map(toToken(language)))
    state = read.grammarState
    workMs += read.ms
    if (workMs - restedMs < restMs) continue
    restedMs = workMs
    await setImmediate()
  }
  return [...lines, ...plainLines(source.slice(lines.length))]
}

/** A line, in the state that those before it left behind. */
function colourLine({ highlighter }: Library, line: string, language: string, state: GrammarState | undefined) {
  const read = () =>
    highlighter.codeToTokens(line, {
      lang: language,
      theme: 'css-variables',
      ...(state && { grammarState: state }),
      tokenizeMaxLineLength: longestLine,
      tokenizeTimeLimit: longestLineMs,
    })
  // The first use of a grammar makes its patterns, which on a busy machine takes longer than a line may: that line is cut
  // short, and what is made here is kept. With the patterns there, the next attempt gets further.
  const begun = process.threadCpuUsage()
  for (let attempt = 1; ; attempt++) {
    const from = performance.now()
    const { tokens, grammarState } = read()
    const isWhole = performance.now() - from < longestLineMs
    const ms = process.threadCpuUsage(begun).user / 1000
    if (isWhole || attempt === mostAttempts || ms > mostWorkMs) return { tokens, grammarState, ms }
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

type Library = Awaited<ReturnType<typeof loadLibrary>>

let library: Promise<Library> | undefined

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
