import type { Static } from 'typebox'
import { type Role, roles } from '../access/roles.ts'
import { nameFrom } from '../account/name.ts'
import { invalid } from '../http/errors.ts'
import { isEmail } from '../http/formats.ts'
import { compileOnFirstUse } from '../http/validation.ts'
import { readChoice } from './filter.ts'
import type { Step } from './patch.ts'
import { UserChanges, type UserToTake } from './schema.ts'

/** What an identity provider reported about a person. Missing fields were not reported. */
export interface Told {
  userName?: string
  externalId?: string | null
  email?: string
  displayName?: string
  givenName?: string
  familyName?: string
  active?: boolean
  /** null is a guest. */
  role?: Role | null
}

type Resource = Partial<Static<typeof UserToTake>>

export function toldBy(resource: Resource): Told {
  const { userName, externalId, active } = resource
  const told = {
    userName,
    externalId: externalId === undefined ? undefined : externalId || null,
    email: addressIn(resource),
    displayName: nameIn(resource),
    givenName: nameFrom(resource.name?.givenName ?? ''),
    familyName: nameFrom(resource.name?.familyName ?? ''),
    active: active === undefined || active === null ? undefined : isYes(active, 'body.active'),
    role: roleIn(resource),
  }
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined))
}

/** The same for changes: their result is written as a whole resource, and read like one. */
export function toldBySteps(steps: readonly Step[]): Told {
  const resource: Record<string, unknown> = {}
  for (const step of steps) {
    const { kind, attribute, part, value } = step
    const name = names.get(attribute)
    if (name === undefined || !isMain(step)) continue
    if (kind === 'remove') {
      // Other stored fields cannot be removed as long as the person is a member.
      if (name === 'externalId') resource.externalId = null
    } else if (name === 'name' && part !== '') {
      resource.name = { ...(resource.name as object | undefined), [nameParts.get(part) ?? part]: value }
    } else if (several.has(name)) {
      resource[name] = mainValues(step) ?? resource[name]
    } else {
      resource[name] = value
    }
  }
  const checked = check(resource)
  if (checked && 'error' in checked) throw checked.error
  return toldBy(resource)
}

const check = compileOnFirstUse({ schema: UserChanges, httpPart: 'body', method: '', url: '' }) as (
  value: unknown,
) => { value: unknown } | { error: Error }

const byLetters = (words: string[]) => new Map(words.map((word) => [word.toLowerCase(), word]))
const names = byLetters(['userName', 'externalId', 'displayName', 'name', 'emails', 'active', 'roles'])
const nameParts = byLetters(['formatted', 'givenName', 'familyName'])
const several = new Set(['emails', 'roles'])

/**
 * Returns what a step says about the one address or role that we store; undefined if it is about another one, or not
 * about the value itself.
 */
function mainValues({ kind, attribute, part, value }: Step): unknown[] | undefined {
  if (part !== '') return part === 'value' ? [{ value, primary: true }] : undefined
  const given = [value ?? []].flat()
  const main = kind === 'add' && attribute === 'emails' ? given.filter((each) => !isBeside(each)) : given
  return main.length > 0 ? main : undefined
}

/** Whether an address is not the one that we store. No schema has validated it yet. */
function isBeside(email: { type?: boolean | string | null; primary?: boolean | string | null } | null): boolean {
  const type = String(email?.type ?? 'work').toLowerCase()
  return type !== 'work' && String(email?.primary).toLowerCase() !== 'true'
}

/** Of several addresses we store one: the one for work, or the one marked as primary. */
function isMain({ filter, at }: Step): boolean {
  if (filter === undefined) return true
  return readChoice(filter, `${at}.path`).every(({ attribute, value }) =>
    attribute === 'type' ? value.toLowerCase() === 'work' : attribute !== 'primary' || value.toLowerCase() === 'true',
  )
}

function addressIn({ emails }: Resource): string | undefined {
  const given = (emails ?? []).filter(({ value }) => value)
  const chosen =
    given.find(({ primary }) => primary && isYes(primary, 'body.emails')) ??
    given.find(({ type }) => type?.toLowerCase() === 'work') ??
    given[0]
  if (chosen && !isEmail(chosen.value!)) throw invalid('body.emails', 'format', 'must be e-mail addresses')
  return chosen?.value ?? undefined
}

function nameIn({ displayName, name }: Resource): string | undefined {
  return nameFrom(displayName || name?.formatted || '')
}

function roleIn({ roles: given }: Resource): Told['role'] {
  const chosen = given?.find(({ primary }) => primary && isYes(primary, 'body.roles')) ?? given?.[0]
  const word = wordIn(chosen?.value ?? '').toLowerCase()
  if (!word) return undefined
  if (word === 'guest') return null
  const role = roles.find((each) => each === word)
  if (role === undefined) throw invalid('body.roles', 'enum', `must be one of ${roles.join(', ')}, guest`)
  return role
}

/** Microsoft Entra writes a changed role as JSON within the text: `"{\"id\":…,\"value\":\"edit\",…}"`. */
function wordIn(text: string): string {
  if (!text.startsWith('{')) return text
  try {
    const { value } = JSON.parse(text) as { value?: unknown }
    return typeof value === 'string' ? value : text
  } catch {
    return text
  }
}

/** Some providers write `"True"`. */
function isYes(value: boolean | string, path: string): boolean {
  const word = String(value).toLowerCase()
  if (word !== 'true' && word !== 'false') throw invalid(path, 'type', 'must be true or false')
  return word === 'true'
}
