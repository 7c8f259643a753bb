import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '../src/config.ts'
import { Database } from '../src/db/connect.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { nobody, transaction } from '../src/db/transaction.ts'
import { exportSpace } from '../src/git/export.ts'
import { folderTarget } from '../src/git/export-folder.ts'
import { openFolder } from '../src/git/folder.ts'
import { importRepository } from '../src/git/import.ts'
import { createSpace } from '../src/spaces/actions.ts'
import { openStore } from '../src/storage/open.ts'
import { sql } from '../src/db/sql.ts'
import { type Figure, atMost } from './figures.ts'
import { newFolder, remove, startLectern } from './server.ts'

const sections = 40
const pagesPerSection = 50

/** A repository of 2,000 Markdown files: imported, imported again without changes, and exported. */
export async function gitFigures(): Promise<Figure[]> {
  const folder = await newFolder()
  const lectern = await startLectern(folder, { LECTERN_DEMO: 'off' })
  const embedded = await startEmbedded({ dataFolder: folder })
  const config = readConfig({ LECTERN_DATA: folder })
  const db = new Database(embedded.connection, config.limits)
  try {
    const context = { db, config, store: openStore(config) }
    const space = await aSpace(db, lectern.url)
    const [from, to] = [join(folder, 'from'), join(folder, 'to')]
    await writeBook(from)
    const options = { force: false, standalone: false, mayWriteMain: () => true }
    const bring = async () => importRepository(context, space, await openFolder(from), options, nobody)
    const out = async () => {
      await rm(to, { recursive: true, force: true })
      await exportSpace(context, space, folderTarget(db, to, { force: false }), { force: false, author: nobody })
    }
    return [
      atMost('git: 2,000 Markdown files in', 10, await secondsOf(bring), ' s'),
      atMost('git: the same in again, with nothing new', 2, await secondsOf(bring), ' s'),
      atMost('git: 2,000 Markdown files out', 3, await secondsOf(out), ' s'),
    ]
  } finally {
    await db.close()
    await embedded.leave()
    await lectern.stop()
    await remove(folder)
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return (performance.now() - from) / 1000
}

async function aSpace(db: Database, url: string) {
  const { id: organizationId } = await db.one(sql<{ id: string }>`select id from organizations`)
  const { id: creatorId } = await db.one(sql<{ id: string }>`select id from users`)
  const parent = { organizationId, id: null }
  const spaceId = await transaction(db, nobody, (tx) => createSpace(tx, { parent, title: 'Git', creatorId }))
  return { organizationId, spaceId, url }
}

async function writeBook(folder: string): Promise<void> {
  const paths: string[] = []
  for (let section = 0; section < sections; section++) {
    await mkdir(join(folder, `section-${section}`), { recursive: true })
    for (let page = 0; page < pagesPerSection; page++)
      paths.push(`section-${section}/${page === 0 ? 'README' : `page-${page}`}.md`)
  }
  const listed = paths.map((path) => `${path.endsWith('README.md') ? '' : '  '}* [Page ${path}](${path})\n`)
  await writeFile(join(folder, 'SUMMARY.md'), `# Table of contents\n\n${listed.join('')}`)
  for (const [index, path] of paths.entries()) await writeFile(join(folder, path), pageText(index, paths))
}

/** About 4 KB: headings, paragraphs with links, code and a hint. */
function pageText(index: number, paths: readonly string[]): string {
  const words = (seed: number) =>
    Array.from({ length: 60 }, (_, i) => `word${(seed * 31 + i * i * 7) % 3_000}`).join(' ')
  const parts = Array.from({ length: 4 }, (_, part) => {
    const texts = Array.from({ length: 2 }, (_, i) => {
      const to = paths[(index * 13 + part * 7 + i) % paths.length]!
      return `${words(index + part + i)} [there](../${to}).`
    })
    return `## Part ${part}\n\n${texts.join('\n\n')}\n\n\`\`\`bash\ncurl https://example.com\n\`\`\`\n`
  })
  const hint = '{% hint style="info" %}\nGood to know.\n{% endhint %}\n'
  return `---\ndescription: Page ${index}\n---\n\n# Page ${index}\n\n${parts.join('\n')}\n${hint}`
}
