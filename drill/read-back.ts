import type { Db } from '../src/db/connect.ts'
import { sql } from '../src/db/sql.ts'
import { send } from './client.ts'
import { ensure } from './drill.ts'
import type { Arena } from './history.ts'
import { type State, samePage, sameState, slotsIn } from './model.ts'
import type { Random } from './random.ts'

export async function checkNumbers(arena: Arena, db: Db): Promise<void> {
  const rows = await db.all(
    sql<{
      number: number
    }>`select number from change_requests where space_id = ${arena.space} order by number`.asSlow(),
  )
  ensure(rows.length === arena.made, `${arena.made} change requests were made, ${rows.length} are there`)
  ensure(
    rows.every(({ number }, i) => number === i + 1),
    'The numbers of change requests have a gap or a repeat',
  )
}

/** Revisions never change: reads back a sample of old ones, and the newest in full. */
export async function readBack(
  arena: Arena,
  main: readonly { id: string }[],
  states: ReadonlyMap<string, State>,
  random: Random,
): Promise<number> {
  const url = random.of(arena.urls)
  const get = (path: string) =>
    send(url, { method: 'GET', path: `/v1/spaces/${arena.space}/${path}`, token: arena.token })
  const newest = main.at(-1)!.id
  const old = Array.from({ length: 60 }, () => random.of(main.slice(1)).id)
  let compared = 0
  for (const id of new Set([newest, ...old])) {
    const state = states.get(id)!
    const pages = id === newest ? [...state.keys()] : [...state.keys()].slice(0, 3)
    for (const page of pages) {
      const { body } = await get(`revisions/${id}/page/${page}?format=markdown`)
      const shown = { title: body.title as string, slots: slotsIn(String(body.markdown)) }
      ensure(
        samePage(shown, state.get(page)),
        `Page ${page} of revision ${id} is ${JSON.stringify(shown)}, the model has ${JSON.stringify(state.get(page))}`,
      )
      compared += 1
    }
  }
  const { body } = await get('content')
  const titles = new Map(
    body.pages.map((page: { id: string; title: string }) => [page.id, { title: page.title, slots: [] }]),
  )
  const wanted = new Map([...states.get(newest)!].map(([id, page]) => [id, { title: page.title, slots: [] }]))
  ensure(sameState(titles as State, wanted), 'The newest revision has other pages than the model')
  return compared
}
