import type { MergeRules } from '../db/tables.ts'
import { ApiError } from '../http/errors.ts'
import type { SpaceToSync } from './queries.ts'

/**
 * Whether somebody may write what a repository says into main without a change request: where pages are edited directly,
 * and where no rule asks for anything before a merge, or lets them pass.
 */
export function letsWriteMain({ space, rules }: SpaceToSync, userId: string | null): boolean {
  return space.edit_mode === 'live' || standingRules(rules, userId).length === 0
}

/** For one who wants to write to main, whatever there is: rules are not overruled. */
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

/** With where they stand among all rules. */
function standingRules(kept: MergeRules, userId: string | null) {
  const rules = kept.type === 'rules' ? kept.rules : []
  const mayPass = rules.some((rule) => rule.type === 'allow_bypass' && userId !== null && rule.users.includes(userId))
  return mayPass ? [] : rules.map((rule, at) => ({ rule, at })).filter(({ rule }) => rule.type !== 'allow_bypass')
}
