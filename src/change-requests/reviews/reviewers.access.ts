import type { Db } from '../../db/connect.ts'
import type { SpaceRow } from '../../db/tables.ts'
import { invalid } from '../../http/errors.ts'
import { isId } from '../../ids.ts'
import { listAble } from './reviewers.queries.ts'

/** Only who may review can be asked to. Who is unknown and who may not look the same. */
export async function requireReviewers(db: Db, space: SpaceRow, users: string[]): Promise<string[]> {
  const able = await listAble(db, space, users.filter(isId))
  users.forEach((userId, i) => {
    if (able.has(userId)) return
    throw invalid(`body.users.${i}`, 'reviewer', 'must be somebody who may review in this space')
  })
  return [...new Set(users)]
}
