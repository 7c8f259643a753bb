// Random spaces, written as a repository and read again: the result is what was there before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Db } from '../../db/connect.ts'
import { newId } from '../../ids.ts'
import { pageData, refsOf } from '../../pages/entry-data.ts'
import { PageTree } from '../../pages/tree.ts'
import { bodyHash } from '../../revisions/bodies.ts'
import { type Entry, top } from '../../revisions/entries.ts'
import { bindOthers } from './bind-others.ts'
import { gitOf } from './matching.ts'
import { makeContent } from './make.ts'
import { assignPositions, assignSlugs } from './places.ts'
import { readRepository } from './read.ts'
import { pairSimilar } from './similarity.ts'
import { decodeText, oidOf } from './texts.ts'
import { writeRepository } from './write.ts'

const seed = Number(process.env['SEED'] ?? Date.now() % 0x7fffffff)
const runs = { numRuns: Number(process.env['TEST_RUNS'] ?? 150), seed }
const spaceId = '00000000-0000-4000-8000-000000000001'
const now = '2026-01-01T00:00:00.000Z'

interface Content {
  entries: Entry[]
  bodies: Map<string, string>
}

const word = fc.constantFrom(
  'Guide',
  'guide',
  'Set up',
  'API (v2)',
  'README',
  'a/b',
  '1. One',
  'Ünïcode',
  '# hash',
  '[x]',
  ':rocket:',
  '.git',
  'con',
)
const slug = fc.constantFrom('guide', 'set-up', 'readme', 'a', 'b', 'c', 'guide-1', 'Ünï')
const page = fc.record({
  type: fc.constantFrom('document', 'document', 'document', 'group', 'link', 'computed'),
  title: fc.array(word, { minLength: 1, maxLength: 2 }).map((words) => words.join(' ')),
  slug,
  parent: fc.nat(8),
  isHidden: fc.boolean(),
  hasIcon: fc.boolean(),
  text: fc.constantFrom('', 'Text\n', '# Not a title\n\nText', '\r\nA\r\n', '---\nno: matter\n---\n'),
  linksTo: fc.nat(8),
  hasSource: fc.boolean(),
})

test('a space written to a repository and read back is the same, and writing it again gives the same bytes', async (t) => {
  t.diagnostic(`SEED=${seed}`)
  await fc.assert(
    fc.asyncProperty(fc.array(page, { maxLength: 9 }), fc.boolean(), async (pages, hasVariables) => {
      const content = contentOf(pages, hasVariables)
      const files = await write(content)
      const read = await readBack(files, [])
      assert.deepEqual(essence(read), essence(content))

      const again = await write(read, { files, seen: read.entries })
      assert.deepEqual(again, files, 'what was read is written as it was')
      const known = await readBack(files, read.entries)
      assert.deepEqual(
        known.entries.map(({ entry }) => entry).toSorted(),
        read.entries.map(({ entry }) => entry).toSorted(),
      )
    }),
    runs,
  )
})

type Files = Map<string, string>
type Draft = typeof page extends fc.Arbitrary<infer Value> ? Value : never

function contentOf(pages: readonly Draft[], hasVariables: boolean): Content {
  const ids = pages.map(() => newId())
  const bodies = new Map<string, string>()
  const entries = pages.map((each, index): Entry => {
    const above = pages[each.parent]
    const isHolder = above !== undefined && each.parent < index && ['document', 'group'].includes(above.type)
    const target = pages[each.linksTo] ? ids[each.linksTo]! : undefined
    const link = target === undefined || each.type !== 'document' ? '' : `[to](/pages/${target}#x)\n`
    const body = each.text + link
    bodies.set(bodyHash(body), body)
    return {
      entry: ids[index]!,
      kind: 1,
      state: 0,
      parent: isHolder ? ids[each.parent]! : top,
      slug: each.slug,
      position: '',
      doc: each.type === 'document' ? bodyHash(body) : null,
      refs: link === '' ? null : { [`/pages/${target}`]: `page:${target}` },
      data: {
        type: each.type,
        title: each.title,
        createdAt: now,
        updatedAt: now,
        ...(each.isHidden && { hidden: true }),
        ...(each.hasIcon && { icon: 'star' }),
        ...(each.type === 'link' && {
          target: target === undefined ? { kind: 'url', url: 'https://x.test/' } : { kind: 'page', page: target },
        }),
        ...(each.type === 'computed' && { computed: { type: 'builtin:openapi', props: { doc: 'x' } } }),
        ...(each.hasSource && { source: `# ${each.title.replace(/[[\]#*:.()]/g, '\\$&')}\n\n` }),
      },
    }
  })
  place(entries)
  if (hasVariables) {
    const data = { value: 'a: "b"\nc' }
    entries.push({
      entry: newId(),
      kind: 4,
      state: 0,
      parent: top,
      slug: 'v',
      position: null,
      doc: null,
      refs: null,
      data,
    })
  }
  const shared = '# Shared\n\nText\n'
  bodies.set(bodyHash(shared), shared)
  const data = { title: 'Shared: part', createdAt: now, updatedAt: now }
  entries.push({
    entry: newId(),
    kind: 3,
    state: 0,
    parent: top,
    slug: null,
    position: null,
    doc: bodyHash(shared),
    refs: null,
    data,
  })
  return { entries, bodies }
}

