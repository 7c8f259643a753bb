// Reusable contents, edited in a browser without scripts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../../test/editing.ts'
import { aStranger } from '../../../test/factories.ts'
import { tokenIn } from '../../account/testing/person.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp()

const insertion = (title: string, markdown: string) => ({
  operation: 'insert_reusable_content',
  title,
  document: { markdown },
})

const including = (id: string) => `{% include "/reusable-contents/${id}" %}`

/** Creates a space with a change request, and a user who may edit it. */
async function anAuthor() {
  const space = await aLiveSpace(app)
  const request = await space.changeRequest()
  const author = await signedIn(app, await space.org.member('edit'))
  const home = `/app/o/${space.org.id}/s/${space.id}`
  const path = `${home}/~/changes/1`
  const contents = async () => (await space.who.get(`${request.path}/content`)).body.reusableContents as any[]
  const markdownOf = async (id: string) =>
    (await space.who.get(`${request.path}/content/reusable-contents/${id}?format=markdown`)).body.markdown as string
  return { space, request, author, home, path, list: `${path}/~/reusable-contents`, contents, markdownOf }
}

test('a reusable content is created in a space, written, renamed and included, and reviewers see its text', async () => {
  const { space, author, home } = await anAuthor()
  const overview = await author.get(home)
  assert.ok(overview.text.includes(`${home}/~/reusable-contents`))
  const none = await author.get(`${home}/~/reusable-contents`)
  assert.match(none.text, /None yet/)
  const begun = await author.submit(none, `${home}/~/edits`, { reusable: 'new', change: '' })
  assert.match(begun.location!, /\/~\/changes\/2\/~\/reusable-contents$/)
  const list = begun.location!
  const path = list.replace('/~/reusable-contents', '')
  const made = await author.submit(await author.follow(begun), list, { title: '  Safety note ' })
  const editor = made.location!
  const empty = await author.follow(made)
  assert.match(empty.text, /The reusable content as Markdown/)
  assert.doesNotMatch(empty.text, /Move this page/)

  const looked = await author.submit(empty, editor, { text: '## Hot\n\nMind the *steam*.\n' }, {}, `${editor}/preview`)
  assert.match(looked.text, /Preview \(not saved yet\)/)
  assert.match(looked.text, /Mind the <em>steam<\/em>/)
  const saved = await author.submit(empty, editor, { text: '## Hot\n\nMind the *steam*.\n' })
  const review = await author.follow(saved)
  assert.match(review.text, /Saved in this change request/)
  assert.match(review.text, /New reusable content<\/span> <strong>Safety note<\/strong>/)
  assert.match(review.text, /<code>Mind the \*steam\*\.<\/code>/)
  assert.ok(review.text.includes(`href="${editor}" aria-label="Edit Safety note"`))

  const renaming = await author.get(`${editor}/title`)
  const listed = await author.follow(await author.submit(renaming, `${editor}/title`, { title: 'Steam' }))
  assert.match(listed.text, /Renamed\./)
  assert.match(listed.text, />Steam<\/a> <span class="row-more">not included anywhere/)
  const [, line] = /<code>(\{% include [^<]+%\})<\/code>/.exec(listed.text)!
  const asCopied = line!.replaceAll('&quot;', '"')

  const own = `${space.path}/change-requests/2`
  const page = { operation: 'insert_page', document: { markdown: `# Tea\n\n${asCopied}\n` } }
  assert.equal((await space.who.post(`${own}/content`, { changes: [page] })).status, 200)
  assert.match((await author.get(`${path}/tea`)).text, /Mind the <em>steam<\/em>/)
  assert.match((await author.get(list)).text, /included by 1 page</)
  assert.equal((await space.who.post(`${own}/merge`, {})).status, 200)

  const live = await author.get(`${home}/~/reusable-contents`)
  assert.match(live.text, /included by 1 page</)
  const id = editor.split('/').at(-1)!
  const read = await author.get(`${home}/~/reusable-contents/${id}`)
  assert.match(read.text, /Mind the <em>steam<\/em>/)
  assert.ok(read.text.includes(`<a href="${home}/tea">Tea</a>`))
  const again = await author.submit(read, `${home}/~/edits`, { reusable: id })
  assert.match(again.location!, new RegExp(`/~/changes/3/~/reusable-contents/${id}$`))
  assert.match((await author.follow(again)).text, /Mind the \*steam\*\./)
})

