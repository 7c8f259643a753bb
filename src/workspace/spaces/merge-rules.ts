import type { Fields } from '../../account/forms.ts'
import type { MergeRule, MergeRules } from '../../db/tables.ts'
import { conflict } from '../../http/errors.ts'
import { overtaken } from '../overtaken.ts'
import { asSeen } from '../seen.ts'

type PlainRule = Exclude<MergeRule, { users: string[] } | { expression: string }>

/** The rules that are only on or off. */
export const plainRules: Record<PlainRule['type'], string> = {
  require_at_least_one_review: 'At least one person has reviewed it',
  require_at_least_one_approved_review: 'At least one person has approved it',
  require_all_reviews_approved: 'Everyone who reviewed it has approved it',
  require_up_to_date_change_request: 'It is up to date with the main content',
  require_change_request_subject: 'It has a subject',
  require_change_request_description: 'It has a description',
  require_author_to_merge: 'Only its author merges it',
}

export const isPlain = (rule: MergeRule): rule is PlainRule => Object.hasOwn(plainRules, rule.type)

const plainTypes = Object.keys(plainRules) as PlainRule['type'][]

/** What the user chose. */
export interface KeptRules {
  type: string
  rules: string[]
}

export const chosenRules = (fields: Fields): KeptRules => ({
  type: fields.type ?? '',
  rules: plainTypes.filter((type) => fields[type] !== undefined),
})

/**
 * Returns the rules that a form asks for; undefined if they apply already. Rules that the form does not show are kept.
 */
export function rulesWanted(now: MergeRules, fields: Fields, types: readonly MergeRules['type'][]) {
  const { type, rules } = chosenRules(fields)
  const wanted = types.find((each) => each === type)
  if (wanted === undefined) throw conflict('Choose what is required before a change request is merged.')
  const others = now.type === 'rules' ? now.rules.filter((rule) => !isPlain(rule)) : []
  const chosen = plainTypes.filter((each) => rules.includes(each)).map((each): MergeRule => ({ type: each }))
  if (wanted === 'rules' && chosen.length + others.length === 0) throw conflict('Choose at least one rule.')
  const next: MergeRules = wanted === 'rules' ? { type: wanted, rules: [...chosen, ...others] } : { type: wanted }
  if (isSame(now, next)) return undefined
  if (asSeen(now) !== fields.seen) throw overtaken('changed the rules')
  return next
}

/** Compares rules regardless of their order. */
function isSame(a: MergeRules, b: MergeRules): boolean {
  const listed = (each: MergeRules) =>
    each.type === 'rules' ? each.rules.map((rule) => JSON.stringify(rule)).toSorted() : []
  return a.type === b.type && JSON.stringify(listed(a)) === JSON.stringify(listed(b))
}
