// Tests archives that were edited by hand: invalid content of a space, and invalid data about people.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { content } from '../../test/every-content.ts'
import { aStranger, anOrganization } from '../../test/factories.ts'
import { aSite, expect } from '../../test/visitor.ts'
import { sql } from '../db/sql.ts'
import { Explained } from '../explained.ts'
import { newId } from '../ids.ts'
import { archivesOf } from './testing/archives.ts'

const app = await startApp()
const archives = await archivesOf(app)
const site = await aSite(app)
expect(await site.space.edit(...content), 200)
const comments = `${site.space.path}/comments`
const comment = expect(await site.who.post(comments, { body: { markdown: 'What a page' } }), 200)
expect(await site.who.post(`${comments}/${comment.id}/replies`, { body: { markdown: 'Indeed' } }), 200)
const archive = await archives.download(site.who, `/v1/orgs/${site.org.id}/export`)

/** The same archive with the file of this name changed. A file with one value per line is passed as a list. */
const changed = (name: string, change: (said: any) => unknown) =>
  archives.rewritten(archive, (path, bytes) => {
    if (path.split('/').at(-1) !== name) return bytes
    const text = bytes.toString().trimEnd()
    const said = name.endsWith('l') ? text.split('\n').map((line) => JSON.parse(line)) : JSON.parse(text)
    const now: any = change(said) ?? said
    return name.endsWith('l') ? now.map((each: unknown) => `${JSON.stringify(each)}\n`).join('') : JSON.stringify(now)
  })

