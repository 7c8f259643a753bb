import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import { forbidden } from '../http/errors.ts'
import { specOf } from '../openapi/generate/expand.ts'
import { mayShowSpec, specsShownIn } from '../openapi/named.ts'
import { isGuest } from '../organizations/members.queries.ts'
import { pageData } from '../pages/entry-data.ts'
import { type Entry, page } from '../revisions/entries.ts'
import type { Line } from '../revisions/lines.ts'
import type { Batch } from './batch.ts'

/**
 * Whoever names a specification on a page reads all of it there. So guests, who see none, name those alone that the space
 * shows already.
 */
export async function requireSpecsSeen(batch: Batch, line: Line): Promise<void> {
  const texts = [...batch.draft.written.values()].map(({ body }) => body).filter((body) => mayShowSpec.test(body))
  const made = specsToMakeFrom(batch)
  if (texts.length === 0 && made.length === 0) return
  const { db, organizationId, caller } = batch
  if (!(await isGuest(db, organizationId, caller.user.id))) return
  for (const name of new Set([...made, ...texts.flatMap(specsShownIn)]))
    if (!(await isShownAlready(db, line, name)))
      throw forbidden(`show the specification “${name}” here: guests can only use those that the space already shows`)
}

/** Put back to what it was, a page says nothing that the space did not say before. */
const specsToMakeFrom = ({ draft, touched }: Batch): string[] =>
  [...draft.changes()].flatMap(({ id, before, now }) => {
    const name = now ? madeFrom(now) : undefined
    const isKnown = (before !== null && name === madeFrom(before)) || touched.get(id)?.reverted === true
    return name === undefined || isKnown ? [] : name
  })

const madeFrom = (entry: Entry) => (entry.kind === page ? specOf(pageData(entry).computed) : undefined)

/** In the main content of the space, or on the line that is written. */
async function isShownAlready(db: Db, { organizationId, id, spaceId }: Line, name: string): Promise<boolean> {
  const suspects = await db.all(
    sql<{ spec: string | null; markdown: string | null }>`
    select h.data #>> '{computed,dependencies,spec,ref,spec}' as spec, d.markdown
    from lines l join heads h on h.organization_id = l.organization_id and h.line_id = l.id and h.state = 0
    left join documents d on d.organization_id = h.organization_id and d.hash = h.doc
    where l.organization_id = ${organizationId} and l.space_id = ${spaceId} and (l.main_id is null or l.id = ${id})
      and (h.data #>> '{computed,dependencies,spec,ref,spec}' = ${name}
        or d.markdown ~ ${mayShowSpec.source} and strpos(d.markdown, ${name}) > 0)
    limit ${mostSuspects}`.asSlow(),
  )
  return suspects.some(({ spec, markdown }) => spec === name || specsShownIn(markdown ?? '').includes(name))
}

/** Each text is parsed. Where so many name it otherwise, a guest has to ask a member. */
const mostSuspects = 100
