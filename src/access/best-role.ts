import { type Statement, sql } from '../db/sql.ts'

/** As in `roles`, weakest first. */
const ranks = sql`array['read', 'comment', 'edit', 'review', 'create', 'admin']`

/** Of several, as an aggregate; "no access" counts only where there is nothing else. */
export const bestRole = (role: Statement) => sql`(${ranks})[max(array_position(${ranks}, ${role}::text))]`