/** As in a real space: siblings have different slugs, and an order. */
function place(entries: Entry[]): void {
  for (const siblings of Map.groupBy(entries, ({ parent }) => parent).values()) {
    const slugs = assignSlugs(siblings.map((each) => ({ implied: each.slug! })))
    const positions = assignPositions(
      siblings.map(({ entry }) => entry),
      new Map(),
    )
    siblings.forEach((each, i) => Object.assign(each, { slug: slugs[i], position: positions.get(each.entry) }))
  }
}

async function write({ entries, bodies }: Content, before?: { files: Files; seen: readonly Entry[] }): Promise<Files> {
  const known = new Map((before?.seen ?? []).flatMap((entry) => (gitOf(entry) ? [[entry.entry, gitOf(entry)!]] : [])))
  const content = new Set([...known.values()].map(({ path }) => path))
  const others = new Map([...(before?.files ?? [])].filter(([path]) => !content.has(path)))
  const written = await writeRepository({
    entries,
    bodies,
    known,
    isKnown: before !== undefined,
    kept: { has: (path) => others.has(path), paths: () => others.keys(), textOf: (path) => others.get(path) },
  })
  return new Map(
    [...written].map(([path, file]) => [path, 'text' in file ? file.text : '']).toSorted() as [string, string][],
  )
}

async function readBack(files: Files, before: readonly Entry[]): Promise<Content> {
  const bytes = new Map([...files].map(([path, text]) => [path, Buffer.from(text)]))
  const listed = new Map([...bytes].map(([path, each]) => [path, { oid: oidOf(each), size: each.length }]))
  const textOf = (path: string) => (bytes.has(path) ? decodeText(bytes.get(path)!) : undefined)
  const read = await readRepository({ files: listed, textOf }, { entries: before, bodiesOf: async () => new Map() })
  assert.deepEqual(read.book.problems, [])
  const made = await makeContent(read, spaceId, now)
  assert.deepEqual(made.toFetch, [])
  // Nothing here links to other spaces, so the database is not asked.
  const db = { all: async () => [] } as unknown as Db
  await bindOthers(db, { organizationId: spaceId, spaceId, url: 'http://x.test' }, made, read)
  return made
}

/** Returns what a reader sees: no ids, and links by their targets. */
function essence({ entries, bodies }: Content) {
  const tree = PageTree.of(entries.filter(({ kind }) => kind === 1))
  const isFirst = tree.roots[0]?.entry
  const pathOf = (id: unknown) => (tree.byId.has(String(id)) ? tree.pathOf(tree.byId.get(String(id))!) : id)
  const show = (entry: Entry): unknown => {
    const { source: _source, git: _git, target, ...data } = pageData(entry)
    return {
      ...data,
      slug: entry.slug,
      target: target?.['page'] ? pathOf(target['page']) : target,
      // Blank lines above the body do not count.
      body: (bodies.get(entry.doc ?? '') ?? '').replace(/\]\([^)#]*/g, '](').replace(/^\s+/, ''),
      links: Object.values(refsOf(entry)).map((ref) => pathOf(/^page:(\S+)/.exec(ref)?.[1])),
      isFirst: entry.entry === isFirst,
      pages: tree.childrenOf(entry.entry).map(show),
    }
  }
  const others = entries.filter(({ kind }) => kind !== 1).toSorted((a, b) => a.kind - b.kind)
  return [
    tree.roots.map(show),
    others.map(({ kind, slug, data, doc }) => [kind, slug, data?.['title'] ?? data?.['value'], bodies.get(doc ?? '')]),
  ]
}

test('siblings keep their positions where the order allows it, and shared positions are separated', () => {
  const before = new Map([
    ['a', 'a0'],
    ['b', 'a1'],
    ['c', 'a2'],
    ['d', 'a3'],
  ])
  const order = (ids: string[]) => [...assignPositions(ids, before)]
  assert.deepEqual(order(['a', 'b', 'c', 'd']), [...before])
  const moved = new Map(order(['d', 'a', 'b', 'c', 'new']))
  assert.deepEqual([moved.get('a'), moved.get('b'), moved.get('c')], ['a0', 'a1', 'a2'])
  assert.ok(moved.get('d')! < 'a0' && moved.get('new')! > 'a2')
  const same = assignPositions(
    ['x', 'y', 'z'],
    new Map([
      ['x', 'a0'],
      ['y', 'a0'],
      ['z', 'a0'],
    ]),
  )
  assert.equal(new Set(same.values()).size, 3, 'what shared a position does no longer')
})

test('similar texts are paired by their common lines, and unrelated ones are not', () => {
  const text = (...lines: string[]) => lines.join('\n')
  const pairs = pairSimilar(
    [
      { key: 'edited', text: text('# A', 'one', 'two', 'three', 'four changed') },
      { key: 'other', text: text('# Z', 'nothing', 'of', 'it') },
    ],
    [
      { key: 'half', text: text('one', 'two') },
      { key: 'whole', text: text('# A', 'one', 'two', 'three', 'four') },
    ],
  )
  assert.deepEqual([...pairs], [['edited', 'whole']])
})
