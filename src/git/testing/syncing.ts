import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Client } from '../../../test/api-client.ts'
import type { TestApp } from '../../../test/app.ts'
import { aSpace } from '../../../test/content.ts'
import { type TestOrganization, anOrganization } from '../../../test/factories.ts'
import type { TestRepository } from '../../../test/git-server.ts'

/** A space that its administrator syncs with a repository. */
export interface SyncedSpace {
  id: string
  path: string
  org: TestOrganization
  who: Client
  /** Imports, waits until that has ended, and returns the operation. */
  import(more?: object): Promise<any>
  export(more?: object): Promise<any>
  outline(at?: string): Promise<string>
  /** Pages by the path of their file. */
  pages(at?: string): Promise<Map<string, any>>
  markdown(id: string, at?: string): Promise<string>
}

export async function aSyncedSpace(
  test: TestApp,
  repository: Pick<TestRepository, 'url'>,
  settings: { org?: TestOrganization; space?: object; who?: Client } = {},
): Promise<SyncedSpace> {
  const org = settings.org ?? (await anOrganization(test))
  const who = settings.who ?? org.admin.client
  const space = await aSpace(org.admin.client, org.id, { title: `Docs ${org.canary}`, ...settings.space })
  const path = `/v1/spaces/${space.id}`
  const body = { url: repository.url, ref: 'refs/heads/main' }
  const pagesAt = async (at = path) => (await who.get(`${at}/content`)).body.pages
  return {
    id: space.id,
    path,
    org,
    who,
    import: (more) => sync(who, `${path}/git/import`, { ...body, ...more }),
    export: (more) => sync(who, `${path}/git/export`, { ...body, commitMessage: 'From Lectern', ...more }),
    outline: async (at) => outlineOf(await pagesAt(at)),
    pages: async (at) => new Map(flat(await pagesAt(at)).map((page) => [page.git?.path ?? page.title, page])),
    markdown: async (id, at = path) => (await who.get(`${at}/content/page/${id}?format=markdown`)).body.markdown,
  }
}

export async function sync(who: Client, path: string, body: object): Promise<any> {
  const asked: Answer = await who.post(path, body)
  assert.equal(asked.status, 204, asked.text)
  return ended(who, path.replace(/\/git\/.*$/, ''))
}

/** Waits until the last operation of a space has ended, and returns it. */
export async function ended(who: Client, space: string): Promise<any> {
  const from = performance.now()
  for (;;) {
    const { operation } = (await who.get(`${space}/git/info`)).body
    if (operation.endedAt) return operation
    assert.ok(performance.now() - from < 60_000, 'it takes too long')
    await sleep(25)
  }
}

const flat = (pages: any[]): any[] => pages.flatMap((page) => [page, ...flat(page.pages ?? [])])

export const outlineOf = (pages: any[]): string =>
  pages
    .map(({ title, slug = '', pages: below = [] }) => {
      const own = slug === '' ? title : `${title}/${slug}`
      return below.length > 0 ? `${own} (${outlineOf(below)})` : own
    })
    .join(', ')
