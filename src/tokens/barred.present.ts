import type { Static } from 'typebox'
import type { MemberTokenRow } from './barred.queries.ts'
import type { MemberToken } from './barred.schema.ts'
import { presentTokenItself } from './present.ts'

export function presentMemberToken(row: MemberTokenRow): Static<typeof MemberToken> {
  return { ...presentTokenItself(row), barred: row.barred }
}
