import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aCollection } from '../../test/content.ts'
import { aSite, expect } from '../../test/visitor.ts'

const app = await startApp()

test('an audit event names the fields that changed, and none that were sent with their old value', async () => {
  const site = await aSite(app)
  const { org, who, space } = site
  const collection = await aCollection(who, org.id, { title: 'Drinks' })
  const person = await org.member('read')
  const section = expect(await who.post(`${site.path}/sections`, { spaceId: space.id }), 201)
  const group = expect(await who.post(`${site.path}/section-groups`, { title: 'Group', sections: [section.id] }), 201)
  const link = expect(await who.post(`${site.path}/external-links`, { title: 'Out', url: 'https://example.com/' }), 201)
  const webhook = expect(await who.post(`/v1/orgs/${org.id}/webhooks`, { url: 'https://example.com/hook' }), 201)
  const provider = expect(await who.post(`/v1/orgs/${org.id}/saml`, { label: 'Company' }), 201)
  const at = `/v1/orgs/${org.id}`

  /**
   * The path, the fields sent with their current values, the fields that change, and the details that the audit log has
   * beside the names of the fields.
   */
  const cases: [string, object, object, object?][] = [
    [space.path, { title: expect(await who.get(space.path), 200).title, editMode: 'live' }, { emoji: '1f680' }],
    [`/v1/collections/${collection.id}`, { title: 'Drinks' }, { description: 'Hot ones' }],
    [site.path, { title: `Site ${org.canary}`, visibility: 'public' }, { agentsContext: 'excluded' }],
    [`${at}/members/${person.id}`, { role: 'read' }, { disabled: true }, { disabled: 'true' }],
    [at, { title: org.row.title, sso: false }, { inviteLinks: false }, { inviteLinks: 'false' }],
    [`${site.path}/sections/${section.id}`, { title: section.title, path: section.path }, { icon: 'star' }],
    [`${site.path}/section-groups/${group.id}`, { title: 'Group' }, { icon: 'star' }],
    [`${site.path}/external-links/${link.id}`, { url: 'https://example.com/' }, { title: 'Away' }],
    [`${site.path}/site-spaces/${site.siteSpaceId}`, { draft: false, condition: null }, { title: 'Two' }],
    [`${at}/webhooks/${webhook.id}`, { url: webhook.url, events: null, active: true }, { title: 'Builds' }],
    [`${at}/saml/${provider.id}`, { defaultRole: provider.defaultRole }, { label: 'Firm' }],
  ]
  for (const [path, same, changed, details = {}] of cases) {
    const answer = await who.patch(path, { ...same, ...changed })
    assert.ok(answer.status < 300, `${path} ${answer.text}`)
    const [{ payload }] = expect(await who.get(`${at}/audit-events?limit=1`), 200).items
    assert.deepEqual([payload.fields, payload.details ?? {}], [Object.keys(changed), details], path)
  }
})

test('an audit event names only the default of a site that changed, not the other one', async () => {
  const site = await aSite(app)
  const { org, who } = site
  const section = expect(await who.post(`${site.path}/sections`, { spaceId: site.space.id }), 201)
  const named = async (changes: object) => {
    expect(await who.patch(site.path, changes), 200)
    return expect(await who.get(`/v1/orgs/${org.id}/audit-events?limit=1`), 200).items[0].payload.fields
  }
  const spaceOf = async (id: string) =>
    expect(await who.get(`${site.path}/site-spaces?limit=100`), 200).items.find((each: any) => each.section === id).id
  assert.deepEqual(await named({ defaultSiteSection: section.id, defaultSiteSpace: await spaceOf(section.id) }), [
    'defaultSiteSection',
  ])
})
