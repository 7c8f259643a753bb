import type { App } from '../../http/routes.ts'
import { variableData } from '../../pages/entry-data.ts'
import { variable } from '../../revisions/entries.ts'
import type { Revision } from '../../revisions/revision.ts'
import type { Variable } from './variables.page.ts'

/** Lists all variables of a revision, ordered by name. */
export async function listVariables(app: App, at: Revision): Promise<Variable[]> {
  const entries = await app.content.entries(at, variable)
  const all = entries.map((entry) => ({ name: entry.slug!, value: variableData(entry).value }))
  return all.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
