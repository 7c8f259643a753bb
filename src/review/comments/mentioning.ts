import { type SpaceAccess, listSpaceRoles } from '../../access/content.ts'
import { organizationRights, spaceRights } from '../../access/rights.ts'
import type { ChangeRequestAccess } from '../../change-requests/access.ts'
import { listTakingPart } from '../../change-requests/taking-part.queries.ts'
import { listWhoCommented } from '../../comments/commenters.queries.ts'
import { mentionOf, mentionsIn } from '../../comments/mentions.ts'
import { plainWords } from '../../content/markdown/plain-words.ts'
import type { Db } from '../../db/connect.ts'
import { conflict } from '../../http/errors.ts'
import { listMembersCalled } from '../../organizations/members.queries.ts'
import type { Person } from '../../users/present.ts'
import type { Opener } from '../../workspace/open.ts'

/** Further mentions in one text are left as they are. */
const mostMentions = 20
/** As long as names can be, with some room for an address. */
const longestName = 100

/** Access to a place where people comment. */
export type TalkAccess = SpaceAccess | ChangeRequestAccess

/** A place where somebody wrote `@`, and all names that may be meant by it, the longest first. */
interface Asked {
  at: number
  names: string[]
}

/**
 * Returns the text with a mention wherever it contains `@` and the name or the e-mail address of a person who may see
 * the space. Everything else that begins with `@` is left as it is: nobody learns whether there is a person of that
 * name.
 */
export async function mentioning(db: Db, access: TalkAccess, caller: Opener, text: string): Promise<string> {
  const asked = namesAsked(text)
  if (asked.length === 0) return text
  const people = await listMentionable(db, access, caller, [...new Set(asked.flatMap(({ names }) => names))])
  let written = ''
  let from = 0
  const mentioned = new Set<string>()
  for (const { at, names } of asked) {
    const name = names.find((each) => people.has(lower(each)))
    if (name === undefined || at < from) continue
    const person = theOne(people.get(lower(name))!, name)
    mentioned.add(person.id)
    written += text.slice(from, at) + mentionOf(person)
    from = at + 1 + name.length
  }
  const whole = written + text.slice(from)
  // If a mention would not be parsed as one, the text stays as it was typed.
  return new Set(mentionsIn(whole)).isSupersetOf(mentioned) ? whole : text
}

const lower = (name: string) => name.toLowerCase()

function namesAsked(text: string): Asked[] {
  if (!text.includes('@')) return []
  const asked = plainWords(`\n${text}`).flatMap(({ start, end }) => {
    const words = text.slice(start - 1, end - 1)
    return [...words.matchAll(/(?<![\p{L}\p{N}\\/@._-])@(?=[\p{L}\p{N}])/gu)].map(({ index }) => ({
      at: start - 1 + index,
      names: namesIn(words.slice(index + 1, index + 1 + longestName)),
    }))
  })
  return asked.slice(0, mostMentions)
}

/**
 * Returns all beginnings that end at the end of a word. The first half of an address, of a double name or of a package
 * does not count. A name contains no line break.
 */
function namesIn(words: string): string[] {
  const [line = ''] = words.split('\n', 1)
  const ends = [...line.matchAll(/(?<=\S)(?![\p{L}\p{N}\p{M}]|[@/._+-][\p{L}\p{N}])/gu)].map(({ index }) => index)
  return ends.map((end) => line.slice(0, end)).toReversed()
}

/**
 * Returns people by their names and by their addresses, in lower case. Callers who may not list all members can mention
 * only people who take part.
 */
async function listMentionable(
  db: Db,
  access: TalkAccess,
  { membership }: Opener,
  names: string[],
): Promise<ReadonlyMap<string, Person[]>> {
  const { space } = access
  const called = await listMembersCalled(db, space.organization_id, names)
  const ids = called.map(({ id }) => id)
  const inSight = organizationRights(membership).listMembers ? new Set(ids) : await listInSight(db, access, ids)
  const known = called.filter(({ id }) => inSight.has(id))
  const roles = await listSpaceRoles(
    db,
    space,
    known.map(({ id }) => id),
  )
  const able = known.filter(({ id }) => spaceRights(roles.get(id) ?? null).view)
  // Names that contain `@` do not count: nobody can take somebody else's mentions by using that person's address as
  // their name.
  const byName = Map.groupBy(able, ({ display_name }) => (display_name.includes('@') ? '' : lower(display_name)))
  return new Map([...byName, ...Map.groupBy(able, ({ email }) => lower(email))])
}

const listInSight = (db: Db, access: TalkAccess, ids: string[]): Promise<ReadonlySet<string>> =>
  'changeRequest' in access ? listTakingPart(db, access.changeRequest) : listWhoCommented(db, access.space, ids)

/** A person's own account and one from single sign-on may have the same address. Either one is this person. */
function theOne(people: Person[], name: string): Person {
  const [first, ...others] = people as [Person, ...Person[]]
  if (others.length > 0 && !name.includes('@'))
    throw conflict(
      `Several people here are called ${first.display_name}. Write @ and the e-mail address of the person you mean.`,
    )
  return first
}
