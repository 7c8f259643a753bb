import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import type { MergeRule, MergeRules as Kept } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { compile } from '../expressions/compile.ts'
import { ExpressionError } from '../expressions/error.ts'
import { invalid } from '../http/errors.ts'
import { OneOf } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { memberIds } from '../organizations/members.access.ts'

const plain = [
  'require_at_least_one_review',
  'require_at_least_one_approved_review',
  'require_all_reviews_approved',
  'require_up_to_date_change_request',
  'require_change_request_subject',
  'require_change_request_description',
  'require_author_to_merge',
] as const

const aboutUsers = ['require_specific_reviewers', 'require_one_of_specific_reviewers', 'allow_bypass'] as const

const types = [...plain, ...aboutUsers, 'custom', 'require_agent_review'] as const

const Rule = Type.Object({
  type: OneOf(types),
  users: Type.Optional(
    Type.Array(Type.String(), { minItems: 1, maxItems: 100, description: 'Members, for rules that name people.' }),
  ),
  expression: Type.Optional(Type.String({ minLength: 1, maxLength: 1024, description: 'For custom rules.' })),
  message: Type.Optional(
    Type.String({ maxLength: 256, description: 'For custom rules: what to do to satisfy the rule.' }),
  ),
})

const rules = Type.Optional(Type.Array(Rule, { maxItems: 50, description: 'For the type `rules`.' }))

/** The conditions for merging a change request. */
export const MergeRules = Type.Object({ type: OneOf(['inherit', 'none', 'rules'] as const), rules })

/** The same for an organization, which has nothing above it to inherit from. */
export const OrganizationMergeRules = Type.Object({ type: OneOf(['none', 'rules'] as const), rules })

/**
 * Returns the rules to store. A rule that could never be met, or that cannot be parsed, is refused here and not at the
 * merge. A rule that is unchanged from `before` is accepted even if somebody it names has left: a client that changes
 * other rules need not know that.
 */
export async function checkMergeRules(
  tx: Transaction,
  organizationId: string,
  given: Static<typeof MergeRules>,
  before: Kept,
): Promise<Kept> {
  const path = 'body.mergeRules.rules'
  if (given.type !== 'rules') {
    if (given.rules && given.rules.length > 0) throw invalid(path, 'type', 'can only be set with the type rules')
    return { type: given.type }
  }
  if (!given.rules) throw invalid(path, 'required', 'is required with the type rules')
  const checked: MergeRule[] = []
  for (const [i, rule] of given.rules.entries()) {
    const same = before.type === 'rules' && before.rules.find((each) => isDeepStrictEqual(each, rule))
    checked.push(same || (await checkRule(tx, organizationId, `${path}.${i}`, rule)))
  }
  return { type: 'rules', rules: checked }
}

async function checkRule(
  tx: Transaction,
  organizationId: string,
  path: string,
  { type, users, expression, message }: Static<typeof Rule>,
): Promise<MergeRule> {
  switch (type) {
    case 'require_agent_review':
      throw invalid(`${path}.type`, 'unsupported', 'cannot be set here: there is no agent that reviews')
    case 'custom':
      if (expression === undefined) throw invalid(`${path}.expression`, 'required', 'is required for a custom rule')
      checkExpression(`${path}.expression`, expression)
      return { type, expression, ...(message !== undefined && { message }) }
    case 'require_specific_reviewers':
    case 'require_one_of_specific_reviewers':
    case 'allow_bypass':
      if (!users) throw invalid(`${path}.users`, 'required', 'is required for this rule')
      return { type, users: await memberIds(tx, organizationId, `${path}.users`, users) }
    default:
      return { type }
  }
}

function checkExpression(path: string, expression: string): void {
  try {
    compile(expression)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    throw invalid(path, 'expression', `${error.message} (at character ${error.index + 1})`)
  }
}

/** Lists the users that the rules name. */
export const usersIn = (kept: Kept): string[] =>
  kept.type === 'rules' ? kept.rules.flatMap((rule) => ('users' in rule ? rule.users : [])) : []

/**
 * Removes these users from the rules, for a space that is transferred to an organization where they are not members.
 */
export function withoutUsers(kept: Kept, leaving: ReadonlySet<string>): Kept {
  if (kept.type !== 'rules') return kept
  const rules = kept.rules.flatMap((rule): MergeRule[] => {
    if (!('users' in rule)) return [rule]
    const users = rule.users.filter((userId) => !leaving.has(userId))
    return users.length > 0 ? [{ ...rule, users }] : []
  })
  return { type: 'rules', rules }
}
