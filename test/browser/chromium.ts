import { execFile } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync, globSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createBrotliDecompress } from 'node:zlib'
import type { LaunchOptions } from 'playwright-core'

const run = promisify(execFile)
const packaged = new URL('../../node_modules/@sparticuz/chromium/', import.meta.url)

/**
 * Finds out how to launch Chromium: the program that CHROMIUM names, or the one that `npm ci` installs. npm has it only
 * for Linux on x64. Elsewhere it is Debian's Chromium, downloaded without installing anything, or the Chrome of the
 * machine.
 */
export async function findChromium(): Promise<LaunchOptions> {
  if (process.env.CHROMIUM !== undefined) return { executablePath: process.env.CHROMIUM }
  if (process.platform === 'linux' && process.arch === 'x64') {
    const { version } = JSON.parse(readFileSync(new URL('package.json', packaged), 'utf8'))
    return inFolder(await once(version, unpackPackaged), 'chromium')
  }
  if (!existsSync('/etc/debian_version')) return { channel: 'chrome' }
  return inFolder(await once('debian', unpackDebian), 'usr/lib/chromium/chromium-headless-shell')
}

/**
 * Returns how to launch the program with the libraries in its folder, and with fonts that are the same on every
 * machine, even on one that has none.
 */
function inFolder(folder: string, program: string): LaunchOptions {
  const files = globSync(['lib/**/*.so*', 'usr/lib/**/*.so*'], { cwd: folder })
  const libraries = [...new Set(files.map((file) => join(folder, dirname(file))))].join(':')
  const env = { ...process.env, LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: join(folder, 'fonts.conf') }
  return { executablePath: join(folder, program), env }
}

/**
 * Unpacks once per machine and version, so not into the folder of this test run. Two processes that start at the same
 * time both unpack; the second one to finish discards its copy.
 */
async function once(version: string, unpack: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(process.env.TEST_CACHE ?? tmpdir(), `lectern-browser-${version}-${process.getuid?.() ?? 'all'}`)
  if (existsSync(folder)) return folder
  const work = await mkdtemp(`${folder}-`)
  await unpack(work)
  await unpackTar('fonts.tar.br', work)
  await writeFile(
    join(work, 'fonts.conf'),
    `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>`,
  )
  await rename(work, folder).catch(() => rm(work, { recursive: true, force: true }))
  return folder
}

async function unpackPackaged(folder: string): Promise<void> {
  await decompress('chromium.br', join(folder, 'chromium'))
  await chmod(join(folder, 'chromium'), 0o755)
  await unpackTar('al2023.tar.br', folder)
}

async function unpackTar(name: string, folder: string): Promise<void> {
  const archive = join(folder, 'archive.tar')
  await decompress(name, archive)
  await run('tar', ['-xf', archive, '-C', folder])
  await rm(archive)
}

function decompress(name: string, to: string): Promise<void> {
  return pipeline(createReadStream(new URL(`bin/${name}`, packaged)), createBrotliDecompress(), createWriteStream(to))
}

/**
 * Downloads the packages that this Debian lacks, with package lists and a cache in this folder, so that no root is
 * needed and nothing is installed.
 */
async function unpackDebian(folder: string): Promise<void> {
  const [state, cache] = [join(folder, 'state'), join(folder, 'cache')]
  await mkdir(join(state, 'lists/partial'), { recursive: true })
  await mkdir(join(cache, 'archives/partial'), { recursive: true })
  const settings = [
    `Dir::State=${state}`,
    'Dir::State::status=/var/lib/dpkg/status',
    `Dir::Cache=${cache}`,
    'Debug::NoLocking=1',
    'APT::Sandbox::User=',
  ].flatMap((setting) => ['-o', setting])
  const wanted = ['--download-only', '--no-install-recommends', '--yes', 'install', 'chromium-headless-shell']
  try {
    await run('apt-get', [...settings, 'update'])
    await run('apt-get', [...settings, ...wanted])
  } catch (cause) {
    throw new Error('There is no Chromium here for the tests. Install one, and name its program in CHROMIUM.', {
      cause,
    })
  }
  for (const file of globSync('archives/*.deb', { cwd: cache })) await run('dpkg', ['-x', join(cache, file), folder])
  await Promise.all([state, cache].map((each) => rm(each, { recursive: true })))
}
