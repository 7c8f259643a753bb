// Random edits of a small space, on main and through change requests. After each edit, every link is checked
// individually.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type EditedSpace, aLiveSpace } from '../../test/editing.ts'
import { assertSound } from '../doctor/testing/sound.ts'
import { sql } from '../db/sql.ts'
import { partsOf, readBinding } from '../pages/references.ts'
import { PageTree } from '../pages/tree.ts'
import { listAll } from '../revisions/entries.ts'
import { findMainLine } from '../revisions/lines.ts'
import { type LinkRow, listLinksOf } from './queries.ts'

const app = await startApp()
const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))
const steps = Number(process.env.TEST_RUNS ?? 40)

test('after random edits and merges, each link leads to the page it names or to the page at its path', async (t) => {
  t.diagnostic(`TEST_SEED=${seed} TEST_RUNS=${steps}`)
  const random = generator(seed)
  const space = await aLiveSpace(app)
  let done = 0
  for (let step = 0; step < steps; step++) {
    const at = `step ${step}, TEST_SEED=${seed}`
    const changes = [await randomChange(space, random), ...(random(3) === 0 ? [await randomChange(space, random)] : [])]
    if (random(4) === 0) {
      const request = await space.changeRequest()
      if ((await request.edit(...changes)).status !== 200) continue
      const expected = (await space.who.get(`${request.path}/links?limit=1000`)).body
      const { body } = await space.who.post(`${request.path}/merge`)
      assert.equal(body.result, 'merge', at)
      const after = (await space.who.get(`${space.path}/links?limit=1000`)).body
      assert.deepEqual(after.items.map(essence), expected.items.map(essence), at)
      assert.deepEqual(
        [after.stats.total, after.stats.broken.total],
        [expected.stats.total, expected.stats.broken.total],
        at,
      )
      done++
    } else if ((await space.edit(...changes)).status === 200) done++
    await check(space, at)
  }
  assert.ok(done > steps / 3, `only ${done} changes were made`)
  await assertSound(app.db)
})

test('after random edits of main and of a change request, its links are those of its pages', async (t) => {
  t.diagnostic(`TEST_SEED=${seed} TEST_RUNS=${steps}`)
  const random = generator(seed)
  const space = await aLiveSpace(app)
  let request = await space.changeRequest()
  let done = 0
  for (let step = 0; step < steps; step++) {
    const at = `step ${step}, TEST_SEED=${seed}`
    // What a path leads to depends on the history of main as well: a page that was there once may be meant.
    const change = await randomChange(space, random, { namesIds: true })
    const { status } = await (random(3) === 0 ? request : space).edit(change)
    if (status === 200) done++
    if (step % 4 === 3) await checkRequest(space, request.path, at)
    if (step % 12 === 11) request = await space.changeRequest()
  }
  assert.ok(done > steps / 3, `only ${done} changes were made`)
})

/** Compares the links of a change request, and what links to its pages, with the links of each of its pages. */
async function checkRequest(space: EditedSpace, path: string, at: string): Promise<void> {
  const read = async (what: string) => (await space.who.get(`${path}/${what}?limit=1000`)).body
  const pages = below((await read('content/pages')).pages)
  const own = await Promise.all(pages.map(async ({ id }) => (await read(`content/page/${id}/links`)).items))
  const list = await read('links')
  assert.deepEqual(list.items.map(essence).map(String).toSorted(), own.flat().map(essence).map(String).toSorted(), at)
  const broken = list.items.filter(({ status }: any) => status === 'broken').length
  assert.deepEqual([list.count, list.stats.total, list.stats.broken.total], [own.flat().length, list.count, broken], at)

  const naming = Map.groupBy(own.flat().map(essence), ([, to]) => to)
  for (const { id } of pages) {
    const sources = new Set((naming.get(id) ?? []).map(([, , source]) => source))
    const { items, count } = await read(`content/page/${id}/backlinks`)
    const shown = items.map(({ page }: any) => page.id)
    assert.deepEqual(shown.toSorted(), [...sources].filter((source) => source !== id).toSorted(), at)
    assert.equal(count, shown.length, at)
  }
}

const below = (pages: any[]): { id: string }[] => pages.flatMap((page) => [page, ...below(page.pages)])

const essence = ({ status, targetReference: to, locationReferences: [at] }: any) => [
  status,
  to.page?.id ?? to.url,
  at.page.id,
]

