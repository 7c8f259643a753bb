import { type Named, type NamedType, isNamedType, listNamed } from '../../audit/named.queries.ts'
import type { AuditEntry } from '../../audit/queries.ts'
import type { Db } from '../../db/connect.ts'
import { isId } from '../../ids.ts'

export interface Thing {
  type: string
  id: string
}

/** What an entry is about: a thing and, if the entry is also about a person or a team, that person or team. */
export interface About {
  what: Thing
  whom: Thing
}

/**
 * Returns what an entry is about. Some targets are recorded as several ids with slashes between them, and some entries
 * have the site in their details.
 */
export function aboutOf({ target_type: type, target_id: id, details }: AuditEntry): About {
  const [first = '', second = '', third = ''] = id.split('/')
  const target = { type, id }
  if (details?.site !== undefined) return { what: { type: 'site', id: details.site }, whom: target }
  if (type === 'token' && details?.member !== undefined)
    return { what: target, whom: { type: 'member', id: details.member } }
  if (type === 'team-member') return { what: { type: 'team', id: first }, whom: { type: 'member', id: second } }
  if (type.endsWith('-permission')) {
    const holder = { type: second === 'user' ? 'member' : second, id: third }
    return { what: { type: type.replace('-permission', ''), id: first }, whom: holder }
  }
  if (type.startsWith('site-') && second !== '') return { what: { type: 'site', id: first }, whom: target }
  return { what: target, whom: target }
}

/** The things that still exist, by their type and id. */
export type Found = ReadonlyMap<string, Named>

/** Returns undefined if the thing no longer exists or has no name. */
export const foundIn = (found: Found, { type, id }: Thing): Named | undefined => found.get(`${typeOf(type)} ${id}`)

/** Whether a thing of this type would be found if it existed. */
export const hasName = (type: string): boolean => isNamedType(typeOf(type))

const typeOf = (type: string) => (type === 'comment-reply' ? 'comment' : type)

export async function findAbout(db: Db, organizationId: string, entries: AuditEntry[]): Promise<Found> {
  const things = entries.flatMap((entry) => Object.values(aboutOf(entry)) as Thing[])
  const known = things.filter(({ type, id }) => hasName(type) && isId(id))
  const byType = Map.groupBy(known, ({ type }) => typeOf(type) as NamedType)
  const named = [...byType].map(async ([type, group]) => {
    const rows = await listNamed(db, organizationId, type, [...new Set(group.map(({ id }) => id))])
    return rows.map((row) => [`${type} ${row.id}`, row] as const)
  })
  return new Map((await Promise.all(named)).flat())
}
