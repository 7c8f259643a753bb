import { spaceRights } from '../../../access/rights.ts'
import type { SpaceRow } from '../../../db/tables.ts'
import type { App } from '../../../http/routes.ts'
import { listSpacesToChoose } from '../../../spaces/queries.ts'
import type { Opener } from '../../open.ts'

/** Spaces that somebody may put into a site. */
export interface SpacesToShow {
  spaces: SpaceRow[]
  /** How many more there are, which were not looked at. */
  others: number
}

export const noSpaces: SpacesToShow = { spaces: [], others: 0 }

/** What was made last stands behind all others: so there is room for all that an organization is likely to have. */
const most = 2000

/** Of the first ones that they may see. */
export async function findSpacesToShow(app: App, { membership }: Opener): Promise<SpacesToShow> {
  const { organization, userId } = membership
  const { rows, count } = await listSpacesToChoose(app.db, organization.id, userId, most)
  return { spaces: rows.filter(({ role }) => spaceRights(role).admin), others: count - rows.length }
}
