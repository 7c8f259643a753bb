// Files are read in the process that answers requests: reading must take no longer than their length justifies, so that
// others do not wait.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../test/growth.ts'
import { readConfig } from '../config.ts'
import { gatherAssets } from './assets.ts'
import { ImportFailure } from './failure.ts'
import { tableOf } from './files/databases.ts'
import type { Archive } from './files/archive.ts'
import { editionsIn } from './files/docusaurus.ts'
import { listedBelow } from './files/menus.ts'
import { withParts } from './files/snippets.ts'
import { withYaml } from './files/toml.ts'
import { atOnce } from './limits.ts'
import { PageTargets, linksOf } from './links.ts'
import { markdownPage } from './markdown.ts'

const lineEnd = 'x\u2028x'

const works: Record<string, (length: number) => unknown> = {
  'blanks in a setting of a directive': (length) =>
    markdownPage(`\`\`\`{note}\n:a:${' '.repeat(length)}${lineEnd}\n\`\`\`\n`, 'a.md'),
  'blanks in the number of a version': (length) =>
    markdownPage(`\`\`\`{versionadded} 1${' '.repeat(length)}${lineEnd}\n\`\`\`\n`, 'a.md'),
  'blanks in a list of rows': (length) => markdownPage(`\`\`\`{list-table}\n* ${' '.repeat(length)}\n\`\`\`\n`, 'a.md'),
  'lists of pages that are not closed': (length) => {
    const lists = Array.from({ length: Math.sqrt(length) }, (_, at) => `${':'.repeat(at + 3)}{toctree}`)
    listedBelow(`${lists.toReversed().join('\n')}\n${'a\n'.repeat(length)}`, 'archive:///a.md')
  },
  'blanks in a title': (length) => markdownPage(`---\ntitle: a${' '.repeat(length)}b\n---\nx`, 'a.md'),
  'blanks in a cell': (length) => tableOf(`a,b\n"x${' '.repeat(length)}y",z\n`, undefined, []),
  'the name of a part': (length) =>
    withParts(`{{#include ${'a'.repeat(length)}:${'b'.repeat(length)}\n`, async () => ''),
  'blanks behind a part': (length) => withParts(`{{#include a${' '.repeat(length)}\n`, async () => ''),
  'blanks behind the name of a file of code': (length) => withParts(`<<< a${' '.repeat(length)}b\n`, async () => ''),
  'settings that never end': (length) => withYaml(`+++\n${'\uFEFF+++\n'.repeat(length / 4)}`),
  'a list that no quote closes': (length) => withYaml(`+++\na = [${'"a\\'.repeat(length / 16)}]\n+++\n`),
  'a number of a line': (length) => withParts(`--8<-- "file:${'0'.repeat(length)}a"\n`, async () => undefined),
}

for (const [name, work] of Object.entries(works)) {
  test(`the time to read ${name} is linear in its length`, () => assertLinear(work, 40_000))
}

test('other work gets its turn while the many links of a page are looked for', async () => {
  const base = 'archive:///a/b/c/d.md'
  const page = { id: 'x', key: 'x', source: 'x', base, title: 'A', fields: {}, body: '' }
  const found = { pages: [], aliases: new Map(), menus: [], top: 'archive:///', root: '', skipped: [], total: 0 }
  const collected = { ...found, isOwnFile: () => false, hasFile: () => false, load: () => assert.fail('is not loaded') }
  const places = Array.from({ length: 2_000 }, (_, at) => ({
    start: at,
    end: at + 1,
    raw: `/${at}`,
    href: `/${at}`,
    kind: 'link' as const,
  }))
  let turns = 0
  const counting = setInterval(() => (turns += 1), 1)
  assert.equal((await linksOf(page, places, collected, new PageTargets(collected))).length, places.length)
  clearInterval(counting)
  assert.ok(turns >= 3, `${turns} turns`)
})

test('other work gets its turn while the many files of an import are looked for, each of them once', async () => {
  const addresses = Array.from({ length: 60_000 }, (_, at) => `archive:///${at}.png`)
  const load = async () => {
    throw new ImportFailure('missing', 'is missing in the upload')
  }
  const found = { pages: [], aliases: new Map(), menus: [], root: '', skipped: [], total: 0, isOwnFile: () => true }
  let turns = 0
  const counting = setInterval(() => (turns += 1), 1)
  const stopping = new AbortController().signal
  const gathering = { config: readConfig({}), limits: atOnce, until: Infinity, stopping }
  const { skipped } = await gatherAssets(addresses, { ...found, load }, gathering)
  clearInterval(counting)
  assert.equal(new Set(skipped.map(({ source }) => source)).size, addresses.length)
  assert.ok(turns >= 2, `${turns} turns`)
})

test('the many versions that a project lists are looked for among its many files in a moment', async () => {
  const files: Record<string, string> = {
    'docusaurus.config.js': 'export default { docs: { includeCurrentVersion: false } }',
    'versions.json': JSON.stringify(
      Array.from({ length: 10_000 }, (_, at) => (at === 9_999 ? '1.0' : `missing-${at}`)),
    ),
  }
  const pages = ['docs/a.md', ...Array.from({ length: 9_000 }, (_, at) => `versioned_docs/version-1.0/${at}.md`)]
  const archive = { paths: [...Object.keys(files), ...pages], read: async (path: string) => Buffer.from(files[path]!) }
  const start = process.threadCpuUsage()
  const { shown } = await editionsIn(archive as unknown as Archive, String)
  assert.equal(shown?.version, 'versioned_docs/version-1.0/')
  const { user } = process.threadCpuUsage(start)
  assert.ok(user < 1_000_000, `${user} µs`)
})
