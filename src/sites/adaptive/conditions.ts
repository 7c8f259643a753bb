import type { SiteRow } from '../../db/tables.ts'
import { type Expression, compile } from '../../expressions/compile.ts'
import { ExpressionError } from '../../expressions/error.ts'
import { invalid } from '../../http/errors.ts'

/**
 * Refuses a condition that could never be true for anybody: one that is not an expression, or that uses a claim missing
 * from the site's schema. `field` is its place in the request.
 */
export function checkCondition(site: Pick<SiteRow, 'adaptive_schema'>, condition: string, field: string): void {
  for (const name of compiled(condition, field).names) {
    const fault = faultOf(site.adaptive_schema, name)
    if (fault) throw invalid(field, 'claim', `${fault}${placeOf(condition, name)}`)
  }
}

function compiled(condition: string, field: string): Expression {
  try {
    return compile(condition)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    throw invalid(field, 'expression', `${error.message} (at character ${error.index + 1})`)
  }
}

function faultOf(schema: unknown, [root, kind, ...claim]: readonly string[]): string | undefined {
  if (root !== 'visitor') return `There is no ${root} here: conditions can only use visitor.claims`
  if (kind !== undefined && kind !== 'claims') return `A visitor has no ${kind}: conditions can only use visitor.claims`
  if (schema === null || schema === undefined) return undefined
  const unknown = firstUnknown(schema, claim)
  return unknown && `The visitor schema of the site has no claim ${unknown}`
}

/**
 * Only checks as deep as the schema goes: below a claim that is not an object, nothing is known, so nothing is refused.
 */
function firstUnknown(schema: unknown, claim: readonly string[]): string | undefined {
  let at = schema
  for (const [i, key] of claim.entries()) {
    const { properties } = at as { properties?: Record<string, unknown> }
    if (properties === undefined) return undefined
    if (!Object.hasOwn(properties, key)) return claim.slice(0, i + 1).join('.')
    at = properties[key]
  }
  return undefined
}

/** Names have no position. As they are usually written, they can be found in the text. */
function placeOf(condition: string, name: readonly string[]): string {
  const at = condition.indexOf(name.join('.'))
  return at === -1 ? '' : ` (at character ${at + 1})`
}
