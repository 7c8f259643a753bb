// The cache of a site contains what was committed, even if a change is made while the site is read or built.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace, newPage } from '../../../test/editing.ts'
import { until } from '../../../test/until.ts'
import { Browser, aSite, expect } from '../../../test/visitor.ts'
import { findCaller } from '../../access/caller.ts'
import { spaceColumns } from '../../access/content.ts'
import { sql } from '../../db/sql.ts'
import type { SpaceRow } from '../../db/tables.ts'
import { type Transaction, nobody, transaction } from '../../db/transaction.ts'
import { newId } from '../../ids.ts'
import { changeOrganization } from '../../organizations/actions.ts'
import { lockOrganization } from '../../organizations/queries.ts'
import { changeSpace, deleteSpace } from '../../spaces/actions.ts'
import { createTranslation } from '../../translations/actions.ts'

const app = await startApp()

/**
 * Sends a request during a change that is not committed yet. The change is committed once the request waits or is done.
 */
async function beforeCommit<Result>(
  change: (tx: Transaction) => Promise<unknown>,
  send: () => Promise<Result>,
): Promise<Result> {
  const { sent } = await transaction(app.db, nobody, async (tx) => {
    await change(tx)
    let isDone = false
    const sent = send().finally(() => (isDone = true))
    await until('it waits, or is done', async () => {
      const waiting = await app.db.all(sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
      return isDone || waiting.length > 0
    })
    return { sent }
  })
  return sent
}

/** A site to read, and two spaces outside of it with the same content. */
async function aSiteAndSpaces() {
  const site = await aSite(app)
  const { who, org } = site
  const space = await aLiveSpace(app, org)
  expect(await space.edit(newPage('Welcome')), 200)
  expect(await who.patch(space.path, { title: 'Put in meanwhile', language: 'en' }), 200)
  const copy = expect(await who.post(`${space.path}/duplicate`), 201)
  const add = async (spaceId: string) => {
    const added = await who.post(`${site.path}/site-spaces`, { spaceId })
    await read()
    return added
  }
  const read = async (path = '') => (await new Browser(app.url).follow(site.address + path)).text
  const row = await app.db.one(sql<SpaceRow>`select ${spaceColumns} from spaces s where s.id = ${space.id}`)
  return { site, row, copy, add, read }
}

test('a space deleted while it is added to a site is not shown there', async () => {
  const { row, add, read } = await aSiteAndSpaces()
  await beforeCommit(
    (tx) => deleteSpace(tx, row),
    () => add(row.id),
  )
  assert.doesNotMatch(await read(), /Put in meanwhile/)
})

test('a space renamed while it is added to a site is shown there under its new name', async () => {
  const { row, add, read } = await aSiteAndSpaces()
  const added = await beforeCommit(
    (tx) => changeSpace(tx, row, { title: 'Renamed meanwhile' }, 'admin'),
    () => add(row.id),
  )
  expect(added, 201)
  assert.match(await read(), /Renamed meanwhile/)
})

test('spaces that become translations while they are added to a site are marked there as translations', async () => {
  const { site, row, copy, add, read } = await aSiteAndSpaces()
  const caller = (await findCaller(app.db, site.who.token!, site.org.id))!
  const draft = { title: 'Both', source: { space: row.id }, variants: [{ language: 'fr', space: copy.id }] }
  const path = await beforeCommit(
    (tx) => createTranslation(tx, caller, site.org.id, draft),
    async () => {
      expect(await add(copy.id), 201)
      const { path } = expect(await add(row.id), 201)
      await read(path)
      return path as string
    },
  )
  assert.match(await read(path), /hreflang="fr"/)
})

test('a site created while its organization changes its hostname is found under the new hostname', async () => {
  const { org, who, space } = await aSite(app)
  const hostname = `h${newId().slice(-12)}`
  const basename = await beforeCommit(
    async (tx) => changeOrganization(tx, await lockOrganization(tx, org.id), { hostname }),
    async () => {
      const made = expect(await who.post(`/v1/orgs/${org.id}/sites`, { title: 'Made', spaces: [space.id] }), 201)
      expect(await who.post(`/v1/orgs/${org.id}/sites/${made.id}/publish`), 200)
      await new Browser(app.url).get(`/sites/${org.row.hostname}/${made.basename}/`)
      return made.basename as string
    },
  )
  assert.equal((await new Browser(app.url).get(`/sites/${hostname}/${basename}/`)).status, 200)
})

test('a hostname that was looked up just before a site got it shows that site', async () => {
  const site = await aSite(app)
  const hostname = `h${newId()}.example.com`
  const read = async () => (await new Browser(app.url).get('/guide', { host: hostname })).status
  const find = app.db.find.bind(app.db)
  let isGiven = false
  // Makes the change between the database's answer and its use.
  const findAndGive: typeof find = async (statement) => {
    const found = await find(statement)
    if (!isGiven && statement.compile().values.includes(hostname)) {
      isGiven = true
      await site.change({ hostname })
    }
    return found
  }
  Object.assign(app.db, { find: findAndGive })
  try {
    await read()
  } finally {
    delete (app.db as Partial<typeof app.db>).find
  }
  assert.ok(isGiven)
  assert.equal(await read(), 200)
})
