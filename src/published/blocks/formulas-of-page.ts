import { type Block, everyBlock } from '../../content/blocks.ts'
import type { Inline, InlineMath } from '../../content/inlines.ts'
import { withOwnInlines } from '../../content/own-inlines.ts'
import { pauses } from '../../pauses.ts'
import { TooLarge } from './tex-macros.ts'
import { mathMLOf } from './tex.ts'

/** Where a formula stands: on lines of its own, alone in a paragraph, or among words. */
type Place = 'block' | 'alone' | 'inline'

/** A longer formula is shown as it was written. */
const longest = 10_000

/** How many characters of MathML the formulas of a page may become: some more than a page full of ordinary ones does. */
const mostWritten = 24 * 1024 ** 2

/** A formula that is refused because it would become too large costs as much as one that is. */
const refusedAs = 400_000

/**
 * The formulas of a page as MathML. If they become too much together, all are shown as they were written: many small
 * ones that become large must not use up the memory, and it must not depend on their order which ones are drawn.
 */
export class Formulas {
  readonly #written = new Map<string, string | undefined>()
  #left = mostWritten

  /** Writes all of them beforehand, so that other work gets its turn in between: there may be thousands. */
  static async of(blocks: readonly Block[], isDisplayed: (place: Place) => boolean): Promise<Formulas> {
    const formulas = new Formulas()
    const pause = pauses()
    for (const { text, place } of formulasIn(blocks)) {
      await pause()
      const { length } = formulas.mathML(text, isDisplayed(place)) ?? ''
      formulas.#left -= length
    }
    return formulas
  }

  /** Returns undefined for a formula that is shown as it was written. */
  mathML(text: string, display: boolean): string | undefined {
    if (text.length > longest || this.#left < 0) return undefined
    const key = `${display} ${text}`
    if (!this.#written.has(key)) this.#written.set(key, this.#write(text, display))
    return this.#written.get(key)
  }

  #write(text: string, display: boolean): string | undefined {
    try {
      return mathMLOf(text, display)
    } catch (error) {
      if (error instanceof TooLarge) this.#left -= refusedAs
      return undefined
    }
  }
}

function formulasIn(blocks: readonly Block[]): { text: string; place: Place }[] {
  const found: { text: string; place: Place }[] = []
  for (const block of everyBlock(blocks)) {
    if (block.type === 'math') found.push({ text: block.text, place: 'block' })
    const alone = block.type === 'paragraph' ? formulaAlone(block.inlines) : undefined
    if (alone) found.push({ text: alone.text, place: 'alone' })
    else withOwnInlines(block, read)
  }
  return found

  function read(inlines: readonly Inline[]) {
    for (const inline of inlines) {
      if (inline.type === 'math') found.push({ text: inline.text, place: 'inline' })
      if ('inlines' in inline && inline.inlines) read(inline.inlines)
    }
    return inlines
  }
}

/** Returns the formula if there is nothing else. */
export function formulaAlone(inlines: readonly Inline[]): InlineMath | undefined {
  const [only, ...more] = inlines.filter((inline) => inline.type !== 'text' || inline.text.trim() !== '')
  return only?.type === 'math' && more.length === 0 ? only : undefined
}
