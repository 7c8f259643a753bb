// A space as a file, with a browser that runs no script.
import assert from 'node:assert/strict'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../../test/editing.ts'
import { aStranger } from '../../../test/factories.ts'
import { until } from '../../../test/until.ts'
import { type Person, unescaped, tokenIn } from '../../account/testing/person.ts'
import { sql } from '../../db/sql.ts'
import { pdfFolder } from '../../pdf/pdfs.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp()

async function aSpace() {
  const space = await aLiveSpace(app)
  const [tea] = idsOf(await space.edit(newPage('Tea')))
  const home = `/app/o/${space.org.id}/s/${space.id}`
  return { space, home, page: `${home}/~/download`, tea: tea! }
}

/** Waits for a PDF as a person does, on a page that reloads itself. */
async function untilMade(person: Person, path: string): Promise<string> {
  let shown = await person.get(path)
  await until('the PDF is made', async () => {
    shown = await person.get(path)
    if (shown.text.includes('Open the PDF')) return true
    assert.match(shown.text, /<meta http-equiv="refresh"/)
    assert.match(shown.text, /role="status">\s*(?:Looking for pages|Pages read: \d+ of \d+|All pages have been read)/)
    return false
  })
  assert.doesNotMatch(shown.text, /http-equiv="refresh"/)
  const [, address] = /<a class="btn primary" href="([^"]+)"[^>]*>Open the PDF/.exec(shown.text)!
  const { pathname, search } = new URL(unescaped(address!))
  return pathname + search
}

test('a reader of a space can create a PDF of it, sees its progress, and can open it when it is ready', async () => {
  const { space, home, page } = await aSpace()
  const reader = await signedIn(app, await space.org.member('read'))
  assert.ok((await reader.get(home)).text.includes(`href="${page}"`))
  const shown = await reader.get(page)
  assert.match(shown.text, /Create PDF/)
  assert.doesNotMatch(shown.text, /Open the PDF|Download zip/)
  const begun = await reader.submit(shown, `${home}/~/pdf`)
  assert.equal(begun.location, `${page}?done=pdf`)
  const address = await untilMade(reader, begun.location)
  assert.match((await reader.get(address)).text, /^%PDF-/)
  // The PDF is available to others as well, until the pages change.
  const other = await signedIn(app, await space.org.member('read'))
  assert.match((await other.get(page)).text, /Open the PDF/)
  await space.edit(newPage('Cups'))
  assert.match((await other.get(page)).text, /Create PDF/)
})

test('a change request can be downloaded as a PDF while it is open, and its PDF page still works once it is merged', async () => {
  const { space, home } = await aSpace()
  const request = await space.changeRequest()
  await request.edit(newPage('Cups'))
  const path = `${home}/~/changes/1`
  const reader = await signedIn(app, await space.org.member('read'))
  assert.ok((await reader.get(path)).text.includes(`href="${path}/~/pdf"`))
  const begun = await reader.submit(await reader.get(`${path}/~/pdf`), `${path}/~/pdf`)
  const address = await untilMade(reader, begun.location!)
  assert.match((await reader.get(address)).text, /^%PDF-/)
  assert.equal((await space.who.post(`${request.path}/merge`, {})).status, 200)
  assert.match((await reader.get(`${path}/~/pdf`)).text, /Open the PDF|Create PDF/)
})

test('people who manage a space download it as a zip, which is an export in the API, and see that it was sent', async () => {
  const { space, home, page } = await aSpace()
  const keeper = await signedIn(app, space.org.admin)
  const shown = await keeper.get(page)
  assert.match(shown.text, /Download zip/)
  assert.doesNotMatch(shown.text, /Your last downloads/)
  const sent = await keeper.submit(shown, `${home}/~/export`)
  assert.equal(sent.status, 200)
  assert.equal(sent.headers.get('content-type'), 'application/zip')
  assert.match(sent.headers.get('content-disposition')!, /^attachment; filename="[^"]+\.zip"/)
  assert.equal(sent.headers.get('cache-control'), 'private, no-store')
  assert.match(sent.text, /^PK/)
  assert.match(sent.text, /manifest\.json/)
  await until('it is sent', async () => (await keeper.get(page)).text.includes('>sent</span>'))
  const id = sent.headers.get('lectern-export')
  const run = (await space.who.get(`/v1/orgs/${space.org.id}/exports/${id}`)).body
  assert.deepEqual([run.status, run.target.space], ['completed', space.id])

  // A download under way shows its progress.
  await app.db.run(sql`update export_runs set status = 'in-progress', completed_at = null, files = 2, total_files = 9,
    updated_at = now() where id = ${id}`)
  const under = await keeper.get(page)
  assert.match(under.text, /2 of about 9 files[^]*under way/)
  assert.match(under.text, /http-equiv="refresh"/)
})

test('people who can only edit a space cannot export it, and strangers find nothing to download', async () => {
  const { space, home, page } = await aSpace()
  const author = await signedIn(app, await space.org.member('edit'))
  const shown = await author.get(page)
  assert.doesNotMatch(shown.text, /Download zip/)
  const { form } = tokenIn(shown)
  const refused = await author.post(`${home}/~/export`, { form: form })
  assert.equal(refused.status, 403)
  assert.match(refused.text, /role="alert"/)
  const keeper = await signedIn(app, space.org.admin)
  assert.equal((await keeper.post(`${home}/~/export`, { form: 'x' })).status, 403)
  const stranger = await signedIn(app, await aStranger(app))
  assert.doesNotMatch((await stranger.get(page)).text, /PDF/)
})

