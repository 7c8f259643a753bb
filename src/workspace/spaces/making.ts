import type { FastifyRequest } from 'fastify'
import { fieldsOf } from '../../account/forms.ts'
import { createCollection } from '../../collections/actions.ts'
import { accessParent } from '../../collections/tree.ts'
import { write } from '../../http/write.ts'
import { createSpace } from '../../spaces/actions.ts'
import { contentTitleIn } from './content-title.ts'
import { addOnce } from '../once.ts'
import type { Opener } from '../open.ts'

export const titleTyped = (request: FastifyRequest) => (fieldsOf(request).title ?? '').trim()

/**
 * Creates the space or collection that a form asks for, in a collection or at the top level. Sending the form again
 * creates no second one.
 */
export async function makeIn(
  request: FastifyRequest,
  caller: Opener,
  what: 'space' | 'collection',
  collectionId: string | null,
): Promise<string> {
  const { organization, userId: creatorId, role } = caller.membership
  const parent = { organizationId: organization.id, id: collectionId }
  await accessParent(request.server.db, caller, parent, role)
  const draft = { parent, title: contentTitleIn(titleTyped(request), what), creatorId }
  return write(request, (tx) =>
    addOnce(tx, request, () =>
      // Without the empty page that other spaces begin with, because it would come before what is imported.
      what === 'space' ? createSpace(tx, { ...draft, empty: true }) : createCollection(tx, draft),
    ),
  )
}
