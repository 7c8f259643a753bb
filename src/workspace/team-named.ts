import type { Fields } from '../account/forms.ts'
import type { Transaction } from '../db/transaction.ts'
import { conflict } from '../http/errors.ts'
import { isId } from '../ids.ts'
import { listTeamsTitled } from '../teams/queries.ts'

/**
 * Returns the team that a form refers to: by an id that was chosen, or by its name if there are too many to choose
 * from.
 */
export async function teamIn(
  tx: Transaction,
  organizationId: string,
  { team = '', name = '' }: Fields,
): Promise<string> {
  if (isId(team)) return team
  const [found, ...others] = await listTeamsTitled(tx, organizationId, name.trim())
  if (!found) throw conflict(name === '' ? 'Choose a team.' : 'There is no team with this name.')
  if (others.length > 0) throw conflict('Several teams have this name. Rename one of them first.')
  return found
}
