import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { anOrganization } from '../../test/factories.ts'
import { aGroup, aUser, idsFound, patch, search } from './testing/provider.ts'

const app = await startApp()

test('users are found by parts of their names, by which attributes they have, and with and, or and not', async () => {
  const org = await anOrganization(app)
  const admin = org.admin.id
  const ada = await aUser(org, {
    userName: 'Ada@one.example',
    emails: null,
    displayName: 'Ada Byron',
    externalId: 'A-1',
  })
  const bob = await aUser(org, {
    userName: 'bob@one.example',
    emails: null,
    displayName: 'Bob (100%)',
    externalId: null,
  })
  await patch(org, bob.path, { op: 'replace', path: 'active', value: false })
  const everybody = [admin, ada.id, bob.id]

  for (const [filter, ...found] of [
    ['userName sw "ADA@"', ada.id],
    ['userName sw "da@"'],
    ['userName ew "@ONE.example"', ada.id, bob.id],
    ['userName co "@one."', ada.id, bob.id],
    ['emails.value co "bob" or emails[type eq "work"].value co "ada"', ada.id, bob.id],
    ['emails[type eq "work" and value sw "bob"]', bob.id],
    ['emails[type eq "home" or primary eq true].value ew "one.example"', ada.id, bob.id],
    ['userName eq "ada@one.example" or externalId eq "nobody"', ada.id],
    [`id eq "${bob.id}" or id eq "${ada.id}"`, ada.id, bob.id],
    ['displayName eq "ada byron"', ada.id],
    ['displayName co "0%"', bob.id],
    ['displayName co "_"'],
    ['externalId pr', ada.id],
    ['not (externalId pr)', admin, bob.id],
    ['externalId sw "a-"'],
    ['externalId ne "A-1"', admin, bob.id],
    ['userName pr', ...everybody],
    ['meta.resourceType eq "x" or userName pr', 'refused'],
    ['userName pr and active ne true', bob.id],
    ['userName ew "one.example" and (externalId eq "A-1" or active eq false)', ada.id, bob.id],
    ['NOT (userName co "bob") AND userName ew "one.example"', ada.id],
    ['userName eq "nobody" or userName co "ada" and active eq true', ada.id],
    ['userName eq "or" or userName eq "\\"and\\" not ("'],
  ] as [string, ...string[]][]) {
    if (found[0] === 'refused') assert.equal((await search(org, 'Users', filter)).body.scimType, 'invalidFilter')
    else assert.deepEqual((await idsFound(org, 'Users', filter)).toSorted(), found.toSorted(), filter)
  }
})

test('groups are found by the same kinds of filters', async () => {
  const org = await anOrganization(app)
  const { id: member } = await aUser(org)
  const { id: east } = await aGroup(org, {
    displayName: 'Region East',
    externalId: 'r-1',
    members: [{ value: member }],
  })
  const { id: west } = await aGroup(org, { displayName: 'Region West' })

  for (const [filter, ...found] of [
    ['displayName sw "region"', east, west],
    ['displayName ew "west" or externalId eq "r-1"', east, west],
    ['displayName co "ion w"', west],
    ['externalId pr', east],
    ['members pr', east],
    [`not (members eq "${member}")`, west],
    [`displayName pr and members ne "${member}"`, west],
  ] as [string, ...string[]][])
    assert.deepEqual((await idsFound(org, 'Groups', filter)).toSorted(), found.toSorted(), filter)
  assert.equal((await search(org, 'Groups', `members co "${member.slice(0, 4)}"`)).body.scimType, 'invalidFilter')
})

test('an invalid or too complex filter is refused as invalidFilter', async () => {
  const org = await anOrganization(app)
  const { id, path } = await aUser(org)
  for (const filter of [
    'userName',
    'userName eq',
    'userName eq jo',
    'userName eq "a" or',
    'or userName eq "a"',
    'not userName eq "a"',
    '(userName eq "a"',
    'userName eq "a")',
    'userName eq "a" userName eq "b"',
    'userName lt "a"',
    'active co "t"',
    'emails[type eq "work" or].value eq "a"',
    `${'('.repeat(200)}userName pr${')'.repeat(200)}`,
    Array.from({ length: 31 }, () => 'id pr').join(' or '),
  ])
    assert.equal((await search(org, 'Users', filter)).body.scimType, 'invalidFilter', filter)

  // A value to change is chosen by equality, and not by a condition that several values could meet.
  const several = await patch(org, path, {
    op: 'replace',
    path: 'emails[type eq "work" or type eq "home"].value',
    value: 'a@b.example',
  })
  assert.deepEqual([several.status, several.body.scimType], [400, 'invalidFilter'])
  assert.equal(several.body.error.details[0].path, 'body.Operations.0.path')
  assert.deepEqual(await idsFound(org, 'Users', 'emails.value eq "a@b.example"'), [])
  assert.deepEqual(await idsFound(org, 'Users', `id sw "${id}"`), [id])
})