test('a page can be made a PDF, alone or with the pages below it, from the space and from a change request', async () => {
  const { space, home, page, tea } = await aSpace()
  const [cups] = idsOf(await space.edit(newPage('Cups')))
  assert.equal((await space.edit(newPage('Large', { into: tea }))).status, 200)
  const reader = await signedIn(app, await space.org.member('read'))
  const ofPage = `${page}?page=${tea}`
  assert.ok((await reader.get(`${home}/tea`)).text.includes(`href="${ofPage}"`))
  const shown = await reader.get(ofPage)
  assert.match(shown.text, /<h1>Download “Tea”<\/h1>/)
  assert.match(shown.text, /Create PDF: PDF of this page[^]*Create PDF: PDF with the pages below it/)
  assert.doesNotMatch(shown.text, /Download zip/)
  const { form } = tokenIn(shown)
  const begin = (more: Record<string, string>) => reader.post(`${home}/~/pdf`, { form: form, ...more })
  const alone = await begin({ page: tea, only: 'true' })
  assert.equal(alone.location, `${page}?done=pdf&page=${tea}&only=true`)
  const address = await untilMade(reader, alone.location)
  assert.match(address, /\/tea\.pdf\?page=[^&]+&only=true/)
  assert.match((await reader.get(address)).text, /^%PDF-/)
  const both = await begin({ page: tea })
  assert.equal(both.location, `${page}?done=pdf&page=${tea}`)
  await until('both are made', async () => (await reader.get(both.location!)).text.split('Open the PDF').length === 5)
  // A page without pages below it is offered only once, and an unknown page not at all. Pages that are not for
  // everybody are not printed.
  const vault = { ...newPage('Vault', { into: cups! }), metadata: { condition: 'visitor.claims.isRich == true' } }
  const attic = { ...newPage('Attic', { into: cups! }), metadata: { hidden: true } }
  assert.equal((await space.edit(vault, attic)).status, 200)
  assert.doesNotMatch((await reader.get(`${page}?page=${cups}`)).text, /pages below it/)
  for (const refused of [await reader.get(`${page}?page=x`), await begin({ page: 'x' })]) {
    assert.equal(refused.status, 404)
    assert.match(refused.text, /role="alert"/)
  }

  const request = await space.changeRequest()
  const path = `${home}/~/changes/1`
  await request.edit(newPage('Pots'))
  const pots = /\/~\/pdf\?page=[^"]+/.exec((await reader.get(`${path}/pots`)).text)![0]
  const offered = await reader.get(path + pots)
  assert.match(offered.text, /PDF of “Pots”/)
  const made = await untilMade(reader, (await reader.submit(offered, `${path}/~/pdf`)).location!)
  assert.match((await reader.get(made)).text, /^%PDF-/)
  assert.equal((await reader.get(`${path}/~/pdf?page=x`)).status, 404)
})

test('looking at the PDF page never starts a PDF, with any query', async () => {
  const { space, home, page } = await aSpace()
  await space.changeRequest()
  const reader = await signedIn(app, await space.org.member('read'))
  const change = `${home}/~/changes/1/~/pdf`
  for (const path of [page, `${page}?done=pdf`, `${page}?done=pdf&page=x&page=y`, change, `${change}?done=pdf`]) {
    const shown = await reader.get(path)
    assert.equal(shown.status, 200)
    assert.doesNotMatch(shown.text, /http-equiv="refresh"|role="status">\s*\S/)
    for (const { status } of [
      (await space.who.get(`${space.path}/pdf`)).body,
      (await space.who.get(`${space.path}/change-requests/1/pdf`)).body,
    ])
      assert.equal(status, 'absent')
  }
  // Another node may have been asked to make it, so there is still a link to it.
  assert.match((await reader.get(`${page}?done=pdf`)).text, /Open the PDF[^]*It is created while you wait/)
})

test('a PDF that cannot be made is shown as failed, and can be tried again', async () => {
  const { space, home, page } = await aSpace()
  const reader = await signedIn(app, await space.org.member('read'))
  // Makes the folder for PDF files unusable.
  const folder = pdfFolder(app.app.config)
  await mkdir(folder, { recursive: true })
  await rename(folder, `${folder}-away`)
  await writeFile(folder, '')
  let shown = await reader.follow(await reader.submit(await reader.get(page), `${home}/~/pdf`))
  await until('it has failed', async () => {
    if (shown.text.includes('The PDF could not be created')) return true
    shown = await reader.get(`${page}?done=pdf`)
    return false
  })
  assert.equal(shown.status, 200)
  assert.doesNotMatch(shown.text, /http-equiv="refresh"|EEXIST|ENOTDIR/)
  await rm(folder)
  await rename(`${folder}-away`, folder)
  await untilMade(reader, (await reader.submit(shown, `${home}/~/pdf`)).location!)
})
