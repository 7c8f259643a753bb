import type { Answer, Client } from './api-client.ts'
import assert from 'node:assert/strict'
import type { TestApp } from './app.ts'
import { type TestOrganization, anOrganization } from './factories.ts'

/** An empty space in an organization of its own, all created through the API. */
export interface EditedSpace {
  id: string
  path: string
  org: TestOrganization
  who: Client
  /** Changes the space itself, which is live. */
  edit(...changes: object[]): Promise<Answer>
  /** The pages as `title (children)`, in order. */
  outline(at?: string): Promise<string>
  changeRequest(): Promise<EditedChangeRequest>
}

export interface EditedChangeRequest {
  id: string
  path: string
  edit(...changes: object[]): Promise<Answer>
  outline(): Promise<string>
  page(id: string): Promise<any>
}

export async function aLiveSpace(test: TestApp, org?: TestOrganization): Promise<EditedSpace> {
  const home = org ?? (await anOrganization(test))
  const who = home.admin.client
  const made = await who.post(`/v1/orgs/${home.id}/spaces`, {
    title: `Space ${home.canary}`.slice(0, 50),
    editMode: 'live',
    empty: true,
  })
  assert.equal(made.status, 201, made.text)
  const path = `/v1/spaces/${made.body.id}`
  const outline = async (at = path) => outlineOf((await who.get(`${at}/content`)).body.pages)
  return {
    id: made.body.id,
    path,
    org: home,
    who,
    edit: (...changes) => who.post(`${path}/content`, { changes }),
    outline,
    async changeRequest() {
      const { body } = await who.post(`${path}/change-requests`, { subject: 'A change' })
      const own = `${path}/change-requests/${body.id}`
      return {
        id: body.id,
        path: own,
        edit: (...changes) => who.post(`${own}/content?compat=false`, { changes }),
        outline: () => outline(own),
        page: async (id) => (await who.get(`${own}/content/page/${id}?format=markdown`)).body,
      }
    },
  }
}

function outlineOf(pages: { title: string; pages?: any[] }[]): string {
  return pages.map(({ title, pages = [] }) => (pages.length > 0 ? `${title} (${outlineOf(pages)})` : title)).join(' ')
}

/** A change that inserts a page with this title. `more` adds fields such as `into`. */
export const newPage = (title: string, more: object = {}) => ({
  operation: 'insert_page',
  document: { markdown: `# ${title}\n\nText of ${title}\n` },
  ...more,
})

/** A page that becomes the pages of a specification. */
export const newReference = (
  title: string,
  { spec = 'shop', ...props }: { spec?: string; models?: boolean } = {},
  metadata: object = {},
) => ({
  operation: 'insert_page',
  type: 'computed',
  computed: { type: 'builtin:openapi', props, dependencies: { spec: { ref: { kind: 'openapi', spec } } } },
  metadata: { title, ...metadata },
})

/** The ids of the pages that a batch made, in order. */
export const idsOf = ({ body }: Answer): string[] => {
  assert.ok(Array.isArray(body.changes), JSON.stringify(body))
  return body.changes.map((change: any) => change.page?.id ?? change.page ?? change.reusableContent)
}
