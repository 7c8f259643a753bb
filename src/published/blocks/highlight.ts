import { hash } from 'node:crypto'
import { Recent } from '../../recent.ts'
import { Thread } from '../../thread.ts'
import type { Code } from './colouring.ts'

/** A piece of a line of code and its kind: the style sheet has a colour for each class. */
export interface Token {
  text: string
  class?: string
}

export type Lines = readonly (readonly Token[])[]

/** Longer code is shown without colours: nobody reads that much at once, and everyone would have to wait for it. */
const longest = 64 * 1024

const kept = new Recent<Lines>(4 * 1024 * 1024)

/**
 * Compiling the patterns of some grammars (C++) takes seconds, and some lines take long to match: no other request
 * should wait for that. Compiled grammars are kept in the thread, so it stays alive for long.
 */
const thread = new Thread<Code, Token[][] | undefined>(new URL('colouring.thread.ts', import.meta.url), {
  idleMs: 600_000,
})

/**
 * Colours code. This is the most expensive part of a page, so it is done once for each piece of code. It never fails:
 * code without a known grammar is plain text.
 */
export async function highlight(code: string, language: string | undefined): Promise<Lines> {
  const grammar = language?.toLowerCase()
  if (grammar === undefined || code.length > longest || plain.has(grammar)) return plainLines(code.split('\n'))
  const key = hash('sha256', `${grammar}\0${code}`, 'base64url')
  const known = kept.get(key) ?? underway.get(key)
  if (known) return known
  const lines = coloured({ code, language: grammar }).finally(() => underway.delete(key))
  underway.set(key, lines)
  try {
    kept.set(key, await lines, code.length * 8)
    return await lines
  } catch {
    // The thread has ended, with everything that waited for it. The next request gets a new one.
    return plainLines(code.split(/\r?\n/))
  }
}

async function coloured(code: Code): Promise<Lines> {
  const source = code.code.split(/\r?\n/)
  const lines = (await thread.ask(code)) ?? []
  return [...lines, ...plainLines(source.slice(lines.length))]
}

/** The code that is being coloured: further requests for the same code wait for it. */
const underway = new Map<string, Promise<Lines>>()

const plain = new Set(['text', 'txt', 'plain', 'plaintext', ''])

const plainLines = (lines: readonly string[]): Lines => lines.map((text) => [{ text }])
