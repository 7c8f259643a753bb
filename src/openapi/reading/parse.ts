import { shortened } from '../../shortened.ts'
import type { SpecFormat } from '../schema.ts'
import { Refused } from './failure.ts'
import type { ReadingLimits } from './limits.ts'

export type Json = null | boolean | number | string | Json[] | JsonObject
export interface JsonObject {
  [name: string]: Json
}

/** Parses a document of a specification. The result is a plain tree of limited size, whatever the text was. */
export async function parseDocument(
  bytes: Uint8Array,
  measure: Measure,
): Promise<{ document: JsonObject; format: SpecFormat }> {
  const text = decode(bytes)
  if (text.trim() === '') throw new Refused('is empty')
  const format = /^\s*[{[]/.test(text) ? 'json' : 'yaml'
  const value = format === 'json' ? fromJson(text) : await fromYaml(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refused('is neither a JSON object nor a YAML mapping')
  }
  measure.check(value)
  // An alias in YAML is the same object again, and changes to one of them must not affect the other.
  const isPlain = format === 'json' && !/\\u(?:d[89a-f]|0000)/i.test(text)
  return { document: isPlain ? (value as JsonObject) : plainTree(value), format }
}

/**
 * Copies the tree. JSON and YAML can both contain escapes that are not valid text, surrogates and the character 0:
 * these become the replacement character.
 */
function plainTree(value: object): JsonObject {
  const text = JSON.stringify(value)
  return JSON.parse(
    text.replace(/\\(?:u(d[89a-f]..|0000)|.)/g, (escape, none) => (none === undefined ? escape : '\ufffd')),
  ) as JsonObject
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Refused('is not text in UTF-8')
  }
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Refused(`is not valid JSON: ${firstLine(error)}`)
  }
}

async function fromYaml(text: string): Promise<unknown> {
  const { readYaml } = await import('./yaml.ts')
  try {
    return readYaml(text)
  } catch (error) {
    throw new Refused(`is not valid YAML: ${firstLine(error)}`)
  }
}

const firstLine = (error: unknown) => {
  const [line = ''] = (error instanceof Error ? error.message : '').split('\n')
  return shortened(line.replace(/:$/, ''), 200)
}

/**
 * Counts the size of a specification and everything it refers to, as if it were written out: an alias counts each time
 * it is used, and one that contains itself is nested too deeply.
 */
export class Measure {
  readonly #limits: ReadingLimits
  #values = 0
  #characters = 0

  constructor(limits: ReadingLimits) {
    this.#limits = limits
  }

  check(value: unknown, depth = 0): void {
    const { values, characters } = this.#limits
    if (++this.#values > values) throw new Refused(`has more than ${values.toLocaleString('en')} values`)
    if (typeof value === 'string') this.#count(value)
    else if (typeof value === 'object' && value !== null) this.#checkWithin(value, depth)
    if (this.#characters > characters) throw new Refused(`has more than ${characters.toLocaleString('en')} characters`)
  }

  #checkWithin(value: object, depth: number): void {
    if (depth >= this.#limits.depth) throw new Refused('is nested too deeply')
    for (const [name, inner] of Object.entries(value)) {
      if (name === '__proto__') throw new Refused('has a field with the name __proto__')
      this.#count(name)
      this.check(inner, depth + 1)
    }
  }

  #count(text: string): void {
    this.#characters += text.length
  }
}
