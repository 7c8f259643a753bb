import { setImmediate as breathe } from 'node:timers/promises'
import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import { isGuest } from '../organizations/members.queries.ts'
import { type Entry, columns } from '../revisions/entries.ts'
import type { Line } from '../revisions/lines.ts'
import { specMadeFrom } from './generate/expand.ts'
import { mayShowSpec, specsShownIn } from './named.ts'

export type NamedLine = Pick<Line, 'organizationId' | 'id' | 'spaceId'>

/**
 * Naming a specification on a page makes all of it readable there. Guests do not see any specifications, so they may
 * only name those that the space already shows. Returns the first one that it does not. `made` lists the specifications
 * that pages are to be generated from.
 */
export async function findUnseenSpec(
  db: Db,
  line: NamedLine,
  userId: string,
  { texts, made = [] }: { texts: readonly string[]; made?: readonly string[] },
): Promise<string | undefined> {
  const showing = texts.filter((text) => mayShowSpec.test(text))
  if (showing.length === 0 && made.length === 0) return undefined
  if (!(await isGuest(db, line.organizationId, userId))) return undefined
  const names = new Set(made)
  for (const text of showing) {
    for (const name of specsShownIn(text)) names.add(name)
    await breathe()
  }
  for (const name of names) if (!(await isShownAlready(db, line, name))) return name
  return undefined
}

/** Whether it is shown in the main content of the space, or on the line being written. */
async function isShownAlready(db: Db, { organizationId, id, spaceId }: NamedLine, name: string): Promise<boolean> {
  const suspects = await db.all(
    sql<Entry & { markdown: string | null }>`
    select * from (
      select ${columns}, d.markdown, sum(coalesce(length(d.markdown), 0)) over (
        order by strpos(d.markdown, ${`"${name}"`}) > 0 desc, length(d.markdown), e.entry) as characters
      from lines l join heads e on e.organization_id = l.organization_id and e.line_id = l.id and e.state = 0
      left join documents d on d.organization_id = e.organization_id and d.hash = e.doc
      where l.organization_id = ${organizationId} and l.space_id = ${spaceId} and (l.main_id is null or l.id = ${id})
        and (e.data #>> '{computed,dependencies,spec,ref,spec}' = ${name}
          or d.markdown ~ ${mayShowSpec.source} and strpos(d.markdown, ${name}) > 0)) suspects
    where characters <= ${mostCharacters} order by characters limit ${mostSuspects}`.asSlow(),
  )
  for (const each of suspects) {
    if (specMadeFrom(each) === name || specsShownIn(each.markdown ?? '').includes(name)) return true
    await breathe()
  }
  return false
}

/** Limits for the texts to parse, the likeliest and shortest first: a name may be part of many others. */
const mostSuspects = 100
const mostCharacters = 4_000_000
