import { execFile } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { after } from 'node:test'
import { promisify } from 'node:util'
import { createBrotliDecompress } from 'node:zlib'
import { type Browser, chromium } from 'playwright-core'

const packaged = new URL('../node_modules/@sparticuz/chromium/', import.meta.url)
const { version } = JSON.parse(readFileSync(new URL('package.json', packaged), 'utf8'))

/** A real browser for one test file: the Chromium that comes with `npm ci`, or the one that CHROMIUM names. */
export async function startBrowser(more: string[] = []): Promise<Browser> {
  const own = process.env.CHROMIUM
  const folder = own === undefined ? await unpack() : undefined
  const browser = await chromium.launch({
    executablePath: own ?? join(folder!, 'chromium'),
    // Tests may run as root, and in containers without user namespaces. Nothing else is switched off.
    args: ['--no-sandbox', ...more],
    env: folder === undefined ? undefined : { ...process.env, LD_LIBRARY_PATH: join(folder, 'lib') },
  })
  after(() => browser.close())
  return browser
}

/** Once a machine and version, so not in the folder of this run. Two that start at once do it twice; whoever comes second finds it there. */
async function unpack(): Promise<string> {
  const folder = join(process.env.TEST_CACHE ?? tmpdir(), `lectern-chromium-${version}-${process.getuid?.() ?? 'all'}`)
  if (existsSync(join(folder, 'chromium'))) return folder
  const work = await mkdtemp(`${folder}-`)
  const bin = (name: string) => new URL(`bin/${name}`, packaged)
  await pipeline(
    createReadStream(bin('chromium.br')),
    createBrotliDecompress(),
    createWriteStream(join(work, 'chromium')),
  )
  await chmod(join(work, 'chromium'), 0o755)
  await pipeline(
    createReadStream(bin('al2023.tar.br')),
    createBrotliDecompress(),
    createWriteStream(join(work, 'lib.tar')),
  )
  await promisify(execFile)('tar', ['-xf', join(work, 'lib.tar'), '-C', work])
  await rm(join(work, 'lib.tar'))
  await rename(work, folder).catch(() => rm(work, { recursive: true, force: true }))
  return folder
}
