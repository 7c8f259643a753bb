import { sql } from '../db/sql.ts'
import type { MergeRules } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { usersIn, withoutUsers } from '../spaces/merge-rules.ts'
import type { MembersHere } from './people/members-here.ts'
import type { ExportedName } from './queries.ts'

/** A restored space, and its rules for merging. */
export interface RuledSpace {
  id: string
  title: string
  mergeRules: MergeRules
}

/** The people whom rules name by id, with their addresses and names from the archive. */
export function peopleInRules(ruled: readonly RuledSpace[], named: readonly ExportedName[]): ExportedName[] {
  const byId = new Map(named.map((person) => [person.id, person]))
  const ids = new Set(ruled.flatMap(({ mergeRules }) => usersIn(mergeRules)))
  return [...ids].map((id) => byId.get(id) ?? { id, email: '' })
}

/**
 * Restores merge rules. A rule that requires somebody who is not a member could never be fulfilled, so these people are
 * left out; all other rules stay as they were.
 */
export async function restoreRules(
  tx: Transaction,
  organizationId: string,
  { id, title, mergeRules }: RuledSpace,
  { people, named, problems }: { people: MembersHere; named: readonly ExportedName[]; problems: string[] },
): Promise<void> {
  if (mergeRules.type === 'inherit') return
  const those = peopleInRules([{ id, title, mergeRules }], named)
  const ids = new Map(those.map((person) => [person.id!, people.idOf(person)]))
  const left = those.filter((person) => ids.get(person.id!) === undefined)
  const rules = withoutUsers(mergeRules, new Set(left.map((person) => person.id!)))
  const here =
    rules.type === 'rules'
      ? {
          ...rules,
          rules: rules.rules.map((rule) =>
            'users' in rule ? { ...rule, users: rule.users.map((user) => ids.get(user)!) } : rule,
          ),
        }
      : rules
  if (left.length > 0) {
    const names = left.map((person) => person.email || person.id).join(', ')
    problems.push(
      `The space ${JSON.stringify(title)} has merge rules with people who are not members here: ${names}. ` +
        'These people were left out: check that the remaining rules are what you want.',
    )
  }
  await tx.run(sql`
    update spaces set merge_rules = ${here}::jsonb where organization_id = ${organizationId} and id = ${id}`)
}
