import type { MergeRules } from '../db/tables.ts'
import { ApiError } from '../http/errors.ts'
import type { SpaceToSync } from './queries.ts'

/**
 * Whether a user may import into main without a change request: in spaces whose pages are edited directly, and where no
 * rule applies to a merge, or the user may bypass the rules.
 */
export function letsWriteMain({ space, rules }: SpaceToSync, userId: string | null): boolean {
  return space.edit_mode === 'live' || standingRules(rules, userId).length === 0
}

/** For users who want to write to main in any case: `force` does not override merge rules. */
export function requireNoRules(to: SpaceToSync, userId: string | null): void {
  if (letsWriteMain(to, userId)) return
  const details = standingRules(to.rules, userId).map(({ rule: { type: rule }, at }) => ({
    path: `mergeRules.rules.${at}`,
    rule,
    message: 'has to be met by a change request',
  }))
  const message = `${details[0]!.rule}: this space takes changes by change requests only. Import without force.`
  throw new ApiError('merge_rule', message, { details })
}

/** The rules that apply, each with its index among all rules. */
function standingRules(kept: MergeRules, userId: string | null) {
  const rules = kept.type === 'rules' ? kept.rules : []
  const mayPass = rules.some((rule) => rule.type === 'allow_bypass' && userId !== null && rule.users.includes(userId))
  return mayPass ? [] : rules.map((rule, at) => ({ rule, at })).filter(({ rule }) => rule.type !== 'allow_bypass')
}
