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
  ['a merge has no revision', sql`update revisions set merged_from = null where line_id = ${main}`, 'What is merged'],
  [
    'a page of main has no address',
    sql`update heads set slug = null where line_id = ${main} and kind = 1`,
    'A main line',
  ],
  ['a link leads nowhere', sql`update links set target = ${newId()} where line_id = ${main}`, 'has its target'],
  ['a link stands nowhere', sql`update links set source = ${newId()} where line_id = ${main}`, 'stands in something'],
  ['links are counted wrong', sql`update space_counters set links = links + 1 where ${ofSpace}`, 'numbers of links'],
  [
    'comments are counted wrong',
    sql`update counter_slots set comments = comments + 1 where ${ofSpace}`,
    'comments that spaces show',
  ],
  [
    'comments of a change request are counted wrong',
    sql`update request_counter_slots set comments_resolved = 1 where change_request_id = ${request.id}`,
    'comments that change requests show',
  ],
  [
    'a reply is not counted',
    sql`update comments set replies = 0 where ${ofSpace} and replies > 0`,
    'numbers of replies',
  ],
  [
    'a comment names another space than its change request',
    sql`update comments set space_id = ${other.id} where change_request_id = ${request.id}`,
    'name its space',
  ],
  ['somebody is not counted', sql`update commenters set count = 1 where ${ofSpace}`, 'Whoever commented'],
  [
    'a site has no default',
    sql`update site_spaces set is_default = false where site_id = ${site.id}`,
    'holds spaces has exactly one default',
  ],
  [
    'a font has no letters for text',
    sql`update font_faces set weight = 300 where font_id = ${font.body.id}`,
    'weight that text is set in',
  ],
  [
    'a site is set in a font that is gone',
    sql`delete from fonts where id = ${font.body.id}`,
    'names a font that is not there',
  ],
  [
    'a delivery waits for nothing',
    sql`update webhook_deliveries set due_at = null where webhook_id = ${webhook.body.id}`,
    'the others wait for it',
  ],
])
