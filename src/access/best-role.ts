import { type Statement, sql } from '../db/sql.ts'

/** In the same order as `roles`, weakest first. */
const ranks = sql`array['read', 'comment', 'edit', 'review', 'create', 'admin']`

/** Aggregate that returns the strongest of several roles. "No access" counts only if there is no other role. */
export const bestRole = (role: Statement) => sql`(${ranks})[max(array_position(${ranks}, ${role}::text))]`
