import assert from 'node:assert/strict'
import { readFile, readdir } from 'node:fs/promises'
import { test } from 'node:test'
import pg from 'pg'
import { emptyDatabase } from '../../test/database.ts'
import { newId } from '../ids.ts'

const folder = new URL('../../migrations/', import.meta.url)

async function migrationsWhere(isWanted: (file: string) => boolean): Promise<string> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql') && isWanted(file)).toSorted()
  return (await Promise.all(files.map((file) => readFile(new URL(file, folder), 'utf8')))).join('\n')
}

test('the migration turns review texts into counted comments, with the reviewer as a contributor', async () => {
  const database = await emptyDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    await client.query(await migrationsWhere((file) => file < '0009'))
    const [user, org, space, line, change, revision] = Array.from({ length: 6 }, () => newId())
    const [silent, wordy] = [newId(), newId()]
    await client.query(`
      insert into users (id, email, display_name) values ('${user}', 'a@example.com', 'Ann');
      insert into organizations (id, title, hostname) values ('${org}', 'Organization', 'organization');
      insert into spaces (organization_id, id, title, position) values ('${org}', '${space}', 'Space', 'a0');
      insert into lines (organization_id, id, space_id, head_seq, head_id)
        values ('${org}', '${line}', '${space}', 1, '${revision}');
      insert into change_requests (organization_id, id, space_id, number, line_id, revision_initial)
        values ('${org}', '${change}', '${space}', 1, '${line}', '${revision}');
      insert into reviews (organization_id, id, change_request_id, revision_id, reviewer_id, status, comment)
        values ('${org}', '${silent}', '${change}', '${revision}', '${user}', 'approved', null),
          ('${org}', '${wordy}', '${change}', '${revision}', '${user}', 'approved', 'Fine');`)
    await client.query(await migrationsWhere((file) => file.startsWith('0009')))

    const rows = async (text: string) => (await client.query({ text, rowMode: 'array' })).rows
    assert.deepEqual(await rows('select review_id, change_request_id, author_id, markdown, is_open from comments'), [
      [wordy, change, user, 'Fine', true],
    ])
    assert.deepEqual(await rows('select change_request_id, comments from request_counter_slots'), [[change, 1]])
    assert.deepEqual(await rows('select user_id, action, count from contributors'), [[user, 'comment', 1]])
  } finally {
    await client.end()
    await database.drop()
  }
})
