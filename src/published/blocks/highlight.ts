import { hash } from 'node:crypto'
import { Recent } from '../../recent.ts'
import { Thread } from '../../thread.ts'
import type { Code } from './colouring.ts'

/** A piece of a line of code, and what it is: the style sheet has a colour for each class. */
export interface Token {
  text: string
  class?: string
}

export type Lines = readonly (readonly Token[])[]

/** Longer code is shown without colours: nobody reads that much at once, and everybody would wait for it. */
const longest = 64 * 1024

const kept = new Recent<Lines>(4 * 1024 * 1024)

/**
 * The patterns of some grammars (C++) take seconds to make, and some lines take long to match: nobody else is to wait for that. What was
 * made of a grammar is in the thread, so it stays for long.
 */
const thread = new Thread<Code, Token[][] | undefined>(new URL('colouring.thread.ts', import.meta.url), {
  idleMs: 600_000,
})

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
  const lines = coloured({ code, language: grammar }).finally(() => underway.delete(key))
  underway.set(key, lines)
  try {
    kept.set(key, await lines, code.length * 8)
    return await lines
  } catch {
    // The thread has ended, with all that waited for it. The next who asks gets a new one.
    return plainLines(code.split(/\r?\n/))
  }
}

async function coloured(code: Code): Promise<Lines> {
  const source = code.code.split(/\r?\n/)
  const lines = (await thread.ask(code)) ?? []
  return [...lines, ...plainLines(source.slice(lines.length))]
}

/** What is being coloured: whoever asks for the same meanwhile waits for it. */
const underway = new Map<string, Promise<Lines>>()

const plain = new Set(['text', 'txt', 'plain', 'plaintext', ''])

const plainLines = (lines: readonly string[]): Lines => lines.map((text) => [{ text }])