/** Tries to restore an archive, and returns why it is refused. */
async function refusalOf(file: string): Promise<string> {
  const { id } = await anOrganization(app)
  const error = await archives.restore(file, id).then(
    () => assert.fail('it was restored'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof Explained, String((error as Error).stack))
  const { count } = await app.db.one(sql<{ count: number }>`
    select count(*)::int as count from spaces where organization_id = ${id}`)
  assert.equal(count, 0)
  return error.message
}

const called = (said: any[], title: string) => said.find(({ data }) => data.title === title)
const ofKind = (said: any[], kind: number) => said.find((each) => each.kind === kind)

const wrong: [string, RegExp, (said: any) => unknown][] = [
  ['entries.jsonl', /entries\.jsonl, line 1: must be object/, () => [null]],
  ['entries.jsonl', /kind: must be one of 1, 2, 3, 4/, (said) => void (said[0].kind = 9)],
  ['entries.jsonl', /entry: is there twice/, (said) => void said.push(said[0])],
  ['entries.jsonl', /parent: puts the page below itself/, (said) => void (called(said, 'Everything').parent = called(said, 'Everything').entry)],
  ['entries.jsonl', /parent: puts the page below itself/, (said) => void (called(said, 'Group').parent = said.find(({ parent }: any) => parent === called(said, 'Group').entry).entry)],
  ['entries.jsonl', /parent: is not a page of the archive/, (said) => void (called(said, 'Everything').parent = ofKind(said, 2).entry)],
  ['entries.jsonl', /parent: is not a page of the archive/, (said) => void (called(said, 'Everything').parent = newId())],
  ['entries.jsonl', /parent: is too deep: pages can be nested at most 100/, (said) => tower(said, 101)],
  ['entries.jsonl', /slug: must be a part of an address/, (said) => void (called(said, 'Everything').slug = 'a/b')],
  ['entries.jsonl', /position: must be a position/, (said) => void (called(said, 'Everything').position = 'zzz!')],
  ['entries.jsonl', /data\.title: must be string/, (said) => void (called(said, 'Everything').data.title = 1)],
  ['entries.jsonl', /data\.title: at least 1 character/, (said) => void (called(said, 'Everything').data.title = '')],
  ['entries.jsonl', /data\.title: at least 1 character/, (said) => void (ofKind(said, 3).data.title = '')],
  ['entries.jsonl', /data\.type: must be one of/, (said) => void (called(said, 'Everything').data.type = 'x')],
  ['entries.jsonl', /data\.cover\.ref: is required/, (said) => void (called(said, 'Everything').data.cover = {})],
  ['entries.jsonl', /data\.target\.page: must be string/, (said) => void (called(said, 'In here').data.target.page = 1)],
  ['entries.jsonl', /data\.computed: must be object/, (said) => void (called(said, 'API').data.computed = 1)],
  ['entries.jsonl', /data\.size: must be integer/, (said) => void (ofKind(said, 2).data.size = 'x')],
  ['entries.jsonl', /body: must be string/, (said) => void (ofKind(said, 3).body = null)],
  ['entries.jsonl', /data\.value: must be string/, (said) => void (ofKind(said, 4).data.value = {})],
  ['space.json', /space\.json, position: must be a position/, (said) => void (said.position = 'x')],
  ['space.json', /space\.json, icon: .*http/, (said) => void (said.icon = 'javascript:alert(1)')],
  ['space.json', /space\.json, mergeRules: must be object/, (said) => void (said.mergeRules = null)],
  ['space.json', /space\.json, permissions\.members: must be array/, (said) => void (said.permissions.members = null)],
  ['space.json', /space\.json, formerPaths: must be array/, (said) => void (said.formerPaths = {})],
  ['comments.jsonl', /line 1, comment\.id: must be like/, (said) => void (said[0].comment.id = 'x')],
  ['comments.jsonl', /line 3, comment\.id: is there twice/, (said) => void said.push(said[0])],
  ['comments.jsonl', /comment\.parent_id: is not a comment of the archive/, (said) => void (said[0].comment.parent_id = newId())],
  ['people.json', /people\.json, 0\.email: must be string/, (said) => void (said[0].email = null)],
  ['organization.json', /organization\.json, members: must be array/, (said) => void (said.members = 'x')],
  ['organization.json', /organization\.json, teams\.0\.title: is required/, (said) => void (said.teams = [{ members: [] }])],
  ['grants.json', /grants\.json, collections: is required/, (said) => void delete said.collections],
  ['translations.json', /translations\.json, 0: must be object/, () => [1]],
  ['specifications.json', /specifications\.json, 0: must be object/, () => [null]],
] // prettier-ignore

/** Pages nested in each other. */
function tower(said: any[], levels: number): void {
  let parent = '00000000-0000-0000-0000-000000000000'
  for (let level = 0; level < levels; level++) {
    const entry = newId()
    said.push({ ...called(said, 'Everything'), entry, parent, slug: 'tower', data: called(said, 'Everything').data })
    parent = entry
  }
}

test('invalid content in an archive is refused with the file, the line and the field, and nothing is changed', async () => {
  for (const [name, said, change] of wrong) {
    const message = await refusalOf(await changed(name, change))
    assert.match(message, said)
    assert.match(message, /^The archive cannot be restored: in .*\. Nothing was changed\.$/)
  }
})

test('pages on 100 levels, the most there may be, are restored and shown', async () => {
  const to = await anOrganization(app)
  await archives.restore(await changed('entries.jsonl', (said) => tower(said, 100)), to.id)
  const { basename } = await app.db.one(sql<{ basename: string }>`
    select basename from sites where organization_id = ${to.id}`)
  const path = Array<string>(100).fill('tower').join('/')
  assert.equal((await fetch(`${app.url}/sites/${to.row.hostname}/${basename}/${path}`)).status, 200)
})

test('comments of non-members are restored as posts of the administrator that name the author', async () => {
  const to = await anOrganization(app)
  const stranger = await aStranger(app)
  const { email } = await app.db.one(sql<{ email: string }>`select email from users where id = ${stranger.id}`)
  await app.db.run(sql`update users set email_verified = true where id = ${stranger.id}`)
  const file = await changed('people.json', (said) => {
    for (const person of said) Object.assign(person, { email, displayName: 'Somebody else' })
  })
  const { spaces } = await archives.restore(file, to.id)
  const { items } = expect(await to.admin.client.get(`/v1/spaces/${spaces[0]!.id}/comments`), 200)
  assert.deepEqual(
    items.map(({ postedBy, body, replies }: any) => [postedBy.id, body.markdown, replies]),
    [[to.admin.id, '**Somebody else** wrote:\n\nWhat a page', 1]],
  )
})
