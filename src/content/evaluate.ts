import { childBlocks, type Block } from './blocks.ts'
import type { Inline } from './inlines.ts'
import { limits } from './limits.ts'
import { notesNamedIn, withoutNotesOf } from './notes.ts'
import { changed, withOwnInlines } from './own-inlines.ts'
import type { Document } from './parse.ts'

export interface Evaluation {
  /**
   * Returns what an include refers to, in the text of the content with the id `within`. `'later'`: the include stays as
   * it is. `'hidden'`: the content exists, but not for this reader.
   */
  include(ref: string, within: string): Included | 'later' | 'hidden' | undefined
  /**
   * Evaluates an expression. `'later'`: it depends on something that is not known yet, so the expression or the
   * condition stays as it is.
   */
  compute(expression: string): { value: unknown } | { error: string } | 'later'
}

export interface Included {
  /** The same under whatever names it is included. */
  readonly id: string
  readonly document: Document
}

/**
 * Returns the page as one reader sees it: includes replaced, expressions computed, conditions decided. A condition that
 * is false or fails hides its content; an include that cannot be shown is replaced by an error. Other blocks stay the
 * same objects.
 */
export function evaluate(id: string, document: Document, evaluation: Evaluation): Document {
  const { evaluatedBlocks, evaluatedCharacters } = limits
  const page = { blocks: evaluatedBlocks, characters: evaluatedCharacters, includes: 0, hidden: new Set<string>() }
  const blocks = evaluateBlocks(document.blocks, { evaluation, page, chain: [id], footnotes: '' })
  return { ...document, blocks: withoutNotesOf(page.hidden, blocks) }
}

interface Context {
  readonly evaluation: Evaluation
  /** The remaining budget of the page, the number of includes so far, and the notes that hidden text names. */
  readonly page: { blocks: number; characters: number; includes: number; hidden: Set<string> }
  /** The ids of the page and of the includes that lead here. */
  readonly chain: readonly string[]
  /** Appended to the labels of footnotes: included content may use the same labels as the page. */
  readonly footnotes: string
}

function evaluateBlocks(blocks: readonly Block[], context: Context): readonly Block[] {
  const evaluated = blocks.flatMap((block) => evaluateBlock(block, context))
  return evaluated.length === blocks.length && evaluated.every((block, index) => block === blocks[index])
    ? blocks
    : evaluated
}

function evaluateBlock(block: Block, context: Context): readonly Block[] {
  const { page, evaluation } = context
  if (page.blocks-- <= 0) {
    return page.blocks === -1 ? [tooMuch] : []
  }
  if (block.type === 'include') return evaluateInclude(block, context)
  if (block.type === 'if') {
    const result = evaluation.compute(block.expression)
    if (result === 'later') return [withEvaluatedParts(block, context)]
    if ('value' in result && Boolean(result.value)) return evaluateBlocks(block.blocks, context)
    for (const name of notesNamedIn(block.blocks, context.footnotes)) page.hidden.add(name)
    return []
  }
  return [withEvaluatedParts(block, context)]
}

function evaluateInclude(block: Block & { type: 'include' }, context: Context): readonly Block[] {
  const { chain, evaluation, page } = context
  const { ref } = block
  const included = evaluation.include(ref, chain.at(-1) ?? '')
  if (included === 'later') return [block]
  if (included === 'hidden') return []
  if (included === undefined) return [failure(`The reusable content ${ref} does not exist.`)]
  const { id, document } = included
  if (chain.includes(id)) return [failure(`The reusable content ${ref} includes itself.`)]
  if (chain.length > limits.includeDepth)
    return [failure(`Reusable content is nested deeper than ${limits.includeDepth}.`)]
  if (!takes(page, document.source)) return page.blocks-- === 0 ? [tooMuch] : []
  const inside = { ...context, chain: [...chain, id], footnotes: `-${++page.includes}` }
  return evaluateBlocks(document.blocks, inside).map(withoutPlace)
}

const failure = (message: string): Block => ({ type: 'error', message })

const tooMuch = failure('This page includes too much content to be shown in full.')

/** Whether the page has room for a text. If not, the page ends with the next block. */
function takes(page: Context['page'], text: string): boolean {
  page.characters -= text.length
  if (page.characters < 0) page.blocks = Math.min(page.blocks, 0)
  return page.characters >= 0
}

/** Removes the position of a block, which refers to another source than that of the page. */
export function withoutPlace(block: Block): Block {
  const { range: _, ...copy } = block
  return 'blocks' in copy ? { ...copy, blocks: copy.blocks.map(withoutPlace) } : copy
}

function withEvaluatedParts(block: Block, context: Context): Block {
  const children = childBlocks(block)
  const blocks = evaluateBlocks(children, context)
  const copy = 'blocks' in block && blocks !== children ? { ...block, blocks } : block
  if (copy.type === 'footnote') return changed(copy, 'label', copy.label + context.footnotes)
  return withOwnInlines(copy, (inlines) => evaluateInlines(inlines, context))
}

function evaluateInlines(inlines: readonly Inline[], context: Context): readonly Inline[] {
  const evaluated = inlines.map((inline): Inline => {
    if (inline.type === 'expression') {
      const result = context.evaluation.compute(inline.source)
      if (result === 'later') return inline
      const text = 'value' in result ? shown(result.value) : ''
      return { type: 'text', text: takes(context.page, text) ? text : '' }
    }
    const named =
      inline.type === 'footnote-reference' ? changed(inline, 'label', inline.label + context.footnotes) : inline
    if (!('inlines' in named) || !named.inlines) return named
    const inside = evaluateInlines(named.inlines, context)
    return inside === named.inlines ? named : { ...named, inlines: inside }
  })
  return evaluated.every((inline, index) => inline === inlines[index]) ? inlines : evaluated
}

/** Returns texts, numbers and booleans as text; lists and objects have no form that is useful to a reader. */
function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
