import type { FastifyRequest } from 'fastify'
import { changeChangeRequest, createChangeRequest } from '../change-requests/actions.ts'
import { type ChangeRequest, findChangeRequest } from '../change-requests/queries.ts'
import { longestSubject } from '../change-requests/subject.ts'
import type { SpaceRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { type Edit, contentOfChangeRequest } from '../editing/actions.ts'
import { write } from '../http/write.ts'
import { shortened } from '../shortened.ts'
import { addOnce } from '../workspace/once.ts'

/** The subject of a change request that somebody starts by what they do. */
export const subjectFor = (words: string): string => shortened(words, longestSubject)

/**
 * The subject of a change request that somebody starts with a new page: before the page has a title, and once it has
 * one.
 */
export const subjectOfNew = (title?: string): string => (title === undefined ? 'New page' : subjectFor(`Add ${title}`))

/**
 * Renames a change request after something happened in it, but only if it still has the former subject: a subject that
 * somebody gave it stays.
 */
export async function callAnew(
  tx: Transaction,
  { organization_id, space_id, id }: ChangeRequest,
  [was, now]: readonly [was: string, now: string],
): Promise<void> {
  const row = await findChangeRequest(tx, organization_id, space_id, id)
  if (row?.subject === was) await changeChangeRequest(tx, row, { subject: now })
}

/**
 * Writes into a change request, which is created if there is none yet. All or nothing, and only once however often
 * somebody clicks. Returns its number.
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
