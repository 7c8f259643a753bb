import type { SiteRow } from '../../db/tables.ts'
import { type Expression, compile } from '../../expressions/compile.ts'
import { ExpressionError } from '../../expressions/error.ts'
import { invalid } from '../../http/errors.ts'

/**
 * Refuses a condition that could never show anything to anybody: one that is no expression, or asks for a claim that
 * the site's schema does not have. `field` is where it stands in the request.
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

/** As far as the schema goes: below a claim that is no object, nothing is known, and nothing refused. */
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

/** Names carry no position; as they are usually written, they are found in the text. */
function placeOf(condition: string, name: readonly string[]): string {
  const at = condition.indexOf(name.join('.'))
  return at === -1 ? '' : ` (at character ${at + 1})`
}