test('deleting a reusable content first says where it is included, and asks again if that has changed', async () => {
  const { space, request, author, list, contents } = await anAuthor()
  const [note, outer] = idsOf(await request.edit(insertion('Note', 'Hot!\n'), insertion('Outer', '')))
  const pageWith = (title: string) => ({
    operation: 'insert_page',
    document: { markdown: `# ${title}\n\n${including(note!)}\n` },
  })
  await request.edit(pageWith('Tea'))
  const path = `${list}/${note}/delete`
  const asked = await author.get(path)
  assert.match(asked.text, /included by 1 page\. Delete its line there/)
  assert.match(asked.text, />Tea<\/a>/)
  await request.edit(pageWith('Cups'), {
    operation: 'update_reusable_content',
    reusableContent: outer,
    document: { markdown: including(note!) },
  })
  const refused = await author.submit(asked, path)
  assert.equal(refused.status, 409)
  assert.match(refused.text, /have changed in the meantime/)
  assert.match(refused.text, /included by 2 pages and 1 reusable content\./)
  const deleted = await author.follow(await author.submit(refused, path))
  assert.match(deleted.text, /Reusable content deleted in this change request/)
  assert.deepEqual(
    (await contents()).map(({ title }) => title),
    ['Outer'],
  )
  // The main content is unchanged.
  assert.equal((await space.who.get(`${space.path}/content`)).body.reusableContents.length, 0)
  assert.equal((await author.get(path)).status, 404)
})

test('newer changes by others are not overwritten: an outdated text is handed back, an outdated title is refused', async () => {
  const { request, author, list, markdownOf, contents } = await anAuthor()
  const [note] = idsOf(await request.edit(insertion('Note', 'One\n')))
  const editor = `${list}/${note}`
  const [text, title] = [await author.get(editor), await author.get(`${editor}/title`)]
  const update = { operation: 'update_reusable_content', reusableContent: note }
  await request.edit({ ...update, title: 'Theirs', document: { markdown: 'Two\n' } })
  const refused = await author.submit(text, editor, { text: 'Mine\n' })
  assert.equal(refused.status, 409)
  assert.match(refused.text, /Somebody has changed the same part of this reusable content since you opened it/)
  assert.match(refused.text, /<textarea name="text"[^>]*>\nMine/)
  const renamed = await author.submit(title, `${editor}/title`, { title: 'Mine' })
  assert.match(renamed.text, /Somebody has renamed it/)
  assert.equal(await markdownOf(note!), 'Two\n')
  assert.equal((await contents())[0].title, 'Theirs')
})

test('a conflict in the text of a reusable content is resolved by hand in its editor', async () => {
  const { space, author, path } = await anAuthor()
  const [note] = idsOf(await space.edit(insertion('Note', 'One\n')))
  const request = await space.changeRequest()
  const update = (markdown: string) => ({
    operation: 'update_reusable_content',
    reusableContent: note,
    document: { markdown },
  })
  await request.edit(update('Ours\n'))
  await space.edit(update('Theirs\n'))
  const own = path.replace(/1$/, '2')
  const shown = await author.get(own)
  await author.submit(shown, `${own}/update`)
  const conflicts = await author.get(`${own}/conflicts`)
  const editor = `${own}/~/reusable-contents/${note}`
  assert.ok(conflicts.text.includes(`href="${editor}">Edit by hand`))
  const torn = await author.get(editor)
  assert.match(torn.text, /This text is in conflict/)
  const settled = await author.follow(await author.submit(torn, editor, { text: 'Both\n' }))
  assert.match(settled.text, /All conflicts are resolved/)
})

test('readers find reusable contents but cannot change them, and strangers cannot see the space', async () => {
  const { space, author, home, list } = await anAuthor()
  const [note] = idsOf(await space.edit(insertion('Note', 'Hot!\n'), newPage('Tea')))
  const reader = await signedIn(app, await space.org.member('read'))
  const shown = await reader.get(`${home}/~/reusable-contents`)
  assert.match(shown.text, />Note<\/strong>/)
  assert.doesNotMatch(shown.text, /name="reusable"/)
  assert.match((await reader.get(`${home}/~/reusable-contents/${note}`)).text, /Hot!/)
  const form = await author.get(list)
  const theirs = tokenIn(await reader.get('/account'))
  for (const path of [list, `${list}/${note}/title`, `${list}/${note}/delete`, `${list}/${note}`]) {
    const refused = await reader.post(path, { ...theirs, title: 'x', text: 'x', seen: 'x' })
    assert.equal(refused.status, 403, path)
  }
  assert.equal((await reader.get(list)).status, 403)
  assert.equal(form.status, 200)
  const stranger = await signedIn(app, await aStranger(app))
  for (const path of [`${home}/~/reusable-contents`, `${home}/~/reusable-contents/${note}`, list])
    assert.doesNotMatch((await stranger.get(path)).text, /Note/, path)
  assert.doesNotMatch((await author.get(`${home}/~/reusable-contents/${space.id}`)).text, /Edit this/)
})

test('a reusable content needs a title that is not too long, and a double click creates one', async () => {
  const { author, list, contents } = await anAuthor()
  const page = await author.get(list)
  for (const title of [' ', 'x'.repeat(501)]) {
    const refused = await author.submit(page, list, { title })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /needs a title of at most 500 characters/)
  }
  const [first, second] = [
    await author.submit(page, list, { title: 'Note' }),
    await author.submit(page, list, { title: 'Note' }),
  ]
  assert.equal(first.location, second.location)
  assert.equal((await contents()).length, 1)
})
