import { startApp } from '../../test/app.ts'
import { aCollection, aSpace, writePage } from '../../test/content.ts'
import { anOrganization } from '../../test/factories.ts'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'
import { testDamages } from './testing/damages.ts'

const app = await startApp()
const org = await anOrganization(app)
const collection = await aCollection(org.admin.client, org.id)
const space = await aSpace(org.admin.client, org.id, { parent: collection.id })
await writePage(app.db, org.id, space.id, 'a body')
const other = await aSpace(org.admin.client, org.id)

const main = sql`(select id from lines where space_id = ${space.id} and main_id is null)`

testDamages(app, [
  ['a head is changed', sql`update heads set slug = 'x' where line_id = ${main} and slug <> 'untitled'`, 'latest'],
  ['a head is gone', sql`delete from heads where line_id = ${main} and slug = 'untitled'`, 'latest'],
  ['history is gone', sql`delete from entries where line_id = ${main} and slug = 'untitled'`, 'latest'],
  ['a revision is gone', sql`delete from revisions where line_id = ${main} and seq = 1`, 'no gap'],
  ['the head names another revision', sql`update lines set head_id = ${newId()} where id = ${main}`, 'no gap'],
  [
    'a parent is unknown',
    sql`update revisions set parents = array[${newId()}::uuid] where line_id = ${main}`,
    'parent',
  ],
  [
    'a page hangs in the air',
    sql`with x as (update entries set parent = '00000000-0000-0000-0000-00000000000a' where line_id = ${main})
      update heads set parent = '00000000-0000-0000-0000-00000000000a' where line_id = ${main}`,
    'reached from the top level',
  ],
  [
    'a branch stands nowhere',
    sql`update lines set base_seq = 99 where space_id = ${space.id} and main_id is not null`,
    'is based on',
  ],
  ['a number is missing', sql`update change_requests set number = 7 where space_id = ${space.id}`, 'numbered'],
  [
    'a counter is wrong',
    sql`update counter_slots set requests_open = requests_open + 1 where space_id = ${space.id}`,
    'change request counts',
  ],
  [
    'a collection is in itself',
    sql`update collections set parent_id = id where id = ${collection.id}`,
    'contain each other',
  ],
  ['a page is not found', sql`delete from search_sections where space_id = ${other.id}`, 'Every page of an indexed'],
  [
    'a page is found that is not there',
    sql`update search_sections set page_id = ${newId()} where space_id = ${other.id}`,
    'in the search index exists',
  ],
  ['a place is missing', sql`update spaces set position = '' where id = ${other.id}`, 'has a position'],
  [
    'a space has no content',
    sql`with a as (delete from entries where line_id in (select id from lines where space_id = ${other.id})),
      b as (delete from heads where line_id in (select id from lines where space_id = ${other.id})),
      c as (delete from revisions where line_id in (select id from lines where space_id = ${other.id}))
      delete from lines where space_id = ${other.id}`,
    'exactly one main branch',
  ],
])
