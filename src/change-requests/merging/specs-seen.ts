import type { Db } from '../../db/connect.ts'
import { conflict } from '../../http/errors.ts'
import { type NamedLine, findUnseenSpec } from '../../openapi/unseen.ts'

/**
 * Two sides may together produce a text that shows a specification although neither side did. A guest must not be able
 * to read a specification that way.
 */
export async function requireSpecsSeen(
  db: Db,
  branch: NamedLine,
  userId: string | null,
  { bodies }: { bodies: ReadonlyMap<string, string> },
): Promise<void> {
  const unseen = userId === null ? undefined : await findUnseenSpec(db, branch, userId, { texts: [...bodies.values()] })
  if (unseen !== undefined)
    throw conflict(
      `Together, both sides show the specification “${unseen}”. Guests can only use those that the space already shows: ask a member.`,
    )
}
