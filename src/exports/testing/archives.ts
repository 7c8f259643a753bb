import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { TestApp } from '../../../test/app.ts'
import { temporaryFolder } from '../../../test/process.ts'
import { packArchive } from '../archive.ts'
import { importArchive } from '../import.ts'
import { Archive } from '../open-archive.ts'

/** Archives of a test server, as files that are removed at the end of the test file. */
export async function archivesOf({ app, db, url }: TestApp) {
  const folder = await temporaryFolder()
  let files = 0
  const newFile = () => join(folder, `${(files += 1)}.zip`)

  const download = async ({ token }: { token: string | undefined }, path: string): Promise<string> => {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
    const bytes = Buffer.from(await response.arrayBuffer())
    assert.equal(response.status, 200, bytes.toString())
    assert.equal(response.headers.get('content-type'), 'application/zip')
    const file = newFile()
    await writeFile(file, bytes)
    return file
  }

  const restore = async (file: string, organizationId: string) => {
    const archive = await Archive.open(file, 'space', 'organization')
    return importArchive({ ...app, db }, archive, organizationId).finally(() => archive.close())
  }

  /** The same archive with its files changed by `change`. Files for which it returns undefined are left out. */
  const rewritten = async (file: string, change: (path: string, bytes: Buffer) => Buffer | string | undefined) => {
    const archive = await Archive.open(file, 'space', 'organization')
    async function* items() {
      for (const path of archive.paths().filter((each) => each !== 'manifest.json')) {
        const content = change(path, await buffer(archive.read(path)))
        if (content !== undefined) yield { path, content }
      }
    }
    const to = newFile()
    await writeFile(to, packArchive(archive.manifest.kind, items()))
    archive.close()
    return to
  }

  return { newFile, download, restore, rewritten }
}
