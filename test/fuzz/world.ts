import type { TestApp } from '../app.ts'
import { newContent } from '../matrix/belongings.ts'
import { makeWorld, refill } from '../matrix/world.ts'
import type { FuzzWorld } from './cases.ts'

/** Creates the world of the matrix, with additional things that may be lost. */
export async function makeFuzzWorld(app: TestApp, urls: string[]): Promise<FuzzWorld> {
  const world = await makeWorld(app)
  return { ...world, spare: await refill(world), urls }
}

/** Restores what all other requests need: random changes may have closed, locked, archived or hidden it. */
export async function mend(world: FuzzWorld): Promise<void> {
  const { who, own } = world
  const space = `/v1/spaces/${own.spaceId}`
  const attempts: [string, string, unknown][] = [
    ['PATCH', space, { editMode: 'live', defaultLevel: 'inherit', mergeRules: { type: 'inherit' } }],
    ['PATCH', `/v1/collections/${own.collectionId}`, { defaultLevel: 'inherit' }],
    ['PATCH', `${space}/change-requests/${own.changeRequestId}`, { status: 'open' }],
    [
      'PATCH',
      `/v1/orgs/${own.organizationId}/sites/${own.siteId}`,
      { visibility: 'share-link', hostname: null, proxy: null },
    ],
    ['POST', `/v1/orgs/${own.organizationId}/sites/${own.siteId}/publish`, undefined],
    ['PATCH', `/v1/orgs/${own.organizationId}/webhooks/${own.webhookId}`, { active: true }],
    ['PATCH', `/v1/orgs/${own.organizationId}/members/${own.userId}`, { role: 'review', disabled: false }],
  ]
  for (const [method, url, body] of attempts) await who.do(method, url, body)
  if (!(await isThere(world))) Object.assign(own, await newContent(who, space, world.words.own))
}

/** Whether main still contains what the ids refer to. */
async function isThere({ who, own }: FuzzWorld): Promise<boolean> {
  const names = [`page/${own.pageId}`, `files/${own.fileId}`, `reusable-contents/${own.reusableContentId}`]
  const asked = names.map((name) => who.ask('GET', `/v1/spaces/${own.spaceId}/content/${name}`))
  return (await Promise.all(asked)).every(({ status }) => status === 200)
}