const slugs = ['a', 'b', 'c', 'd']

/** Refused changes, such as a taken slug or a cycle, are welcome, too: they must change nothing. */
async function randomChange(
  space: EditedSpace,
  random: (below: number) => number,
  { namesIds = false } = {},
): Promise<object> {
  const pages = [...(await treeOf(space)).byId.keys()]
  const any = <Item>(items: readonly Item[]) => items[random(items.length)]!
  const address = () => {
    const path = Array.from({ length: 1 + random(2) }, () => any(slugs)).join('/')
    const byId = pages.length > 0 && (namesIds || random(3) === 0) ? `/pages/${any(pages)}` : undefined
    return `${byId ?? any([`./${path}.md`, `/pages/${path}`, `../${path}.md`])}${any(['', '', '#one', '#two'])}`
  }
  const text = () => {
    const links = Array.from({ length: namesIds && pages.length === 0 ? 0 : random(4) }, () => `[x](${address()})`)
    return { markdown: `# P\n\n${any(['', '## One\n\n', '## Two\n\n', '[top](#one) '])}${links.join(' ')}\n` }
  }
  const page = any(pages)
  if (pages.length < 4 || (pages.length < 14 && random(3) === 0)) {
    const into = pages.length > 0 && random(2) === 0 ? { into: page } : {}
    return { operation: 'insert_page', document: text(), metadata: { slug: any(slugs) }, ...into }
  }
  switch (random(6)) {
    case 0:
      return { operation: 'delete_page', page }
    case 1:
      return { operation: 'update_page', page, metadata: { slug: any(slugs) } }
    case 2:
      return { operation: 'update_page', page, into: any([null, ...pages]) }
    default:
      return { operation: 'update_page', page, document: text() }
  }
}

async function treeOf(space: EditedSpace): Promise<PageTree> {
  const { head } = await findMainLine(app.db, space.org.id, space.id)
  return PageTree.of(await listAll(app.db, head, 1))
}

async function check(space: EditedSpace, at: string): Promise<void> {
  const line = await findMainLine(app.db, space.org.id, space.id)
  const tree = await treeOf(space)
  const byPath = new Map([...tree.byId.values()].map((entry) => [tree.pathOf(entry), entry.entry]))
  const rows = await listLinksOf(app.db, { organizationId: space.org.id, lineId: line.id }, [...tree.byId.keys()])
  const { count } = await app.db.one(sql<{ count: number }>`select count(*) from links where line_id = ${line.id}`)
  assert.equal(rows.length, count, at)
  for (const [source, links] of Map.groupBy(rows, ({ source }) => source)) {
    const entry = tree.byId.get(source)!
    const markdown = await app.app.content.body(space.org.id, entry.doc)
    const hrefs = [...markdown.matchAll(/\]\(([^)]*)\)/g)].map(([, href]) => href)
    assert.deepEqual(
      links.map(({ raw }) => raw),
      hrefs,
      at,
    )
    for (const row of links) await checkRow(space, tree, byPath, row, (entry.refs ?? {}) as Record<string, string>, at)
  }
}

async function checkRow(
  space: EditedSpace,
  tree: PageTree,
  byPath: Map<string, string>,
  row: LinkRow,
  refs: Record<string, string>,
  at: string,
): Promise<void> {
  const { address, anchor } = partsOf(row.raw)
  const named = /^\/pages\/([0-9a-f-]{36})$/.exec(address)?.[1]
  const { id = named ?? (address === '' ? row.source : undefined), path } = readBinding(refs[address] ?? '') ?? {}
  const standing = path === undefined ? undefined : byPath.get(path)
  const where = `${row.raw} of ${row.source}: ${JSON.stringify(row)}, ${at}`
  if (id !== undefined && tree.byId.has(id)) assert.equal(row.target, id, where)
  else if (standing !== undefined) assert.equal(row.target, standing, where)
  // There is no page at this path: the link is broken, or still leads to a page that was there once.
  else if (row.status === 0) assert.ok(row.wanted !== null && tree.byId.has(row.target!), where)

  const target = row.target === null ? undefined : tree.byId.get(row.target)
  const body = target && (await app.app.content.body(space.org.id, target.doc))
  const hasAnchor = anchor === undefined || body?.toLowerCase().includes(`## ${anchor}`)
  assert.equal(row.status, target && hasAnchor ? 0 : 1, where)
}

function generator(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
