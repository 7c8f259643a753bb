import { createHash } from 'node:crypto'
import { newEntry } from '../../content/merge/entry.ts'
import { asData } from '../../pages/entry-data.ts'
import { top, variable } from '../../revisions/entries.ts'
import { type Step, touch } from '../batch.ts'
import { checkVariableName } from '../metadata.ts'
import type { ChangeOf } from '../schema.ts'

export async function updateVariables({ variables }: ChangeOf<'update_variables'>, step: Step): Promise<void> {
  const { draft, spaceId } = step.batch
  const names = Object.keys(variables)
  for (const name of names) checkVariableName(name, `variables.${name}`, step.path)
  await draft.loadSlots(names.map((slug) => ({ parent: top, kind: variable, slug })))
  const ids = new Map<string, string>()
  for (const slug of names) {
    ids.set(slug, (await draft.occupant({ parent: top, kind: variable, slug })) ?? variableId(spaceId, slug))
  }
  await draft.load([...ids.values()])

  for (const [name, value] of Object.entries(variables)) {
    const id = ids.get(name)!
    const entry = { ...newEntry(id, variable), slug: name, data: asData({ value: value ?? '' }) }
    if (value !== null) draft.put(entry)
    else if (await draft.find(id, variable)) draft.remove(id)
    touch(step.batch, entry, ['value'])
  }
}

/**
 * Derived from the name: two change requests that add the same variable mean the same entry. If they give it different
 * values, that is a conflict, and not a second variable with a number after its name.
 */
export function variableId(spaceId: string, name: string): string {
  const hex = createHash('sha256').update(`variable ${spaceId} ${name}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
