import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { globSync } from 'node:fs'
import { test } from 'node:test'

const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8')

test('versions are pinned exactly, direct dependencies stay few, and the lock file names no registry', async () => {
  const manifest = JSON.parse(await read('package.json'))
  const all = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.devDependencies }
  for (const [name, version] of Object.entries(all)) assert.match(String(version), /^\d+\.\d+\.\d+(-[\w.]+)?$/, name)
  assert.ok(Object.keys(manifest.dependencies).length < 30)
  const lock = JSON.parse(await read('package-lock.json'))
  for (const [path, entry] of Object.entries<{ resolved?: string; integrity?: string; link?: boolean }>(
    lock.packages,
  )) {
    if (path === '') continue
    assert.equal(entry.resolved, undefined, path)
    assert.ok(entry.integrity, `${path} has no integrity`)
  }
})

test('every runtime dependency is listed in the third-party notices', async () => {
  const manifest = JSON.parse(await read('package.json'))
  const notices = await read('THIRD-PARTY-NOTICES.md')
  for (const name of Object.keys(manifest.dependencies)) assert.ok(notices.includes(`\n| ${name} |`), name)
})

test('every setting that is read is documented, and only config.ts reads the environment', async () => {
  const config = await read('src/config.ts')
  const docs = await read('docs/self-hosting.md')
  const names = [...config.matchAll(/env\('([A-Z0-9_]+)'\)|environment\.([A-Z_]+)/g)].map(
    (match) => match[1] ?? match[2]!,
  )
  assert.ok(names.length > 15)
  for (const name of names.filter((each) => each !== 'LECTERN_FAIL')) {
    const short = name.startsWith('LECTERN_S3') ? name.replace('LECTERN_S3', '') : name
    assert.ok(docs.includes(short), `${name} is not in docs/self-hosting.md`)
  }
  for (const file of globSync('src/**/*.ts')) {
    if (file === 'src/config.ts' || file.endsWith('.test.ts') || file.includes('/testing/')) continue
    assert.ok(!(await read(file)).includes('process.env'), file)
  }
})

test('no source file is longer than 500 lines', async () => {
  for (const file of globSync(['src/**/*.{ts,css,js}', 'test/**/*.ts', 'bench/**/*.ts', 'drill/**/*.ts'])) {
    assert.ok((await read(file)).trimEnd().split('\n').length <= 500, file)
  }
})

test('no repeating gradient uses variables, oklch() or color-mix(): Firefox would paint the gaps between its lines', async () => {
  for (const file of globSync('src/**/*.css'))
    assert.doesNotMatch(await read(file), /repeating-[a-z]+-gradient\([^;]*(?:var\(|oklch\(|color-mix\()/, file)
})

test('links between the documents lead to existing files', async () => {
  const files = globSync(['*.md', 'docs/**/*.md', 'migrations/*.md', 'bench/*.md'])
  for (const file of files) {
    for (const [, target] of (await read(file)).matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      const path = new URL(target!, new URL(`../${file}`, import.meta.url))
      assert.ok(globSync(path.pathname.replace(/\/$/, '')).length > 0, `${file} → ${target}`)
    }
  }
})

test('every folder of src with tests has one that is not long, so that npm test runs it', () => {
  const features = Map.groupBy(globSync('src/**/*.test.ts'), (file) => file.split('/')[1]!)
  for (const [feature, files] of features)
    assert.ok(
      files.some((file) => !file.endsWith('.long.test.ts')),
      feature,
    )
})
