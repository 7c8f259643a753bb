import { spaceRights } from '../../../access/rights.ts'
import type { SpaceRow } from '../../../db/tables.ts'
import type { App } from '../../../http/routes.ts'
import { listSpacesToChoose } from '../../../spaces/queries.ts'
import type { Opener } from '../../open.ts'

/** The spaces that a user may add to a site. */
export interface SpacesToShow {
  spaces: SpaceRow[]
  /** How many more spaces there are, which were not checked. */
  others: number
}

export const noSpaces: SpacesToShow = { spaces: [], others: 0 }

/** The newest spaces come last, so this leaves room for as many spaces as an organization is likely to have. */
const most = 2000

/** Returns the spaces that the user may add, among the first ones that they may see. */
export async function findSpacesToShow(app: App, { membership }: Opener): Promise<SpacesToShow> {
  const { organization, userId } = membership
  const { rows, count } = await listSpacesToChoose(app.db, organization.id, userId, most)
  return { spaces: rows.filter(({ role }) => spaceRights(role).admin), others: count - rows.length }
}
