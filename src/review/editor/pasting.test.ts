// What is pasted into the text of a page, and what it can link to: the endpoints that the script of the editor uses.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../../test/editing.ts'
import { Person } from '../../account/testing/person.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'
import { mostPastedBytes } from './paste.routes.ts'

const app = await startApp()

async function aWriter() {
  const space = await aLiveSpace(app)
  const request = await space.changeRequest()
  const path = `/app/o/${space.org.id}/s/${space.id}/~/changes/1`
  const writer = await signedIn(app, await space.org.member('edit'))
  return { space, request, path, writer }
}

test('content pasted from another program comes back as Markdown and is not stored', async () => {
  const { path, writer, request } = await aWriter()
  const page = await writer.get(`${path}/pages/new`)
  const paste = async (html: string) => {
    const { status, text } = await writer.submit(page, `${path}/pages`, { html }, {}, `${path}/~/pasted`)
    return [status, text]
  }
  assert.deepEqual(await paste('<h2>Tea</h2><p>For <b>two</b></p>'), [200, '## Tea\n\nFor **two**'])
  assert.deepEqual(await paste(''), [200, ''])
  // Content that crashes the reader is refused, and the next one is read.
  assert.equal((await paste('<b>'.repeat(50_000)))[0], 400)
  assert.deepEqual(await paste('<p>x</p>'), [200, 'x'])
  assert.equal((await paste('x'.repeat(mostPastedBytes + 1)))[0], 400)
  assert.equal(await request.outline(), '')
})

test('a paste reader that died is replaced for the next paste, even before its end is noticed', async () => {
  const { path, writer } = await aWriter()
  const page = await writer.get(`${path}/pages/new`)
  const paste = async () =>
    (await writer.submit(page, `${path}/pages`, { html: '<b>x</b>' }, {}, `${path}/~/pasted`)).text
  assert.equal(await paste(), '**x**')
  const readers = () => childrenOf(process.pid).filter((pid) => commandOf(pid).includes('imports/reader/reader.ts'))
  assert.equal(readers().length, 1)
  for (const pid of readers()) process.kill(pid, 'SIGKILL')
  assert.equal(await paste(), '**x**')
})

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

/** Returns an empty text for a process that has ended in the meantime. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

test('pasted content is converted only for people who may write there, with a valid form', async () => {
  const { path, space, writer } = await aWriter()
  const form = { html: '<b>x</b>' }
  const reader = await signedIn(app, await space.org.member('read'))
  assert.equal((await reader.post(`${path}/~/pasted`, form)).status, 403)
  assert.equal((await writer.post(`${path}/~/pasted`, form)).status, 403)
  assert.notEqual((await new Person(app).post(`${path}/~/pasted`, form)).status, 200)
  assert.equal((await reader.get(`${path}/~/links`)).status, 403)
})

test('the pages of a change request are listed with a line that links to each, and the line works', async () => {
  const { path, writer, request, space } = await aWriter()
  const [pots] = idsOf(
    await request.edit(newPage('Pots [1]'), { operation: 'insert_page', type: 'group', title: 'Sets' }),
  )
  const list = await writer.get(`${path}/~/links`)
  const lines = [...list.text.matchAll(/<pre><code>(.*?)<\/code>/g)].map(([, line]) => line)
  assert.deepEqual(lines, ['[Pots \\[1\\]](/pots-1.md)'])
  const markdown = `# Cups\n\nSee ${lines[0]}.\n`
  const [cups] = idsOf(await request.edit({ operation: 'insert_page', document: { markdown } }))
  const address = `${request.path}/content/page/${cups}?format=markdown&format.markdown.refs=stable`
  assert.ok((await space.who.get(address)).body.markdown.includes(pots))
  assert.match((await writer.get(`${path}/~/links?find=cups`)).text, /\[Cups\]\(\/cups\.md\)/)
  assert.match((await writer.get(`${path}/~/links?find=nothing`)).text, /No title contains these words/)
})
