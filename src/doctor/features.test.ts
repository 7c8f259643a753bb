import { startApp } from '../../test/app.ts'
import { aLiveSpace, newPage } from '../../test/editing.ts'
import { anOrganization } from '../../test/factories.ts'
import { regular } from '../../test/fonts.ts'
import { aSite } from '../../test/sites.ts'
import { upload } from '../../test/uploading.ts'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'
import { testDamages } from './testing/damages.ts'

const app = await startApp()
const org = await anOrganization(app)
const { client } = org.admin
const space = await aLiveSpace(app, org)
await space.edit(newPage('One'))
await space.edit({ operation: 'insert_page', document: { markdown: '# Two\n\nSee [One](one.md).\n' } })
const talk = async (at: string) => {
  const { body } = await client.post(`${at}/comments`, { body: { markdown: 'A remark' } })
  await client.post(`${at}/comments/${body.id}/replies`, { body: { markdown: 'A reply' } })
}
await talk(space.path)
const request = await space.changeRequest()
await request.edit(newPage('Three'))
await talk(request.path)
await client.post(`${request.path}/merge`)
const other = await aLiveSpace(app, org)
const site = await aSite(app, {}, org)
const file = { bytes: regular, name: 'a.woff2', kind: 'customization_font' }
const storageKey = await upload(app, { client, organizationId: org.id }, file)
const fontFaces = [{ weight: 400, storageKey }]
const font = await client.put(`/v1/orgs/${org.id}/fonts`, { fontFamily: 'Acme', fontFaces })
await client.put(`${site.path}/customization`, { styling: { headingFont: { id: font.body.id } } })
const webhook = await client.post(`/v1/orgs/${org.id}/webhooks`, { url: 'https://example.com/' })
await app.db.run(sql`
  insert into webhook_deliveries (organization_id, webhook_id, id, event_id, type, subject, body, due_at)
  values (${org.id}, ${webhook.body.id}, ${newId()}, ${newId()}, 'ping', 'a subject', '{}', now() + interval '1 hour')`)
const stranger = await anOrganization(app)
const ofSpace = sql`space_id = ${space.id}`
const main = sql`(select id from lines where ${ofSpace} and main_id is null)`

testDamages(app, [
  ['nobody is in charge', sql`update members set role = 'read' where organization_id = ${org.id}`, 'an administrator'],
  [
    'an account belongs to another organization',
    sql`update users set home_organization_id = ${stranger.id} where id = ${org.admin.id}`,
    'is a member of no other',
  ],
  [
    'a merge has no revision',
    sql`update revisions set merged_from = null where line_id = ${main}`,
    'Merged change requests',
  ],
  [
    'a page of main has no address',
    sql`update heads set slug = null where line_id = ${main} and kind = 1`,
    'Entries of main branches',
  ],
  [
    'a link leads nowhere',
    sql`update links set target = ${newId()} where line_id = ${main}`,
    'working link has a target',
  ],
  [
    'a link stands nowhere',
    sql`update links set source = ${newId()} where line_id = ${main}`,
    'belongs to existing content',
  ],
  ['links are counted wrong', sql`update space_counters set links = links + 1 where ${ofSpace}`, 'link counts'],
  [
    'comments are counted wrong',
    sql`update counter_slots set comments = comments + 1 where ${ofSpace}`,
    'comment counts of spaces',
  ],
  [
    'comments of a change request are counted wrong',
    sql`update request_counter_slots set comments_resolved = 1 where change_request_id = ${request.id}`,
    'comment counts of change requests',
  ],
  ['a reply is not counted', sql`update comments set replies = 0 where ${ofSpace} and replies > 0`, 'reply counts'],
  [
    'a comment names another space than its change request',
    sql`update comments set space_id = ${other.id} where change_request_id = ${request.id}`,
    'belong to the same space',
  ],
  ['somebody is not counted', sql`update commenters set count = 1 where ${ofSpace}`, 'Everybody who commented'],
  [
    'a site has no default',
    sql`update site_spaces set is_default = false where site_id = ${site.id}`,
    'with spaces has exactly one default',
  ],
  [
    'a font has no letters for text',
    sql`update font_faces set weight = 300 where font_id = ${font.body.id}`,
    'its regular weight',
  ],
  ['a site is set in a font that is gone', sql`delete from fonts where id = ${font.body.id}`, 'uses a missing font'],
  [
    'a delivery waits for nothing',
    sql`update webhook_deliveries set due_at = null where webhook_id = ${webhook.body.id}`,
    'the others wait for it',
  ],
])
