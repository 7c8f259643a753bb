import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export const limits = {
  /** The size of all finished files together. Those that were not requested for longest are removed first. */
  bytes: 512 * 1024 ** 2,
  unusedMs: 24 * 60 * 60 * 1000,
}

/** Finished files in a folder of this node. All of them can be made again, so a lost file does no harm. */
export class Shelf {
  readonly #folder: string
  readonly #making = new Map<string, Promise<string>>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Returns the path of the file with this name, if it exists. */
  async find(name: string): Promise<string | undefined> {
    const path = join(this.#folder, `${name}.pdf`)
    const now = new Date()
    return utimes(path, now, now).then(
      () => path,
      () => undefined,
    )
  }

  async has(name: string): Promise<boolean> {
    return stat(join(this.#folder, `${name}.pdf`)).then(
      () => true,
      () => false,
    )
  }

  /** Returns the path of the new file. Concurrent requests for the same file make it only once. */
  make(name: string, make: () => Promise<Uint8Array>): Promise<string> {
    let making = this.#making.get(name)
    if (!making) {
      making = this.#put(name, make).finally(() => this.#making.delete(name))
      this.#making.set(name, making)
    }
    return making
  }

  async #put(name: string, make: () => Promise<Uint8Array>): Promise<string> {
    const bytes = await make()
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const path = join(this.#folder, `${name}.pdf`)
    const draft = join(this.#folder, `${randomUUID()}.part`)
    await writeFile(draft, bytes, { mode: 0o600 })
    await rename(draft, path)
    await clear(this.#folder, limits, path)
    return path
  }
}

/** Removes files that were not used for long, and the least recently used ones above the size limit. */
export async function clear(folder: string, most: typeof limits, but?: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const found = await stat(path).catch(() => undefined)
      return { path, size: found?.size ?? 0, usedAt: found?.mtimeMs ?? 0 }
    }),
  )
  let bytes = 0
  for (const { path, size, usedAt } of files.toSorted((a, b) => b.usedAt - a.usedAt)) {
    bytes += size
    const isOld = Date.now() - usedAt > most.unusedMs
    if (path !== but && (isOld || bytes > most.bytes)) await rm(path, { force: true })
  }
}
