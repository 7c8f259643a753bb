import type { FastifyRequest } from 'fastify'
import { changeChangeRequest, createChangeRequest } from '../change-requests/actions.ts'
import { type ChangeRequest, findChangeRequest } from '../change-requests/queries.ts'
import type { SpaceRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { type Edit, contentOfChangeRequest } from '../editing/actions.ts'
import { write } from '../http/write.ts'
import { shortened } from '../shortened.ts'
import { addOnce } from '../workspace/once.ts'

export const longestSubject = 100

/** What a change request is about that somebody begins by what they do. */
export const subjectFor = (words: string): string => shortened(words, longestSubject)

/** What one is called that somebody begins with a new page, before that has a title and then. */
export const subjectOfNew = (title?: string): string => (title === undefined ? 'New page' : subjectFor(`Add ${title}`))

/** After something that happened in it, where it is still called as it was: whatever somebody called it stays. */
export async function callAnew(
  tx: Transaction,
  { organization_id, space_id, id }: ChangeRequest,
  [was, now]: readonly [was: string, now: string],
): Promise<void> {
  const row = await findChangeRequest(tx, organization_id, space_id, id)
  if (row?.subject === was) await changeChangeRequest(tx, row, { subject: now })
}

/**
 * Writes into a change request, which begins with it where there is none yet: all of it or nothing, and once however often
 * somebody clicks. Answers its number.
 */
export function beginWith(
  request: FastifyRequest,
  space: SpaceRow,
  edit: Edit,
  to: { subject: string; change?: Pick<ChangeRequest, 'id' | 'number'> | undefined },
): Promise<number> {
  return write(request, (tx) =>
    addOnce(tx, request, async () => {
      const begun = { subject: subjectFor(to.subject), description: null }
      const { id, number } = to.change ?? (await createChangeRequest(tx, space, begun))
      const content = contentOfChangeRequest(space, id)
      await content.holdLine(tx)
      const writeIt = await content.workOut(tx, edit, new Map())
      await writeIt(tx)
      return number
    }),
  )
}
