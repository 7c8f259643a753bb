import assert from 'node:assert/strict'
import type { TestApp } from '../../../test/app.ts'
import { aLiveSpace } from '../../../test/editing.ts'
import { aSite } from './site.ts'
import { zipOf } from './zip.ts'

/** Imports an archive of these files into a new space, and returns the result. */
export const projectImporter =
  (app: TestApp) =>
  async (files: Record<string, string | Buffer>, symbolicLinks: Record<string, string> = {}) => {
    const space = await aLiveSpace(app)
    const zip = zipOf([
      ...Object.entries(files).map(([name, bytes]) => ({ name, bytes })),
      ...Object.entries(symbolicLinks).map(([name, bytes]) => ({ name, bytes, claims: { mode: 0o120777 } })),
    ])
    const site = await aSite({ '/x.zip': zip })
    const made = await space.who.post(`${space.path}/content/import`, { url: site.url('/x.zip'), source: 'zip' })
    assert.equal(made.status, 201, made.text)
    const links = async () =>
      (await space.who.get(`${space.path}/links`)).body.items.map(({ status }: any) => status as string)
    const markdown = async (path: string) =>
      (await space.who.get(`${space.path}/content/path/${encodeURIComponent(path)}?format=markdown`)).body.markdown
    const told = made.body.skipped.map(({ source, reason }: any) => `${source} ${reason}`)
    return { space, told, links, markdown, outline: await space.outline() }
  }
