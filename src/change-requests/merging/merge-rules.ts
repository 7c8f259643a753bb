import type { Db } from '../../db/connect.ts'
import type { MergeRule, MergeRules } from '../../db/tables.ts'
import { type Scope, compile, holds } from '../../expressions/compile.ts'
import { ExpressionError } from '../../expressions/error.ts'
import { ApiError } from '../../http/errors.ts'
import { type ChangeRequest, isOutdated } from '../queries.ts'
import { listAble } from '../reviews/reviewers.queries.ts'
import { type LatestReview, isCurrent } from '../reviews/reviews.queries.ts'

export interface MergeCase {
  row: ChangeRequest
  /** The last review of each reviewer. */
  reviews: LatestReview[]
  mergerId: string | null
}

/** Refuses a merge that breaks a rule, and names every rule it breaks. */
export async function requireMergeRules(db: Db, kept: MergeRules, asked: MergeCase): Promise<void> {
  const details = await listBroken(db, kept, asked)
  if (details.length > 0) throw new ApiError('merge_rule', `${details[0]!.rule}: ${details[0]!.message}.`, { details })
}

/** Lists the rules that a merge would break, and what it lacks to meet each. */
export async function listBroken(db: Db, kept: MergeRules, asked: MergeCase) {
  const rules = kept.type === 'rules' ? kept.rules : []
  const mayBypass = rules.some((rule) => rule.type === 'allow_bypass' && isOneOf(rule.users, asked.mergerId))
  if (mayBypass || rules.length === 0) return []
  const merge = await withoutStrangers(db, asked)
  const broken = rules.flatMap((rule, i) => {
    const message = brokenBy(rule, merge)
    return message === undefined ? [] : [{ path: `mergeRules.rules.${i}`, rule, message }]
  })
  if (broken.length === 0) return []
  const gone = await listGone(
    db,
    merge.row,
    broken.map(({ rule }) => rule),
  )
  return broken.map(({ path, rule, message }) => ({
    path,
    rule: rule.type,
    message: waitsInVain(rule, gone, merge) ?? message,
  }))
}

/** Ignores reviewers who may no longer review here: they can neither allow a merge, nor block it forever. */
async function withoutStrangers(db: Db, merge: MergeCase): Promise<MergeCase> {
  const reviewers = merge.reviews.map(({ reviewer_id }) => reviewer_id)
  const strangers = await listStrangers(db, merge.row, reviewers)
  return { ...merge, reviews: merge.reviews.filter(({ reviewer_id }) => !strangers.has(reviewer_id)) }
}

/** Returns those of the people that these rules wait for who may no longer review or merge in the space. */
function listGone(db: Db, row: ChangeRequest, rules: MergeRule[]): Promise<ReadonlySet<string>> {
  const named = rules.flatMap((rule) => {
    if (rule.type === 'require_author_to_merge') return row.created_by ?? []
    return 'users' in rule ? rule.users : []
  })
  return listStrangers(db, row, named)
}

async function listStrangers(db: Db, { organization_id, space_id }: ChangeRequest, userIds: string[]) {
  const able = await listAble(db, { organization_id, id: space_id }, userIds)
  return new Set(userIds.filter((userId) => !able.has(userId)))
}

/**
 * Returns the message for a rule that waits for something nobody can provide any more: asking for it would be futile.
 */
function waitsInVain(rule: MergeRule, gone: ReadonlySet<string>, merge: MergeCase): string | undefined {
  if (rule.type === 'require_author_to_merge') {
    const { created_by } = merge.row
    const isVain = created_by === null || gone.has(created_by)
    return isVain ? 'its author may not merge here: somebody has to change the rule' : undefined
  }
  if (!('users' in rule)) return undefined
  const awaited = rule.users.filter((userId) => !hasApproved(userId, merge))
  const missing = awaited.filter((userId) => gone.has(userId))
  const isVain =
    rule.type === 'require_one_of_specific_reviewers' ? missing.length === awaited.length : missing.length > 0
  return isVain ? `${missing.join(', ')} can no longer review here: somebody has to change the rule` : undefined
}

/**
 * Returns what a merge lacks to meet a rule. A review counts only while the change request is as the reviewer saw it,
 * but a request for changes counts until that reviewer approves.
 */
function brokenBy(rule: MergeRule, { row, reviews, mergerId }: MergeCase): string | undefined {
  const unless = (met: boolean, message: string) => (met ? undefined : message)
  const current = reviews.filter((review) => isCurrent(review, row))
  const approvedBy = (userId: string) => hasApproved(userId, { row, reviews })

  switch (rule.type) {
    case 'require_at_least_one_review':
      return unless(current.length > 0, 'somebody has to review this change request as it is now')
    case 'require_at_least_one_approved_review':
      return unless(
        current.some(({ status }) => status === 'approved'),
        'somebody has to approve this change request as it is now',
      )
    case 'require_all_reviews_approved':
      return unless(
        reviews.every(({ status }) => status === 'approved'),
        'a reviewer has asked for changes and not approved since',
      )
    case 'require_up_to_date_change_request':
      return unless(!isOutdated(row), 'this change request has to be updated from the main content first')
    case 'require_change_request_subject':
      return unless(row.subject.trim() !== '', 'this change request needs a subject')
    case 'require_change_request_description':
      return unless((row.description ?? '').trim() !== '', 'this change request needs a description')
    case 'require_author_to_merge':
      return unless(mergerId !== null && row.created_by === mergerId, 'only its author may merge this change request')
    case 'require_specific_reviewers':
      return unless(rule.users.every(approvedBy), 'not all of the required reviewers have approved it as it is now')
    case 'require_one_of_specific_reviewers':
      return unless(rule.users.some(approvedBy), 'none of the required reviewers has approved it as it is now')
    case 'custom':
      return unless(
        meets(rule.expression, scopeOf({ row, reviews, mergerId })),
        rule.message || 'a condition that was set for merges here is not met',
      )
    case 'allow_bypass':
      return undefined
  }
}

const hasApproved = (userId: string, { row, reviews }: Pick<MergeCase, 'row' | 'reviews'>) =>
  reviews.some((review) => review.reviewer_id === userId && review.status === 'approved' && isCurrent(review, row))

/**
 * Whether an expression is true. An expression that is invalid or fails is not met: a mistake in a rule must not permit
 * merges.
 */
function meets(expression: string, scope: Scope): boolean {
  try {
    return holds(compile(expression), scope)
  } catch (error) {
    if (error instanceof ExpressionError) return false
    throw error
  }
}

/** The values that a custom rule can use; docs/merge-rules.md lists them. */
function scopeOf({ row, reviews, mergerId }: MergeCase): Scope {
  const of = (status: LatestReview['status']) =>
    reviews.filter((review) => review.status === status && isCurrent(review, row)).map((review) => review.reviewer_id)
  const approvedBy = of('approved')
  const changesRequestedBy = of('changes-requested')
  return {
    changeRequest: {
      number: row.number,
      status: row.status,
      subject: row.subject,
      description: row.description ?? '',
      outdated: isOutdated(row),
      author: {
        id: row.created_by ?? '',
        email: row.creator?.email ?? '',
        displayName: row.creator?.display_name ?? '',
      },
    },
    reviews: {
      count: approvedBy.length + changesRequestedBy.length,
      approved: approvedBy.length,
      changesRequested: changesRequestedBy.length,
      outdated: reviews.length - approvedBy.length - changesRequestedBy.length,
      approvedBy,
      changesRequestedBy,
    },
    merger: { id: mergerId ?? '' },
  }
}

const isOneOf = (users: string[], userId: string | null) => userId !== null && users.includes(userId)
