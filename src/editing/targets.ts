import { accessSpace } from '../access/content.ts'
import { ApiError } from '../http/errors.ts'
import { isId } from '../ids.ts'
import type { PageType, Reference } from '../pages/entry-data.ts'
import { file, findEntry, page } from '../revisions/entries.ts'
import { type Step, named } from './batch.ts'
import type { ChangeOf } from './schema.ts'

type Target = ChangeOf<'insert_page'>['target']

/** Checks that a page of this type has only its own parts. `whole`: for a new page, which requires them. */
export function checkParts(
  { path }: Step,
  type: PageType,
  parts: Pick<ChangeOf<'insert_page'>, 'document' | 'target' | 'computed'>,
  whole = true,
): void {
  const own = { document: 'document', link: 'target', computed: 'computed', group: undefined }[type]
  for (const part of ['document', 'target', 'computed'] as const) {
    const given = parts[part]
    const isEmpty = given === undefined || (part === 'document' && Object.keys(given).length === 0)
    if (part !== own && !isEmpty) throw path.invalid(part, 'type', `does not go with a page of the type ${type}`)
    if (part === own && given === undefined && whole) throw path.invalid(part, 'required', 'is required')
  }
}

/**
 * The target of a link. Everything it names is checked separately: anything that the caller may not see does not exist
 * for them.
 */
export async function targetOf(step: Step, target: Target): Promise<Reference | undefined> {
  if (!target) return undefined
  const { kind, url, anchor, space } = target
  switch (kind) {
    case 'url':
      return { kind, url: given(step, url, 'url') }
    case 'file':
      return { kind, file: (await named(step, given(step, target.file, 'file'), file, 'target.file')).entry }
    case 'space':
      await accessTargetSpace(step, given(step, space, 'space'))
      return { kind, space: space! }
    case 'page':
      return { kind, ...(await pageOf(step, target)) }
    case 'anchor':
      return { kind, anchor: given(step, anchor, 'anchor'), ...(await pageOf(step, target)) }
  }
}

function given<Value>({ path }: Step, value: Value | undefined, field: string): Value {
  if (value === undefined) throw path.invalid(`target.${field}`, 'required', 'is required')
  return value
}

async function pageOf(
  step: Step,
  { page: name, space }: NonNullable<Target>,
): Promise<{ page: string; space?: string }> {
  const wanted = given(step, name, 'page')
  if (space === undefined || space === step.batch.spaceId) {
    return { page: (await named(step, wanted, page, 'target.page')).entry }
  }
  const { main } = await accessTargetSpace(step, space)
  const found = isId(wanted) ? await findEntry(step.batch.db, main, wanted) : undefined
  if (found?.kind !== page) throw step.path.invalid('target.page', 'exists', 'is not a page of that space')
  return { page: wanted, space }
}

async function accessTargetSpace({ batch, path }: Step, spaceId: string) {
  try {
    if (!isId(spaceId)) throw new ApiError('not_found', '')
    const access = await accessSpace(batch.db, batch.caller, spaceId, 'view')
    if (access.space.organization_id === batch.organizationId) return access
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
  throw path.invalid('target.space', 'exists', 'is not a space that you can see here')
}
