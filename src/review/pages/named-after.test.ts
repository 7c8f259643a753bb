// What a change request that begins with a new page is called, and what it shows while it is empty.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aSite, expect } from '../../../test/visitor.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp()

/** A user who chose “Add a page”, and the change request that was created by that. */
async function aBeginner() {
  const site = await aSite(app)
  const author = await signedIn(app, await site.org.member('create'))
  const space = `/app/o/${site.org.id}/s/${site.space.id}`
  const edits = { page: 'new', change: '' }
  const asked = await author.follow(await author.submit(await author.get(space), `${space}/~/edits`, edits))
  const path = `${space}/~/changes/1`
  const add = async (title: string) => {
    const fields = { title, kind: 'document', address: '', below: '' }
    return author.follow(await author.submit(await author.get(`${path}/pages/new`), `${path}/pages`, fields))
  }
  const subject = async () => expect(await site.who.get(`${site.space.path}/change-requests/1`), 200).subject
  return { site, author, asked, path, add, subject }
}

test('a change request that begins with a new page is named after it until someone sets another subject', async () => {
  const { author, asked, path, add, subject } = await aBeginner()
  assert.equal(asked.status, 200)
  assert.equal(await subject(), 'New page')
  const page = await add('Tea & cups')
  assert.equal(await subject(), 'Add Tea & cups')
  const at = /action="([^"]*\/pages\/[0-9a-f-]{36})"/.exec(page.text)![1]!
  await author.submit(page, at, { text: '# Tea alone\n\nHot.\n' })
  assert.equal(await subject(), 'Add Tea alone')
  await add('Coffee')
  assert.equal(await subject(), 'Add Tea alone')
  await author.submit(await author.get(path), `${path}/about`, { subject: 'Drinks', description: '' })
  await author.submit(await author.get(at), at, { text: '# Tea again\n\nHot.\n' })
  assert.equal(await subject(), 'Drinks')
})

test('a title that is too long is shortened in the subject of the change request', async () => {
  const { add, subject } = await aBeginner()
  await add('Tea '.repeat(25).trim())
  assert.ok([...(await subject())].length <= 100)
  assert.match(await subject(), /^Add Tea Tea/)
})

test('an empty change request says that there is nothing to merge, and still offers to merge', async () => {
  const { author, path, add } = await aBeginner()
  const words = /There is nothing to merge yet/
  const empty = await author.get(path)
  assert.match(empty.text, words)
  assert.match(empty.text, /<button class="btn ?">Merge into main content/)
  await add('Tea')
  assert.doesNotMatch((await author.get(path)).text, words)
})
