import type { Db } from '../../db/connect.ts'
import type { SpaceRow } from '../../db/tables.ts'
import { invalid } from '../../http/errors.ts'
import { isId } from '../../ids.ts'
import { listAble } from './reviewers.queries.ts'

/**
 * Only people who may review can be asked to. The error is the same for unknown users and for users who may not review.
 */
export async function requireReviewers(db: Db, space: SpaceRow, users: string[]): Promise<string[]> {
  const able = await listAble(db, space, users.filter(isId))
  users.forEach((userId, i) => {
    if (able.has(userId)) return
    throw invalid(`body.users.${i}`, 'reviewer', 'must be somebody who may review in this space')
  })
  return [...new Set(users)]
}
