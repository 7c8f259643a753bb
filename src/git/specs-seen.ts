import type { Db } from '../db/connect.ts'
import { specMadeFrom } from '../openapi/generate/expand.ts'
import { type NamedLine, findUnseenSpec } from '../openapi/unseen.ts'
import type { Row } from '../revisions/entries.ts'
import { GitFailure } from './repository.ts'

/** Refuses specifications that a guest may not see: the repository may name one, and the guest would read it here. */
export async function requireSpecsSeen(
  db: Db,
  main: NamedLine,
  userId: string | null,
  { rows, bodies }: { rows: readonly Row[]; bodies: ReadonlyMap<string, string> },
): Promise<void> {
  if (userId === null) return
  const made = rows.flatMap((row) => specMadeFrom(row) ?? [])
  const unseen = await findUnseenSpec(db, main, userId, { texts: [...bodies.values()], made })
  if (unseen !== undefined)
    throw new GitFailure(
      `With this import, the space would show the specification “${unseen}”. Guests can only use those that the space already shows.`,
    )
}
