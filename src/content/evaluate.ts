import { childBlocks, type Block } from './blocks.ts'
import type { Inline } from './inlines.ts'
import { limits } from './limits.ts'
import type { Document } from './parse.ts'

export interface Evaluation {
  /** The reusable content that an include names; `'cycle'` where it is being included already. */
  resolveInclude(ref: string): Document | 'cycle' | undefined
  /** `'later'`: it depends on what is not known yet, so the expression or the condition stays as it is. */
  compute(expression: string): { value: unknown } | { error: string } | 'later'
}

/**
 * The page as one reader sees it: includes replaced, expressions computed, conditions decided. A condition that is
 * false or fails hides its content; an include that cannot be shown leaves an error in its place. Other blocks stay
 * the same objects.
 */
export function evaluate(document: Document, evaluation: Evaluation): Document {
  const budget = { blocks: limits.evaluatedBlocks }
  const blocks = evaluateBlocks(document.blocks, { evaluation, budget, chain: [] })
  return { ...document, blocks }
}

interface Context {
  readonly evaluation: Evaluation
  readonly budget: { blocks: number }
  /** The includes that lead here. */
  readonly chain: readonly string[]
}

function evaluateBlocks(blocks: readonly Block[], context: Context): readonly Block[] {
  const evaluated = blocks.flatMap((block) => evaluateBlock(block, context))
  return evaluated.length === blocks.length && evaluated.every((block, index) => block === blocks[index])
    ? blocks
    : evaluated
}

function evaluateBlock(block: Block, context: Context): readonly Block[] {
  if (context.budget.blocks-- <= 0) {
    return context.budget.blocks === -1 ? [failure('This page includes too much content to be shown in full.')] : []
  }
  if (block.type === 'include') return evaluateInclude(block.ref, context)
  if (block.type === 'if') {
    const result = context.evaluation.compute(block.expression)
    if (result === 'later') return [withEvaluatedParts(block, context)]
    return 'value' in result && Boolean(result.value) ? evaluateBlocks(block.blocks, context) : []
  }
  return [withEvaluatedParts(block, context)]
}

function evaluateInclude(ref: string, context: Context): readonly Block[] {
  const { chain, evaluation } = context
  const included = chain.includes(ref) ? 'cycle' : evaluation.resolveInclude(ref)
  if (included === undefined) return [failure(`The reusable content ${ref} does not exist.`)]
  if (included === 'cycle') return [failure(`The reusable content ${ref} includes itself.`)]
  if (chain.length >= limits.includeDepth)
    return [failure(`Reusable content is nested deeper than ${limits.includeDepth}.`)]
  return evaluateBlocks(included.blocks, { ...context, chain: [...chain, ref] })
}

const failure = (message: string): Block => ({ type: 'error', message })

function withEvaluatedParts(block: Block, context: Context): Block {
  const inlines = (list: readonly Inline[]) => evaluateInlines(list, context)
  const children = childBlocks(block)
  const blocks = evaluateBlocks(children, context)
  const copy = 'blocks' in block && blocks !== children ? { ...block, blocks } : block
  switch (copy.type) {
    case 'paragraph':
    case 'heading':
      return changed(copy, 'inlines', inlines(copy.inlines))
    case 'details':
      return changed(copy, 'summary', inlines(copy.summary))
    case 'images':
      return copy.caption ? changed(copy, 'caption', inlines(copy.caption)) : copy
    case 'table': {
      const rows = copy.rows.map((row) => row.map(inlines))
      const columns = copy.columns.map((column) => ({ ...column, inlines: inlines(column.inlines) }))
      const same =
        rows.every((row, at) => row.every((cell, column) => cell === copy.rows[at]?.[column])) &&
        columns.every((column, at) => column.inlines === copy.columns[at]?.inlines)
      return same ? copy : { ...copy, columns, rows }
    }
    default:
      return copy
  }
}

function changed<B extends Block, Field extends keyof B>(block: B, field: Field, value: B[Field]): B {
  return block[field] === value ? block : { ...block, [field]: value }
}

function evaluateInlines(inlines: readonly Inline[], context: Context): readonly Inline[] {
  const evaluated = inlines.map((inline): Inline => {
    if (inline.type === 'expression') {
      const result = context.evaluation.compute(inline.source)
      if (result === 'later') return inline
      return { type: 'text', text: 'value' in result ? shown(result.value) : '' }
    }
    if (!('inlines' in inline)) return inline
    const inside = evaluateInlines(inline.inlines, context)
    return inside === inline.inlines ? inline : { ...inline, inlines: inside }
  })
  return evaluated.every((inline, index) => inline === inlines[index]) ? inlines : evaluated
}

/** Texts and numbers as they are; lists and objects have no form that a reader would want. */
function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
