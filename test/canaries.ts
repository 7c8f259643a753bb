import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'

/** Words that each belong to one organization. A test fails if a response shows such a word to an outsider. */
export class Canaries {
  readonly #words = new Set<string>()

  hatch(): string {
    const word = `canary${randomBytes(6).toString('hex')}`
    this.#words.add(word)
    return word
  }

  /** Fails if `text` contains a word that is not among those the reader may see. */
  listen(text: string, sees: ReadonlySet<string>, where: string): void {
    for (const [word] of text.matchAll(/canary[0-9a-f]{12}/g)) {
      if (this.#words.has(word)) assert.ok(sees.has(word), `${where} shows a word of another organization: ${word}`)
    }
  }
}
