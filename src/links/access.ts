import type { FastifyRequest } from 'fastify'
import { accessSpace } from '../access/content.ts'
import { accessChangeRequest } from '../change-requests/access.ts'
import { branchHeadOf, mainHeadOf } from '../change-requests/queries.ts'
import type { App } from '../http/routes.ts'
import type { Standpoint } from './locations.ts'

/** The standpoint from which links are resolved: a space that the caller may see, in its current state. */
export async function standInSpace(app: App, { caller }: FastifyRequest, params: { spaceId: string }) {
  const { space, main } = await accessSpace(app.db, caller, params.spaceId, 'view')
  return { organizationId: space.organization_id, spaceId: space.id, main } satisfies Standpoint
}

/** The same for the space as a change request has it. */
export async function standInChangeRequest(
  app: App,
  { caller }: FastifyRequest,
  params: { spaceId: string; changeRequestId: string },
) {
  const { changeRequest: row } = await accessChangeRequest(app.db, caller, params, 'view')
  return {
    organizationId: row.organization_id,
    spaceId: row.space_id,
    main: mainHeadOf(row),
    changeRequest: { row, head: branchHeadOf(row) },
  } satisfies Standpoint
}
