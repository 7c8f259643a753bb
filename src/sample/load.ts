import { readFile } from 'node:fs/promises'
import type { App } from '../http/routes.ts'

/** The pages of the sample, folder by folder: a folder is a group in the menu. */
const groups = [
  { folder: 'start', title: 'Start', pages: ['first-page'] },
  { folder: 'writing', title: 'Write', pages: ['blocks', 'change-requests'] },
  { folder: 'publishing', title: 'Publish', pages: ['sites', 'audience'] },
  { folder: 'api', title: 'Build', pages: ['first-call'] },
  { folder: 'running', title: 'Operate', pages: ['settings'] },
]

const variables = { version: '1.0' }

const claims = {
  type: 'object',
  additionalProperties: false,
  properties: {
    unsigned: {
      type: 'object',
      description: 'What a link may say about its reader.',
      additionalProperties: false,
      properties: { isBeta: { type: 'boolean', description: 'Whether to show what is new' } },
    },
  },
}

/**
 * Makes the documentation about Lectern itself, and publishes it: the first thing that a person sees in the browser is
 * the product working. All of it goes through the API, as if somebody had done it by hand with this token.
 */
export async function loadSample(app: App, organizationId: string, token: string): Promise<void> {
  const call = async (method: 'POST' | 'PUT' | 'PATCH', path: string, payload?: object) => {
    const answer = await app.inject({
      method,
      url: `/v1${path}`,
      headers: { authorization: `Bearer ${token}` },
      ...(payload && { payload }),
    })
    if (answer.statusCode >= 300) throw new Error(`The sample was refused at ${path}: ${answer.body}`)
    return answer.json<{ id: string }>()
  }
  const organization = `/orgs/${organizationId}`
  const draft = { title: 'Lectern docs', emoji: '📘', editMode: 'live', empty: true }
  const space = await call('POST', `${organization}/spaces`, draft)
  await call('POST', `/spaces/${space.id}/content`, { changes: await readChanges() })
  await call('PATCH', `/spaces/${space.id}`, { editMode: 'locked' })

  const site = await call('POST', `${organization}/sites`, { title: 'Lectern', spaces: [space.id] })
  await call('PUT', `${organization}/sites/${site.id}/adaptive-schema`, { jsonSchema: claims })
  await call('PATCH', `${organization}/sites/${site.id}`, { adaptiveContent: { enabled: true } })
  await call('POST', `${organization}/sites/${site.id}/publish`)
  await call('PATCH', organization, { defaultContent: { type: 'site', site: site.id } })
}

async function readChanges(): Promise<object[]> {
  const pageIn = async (path: string, more: object = {}) => ({
    operation: 'insert_page',
    document: { markdown: await read(path) },
    metadata: { slug: path.split('/').at(-1) },
    ...more,
  })
  const below = await Promise.all(
    groups.map(async ({ folder, title, pages }) => [
      { operation: 'insert_page', type: 'group', ref: `group-${folder}`, metadata: { title, slug: folder } },
      ...(await Promise.all(pages.map((name) => pageIn(`${folder}/${name}`, { into: `group-${folder}` })))),
    ]),
  )
  return [
    { operation: 'update_variables', variables },
    {
      operation: 'insert_reusable_content',
      ref: 'needs-token',
      title: 'You need a token',
      document: { markdown: await read('needs-token') },
    },
    await pageIn('welcome'),
    ...below.flat(),
  ]
}

const read = (path: string) => readFile(new URL(`pages/${path}.md`, import.meta.url), 'utf8')
