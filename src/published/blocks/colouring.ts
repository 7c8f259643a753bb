import { setImmediate } from 'node:timers/promises'
import type { GrammarState } from 'shiki/core'
import type { Token } from './highlight.ts'

/** In characters: the time of some patterns grows with the cube of the line length, and nothing can stop them. */
const longestLine = 500
const longestLineMs = 1_000
const mostAttempts = 3
/**
 * Processor time of this thread for one piece of code. Unclosed brackets make each line more expensive: the rest stays
 * plain.
 */
const mostWorkMs = 2_000
/** After this time, other questions have their turn. */
const restMs = 10

export interface Code {
  code: string
  language: string
}

/**
 * Colours lines until the time is used up: lines that are missing are plain. Undefined if no grammar knows the
 * language.
 */
export async function colour({ code, language }: Code): Promise<Token[][] | undefined> {
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
  return lines
}

/** Colours a line, starting with the state that the previous lines left. */
function colourLine({ highlighter }: Library, line: string, language: string, state: GrammarState | undefined) {
  const read = () =>
    highlighter.codeToTokens(line, {
      lang: language,
      theme: 'css-variables',
      ...(state && { grammarState: state }),
      tokenizeMaxLineLength: longestLine,
      tokenizeTimeLimit: longestLineMs,
    })
  // The first use of a grammar compiles its patterns. On a busy machine, this takes longer than a line may: that line
  // is cut short, but the compiled patterns are kept, so the next attempt gets further.
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
    // Most words of YAML and shell code are unquoted: coloured as strings, they would drown out the rest.
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
  // `forgiving`: a pattern that JavaScript cannot express is left out, instead of the whole grammar failing.
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
