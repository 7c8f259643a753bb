import { type Expression, type Scope, compile, holds } from '../../expressions/compile.ts'
import { ExpressionError } from '../../expressions/error.ts'

/** The condition on a section, a variant or a page. `broken`: not a valid expression, so it hides from everybody. */
export type Condition = Expression | 'broken' | undefined

const mostKept = 10_000
const kept = new Map<string, Condition>()

/** The same conditions are used on many pages, so each is compiled once. */
export function conditionOf(source: string | null | undefined): Condition {
  if (source === null || source === undefined) return undefined
  if (kept.has(source)) return kept.get(source)
  const condition = compiled(source)
  if (kept.size >= mostKept) kept.clear()
  kept.set(source, condition)
  return condition
}

function compiled(source: string): Condition {
  try {
    return compile(source)
  } catch (error) {
    if (error instanceof ExpressionError) return 'broken'
    throw error
  }
}

/**
 * Whether a visitor sees what a condition guards. `scope` is what is known of the visitor. Without it, everything with
 * a condition is hidden.
 */
export function isShown(condition: Condition, scope: Scope | undefined): boolean {
  if (condition === undefined) return true
  return condition !== 'broken' && scope !== undefined && holds(condition, scope)
}
