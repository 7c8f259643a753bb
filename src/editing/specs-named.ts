import { forbidden } from '../http/errors.ts'
import { specMadeFrom } from '../openapi/generate/expand.ts'
import { findUnseenSpec } from '../openapi/unseen.ts'
import type { Line } from '../revisions/lines.ts'
import type { Batch } from './batch.ts'

/** Refuses a batch by which a guest would see a specification that nobody has shown to them. */
export async function requireSpecsSeen(batch: Batch, line: Line): Promise<void> {
  const { db, caller, draft } = batch
  const texts = [...draft.written.values()].map(({ body }) => body)
  const unseen = await findUnseenSpec(db, line, caller.user.id, { texts, made: specsToMakeFrom(batch) })
  if (unseen !== undefined)
    throw forbidden(`show the specification “${unseen}” here: guests can only use those that the space already shows`)
}

/**
 * A page that was reverted names no specification that the space did not name before, unless the same batch names
 * another one for it.
 */
const specsToMakeFrom = ({ draft, touched }: Batch): string[] =>
  [...draft.changes()].flatMap(({ id, before, now }) => {
    const name = now ? specMadeFrom(now) : undefined
    const { reverted = false, fields } = touched.get(id) ?? {}
    const isKnown = (before !== null && name === specMadeFrom(before)) || (reverted && !fields?.has('computed'))
    return name === undefined || isKnown ? [] : name
  })
