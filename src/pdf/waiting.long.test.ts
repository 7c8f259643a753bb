// What readers of a site see while a PDF is being made, and when it cannot be made.
import assert from 'node:assert/strict'
import { inflateSync } from 'node:zlib'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../test/app.ts'
import { until } from '../../test/until.ts'
import { type Page, aSite, expect } from '../../test/visitor.ts'
import { findPress } from './testing/pressing.ts'

const app = await startApp()

async function aSiteToPrint(markdown = '# Welcome\n\nText.\n') {
  const site = await aSite(app, { pages: [{ operation: 'insert_page', document: { markdown } }] })
  const fetchPdf = (headers: Record<string, string> = {}) =>
    site.browser().get(`${site.address}~/pdf`, { headers: { accept: 'text/html,*/*', ...headers } })
  return { site, fetchPdf, open: () => fetchPdf({ 'sec-fetch-dest': 'document' }) }
}

/** Makes the press start by requesting a PDF. */
async function startPress(): Promise<number> {
  const { fetchPdf } = await aSiteToPrint()
  assert.equal((await fetchPdf()).status, 200)
  return findPress()!
}

const isPdf = ({ status, headers }: Page) => status === 200 && headers['content-type'] === 'application/pdf'

test('a reader who opens a PDF that is not ready sees its progress and then the PDF, and programs wait for it', async () => {
  const { open, fetchPdf } = await aSiteToPrint()
  const press = await startPress()
  process.kill(press, 'SIGSTOP')
  const waiting = fetchPdf()
  try {
    const { status, headers, text } = await open()
    assert.deepEqual([status, headers['cache-control']], [202, 'private, no-store'])
    assert.match(text, /<meta http-equiv="refresh" content="2" \/>/)
    assert.match(text, /<h1>The PDF is being created<\/h1>\s*<p>All pages have been read\. Laying out the pages\./)
  } finally {
    process.kill(press, 'SIGCONT')
  }
  assert.ok(isPdf(await waiting))
  assert.ok(isPdf(await open()))
})

/** Asks while the press is killed again and again, so that nothing can be printed. */
async function failing<Result>(ask: () => Promise<Result>): Promise<Result> {
  const state = { isAnswered: false }
  const asked = ask().finally(() => (state.isAnswered = true))
  while (!state.isAnswered) {
    const press = findPress()
    if (press !== undefined) process.kill(press, 'SIGKILL')
    await sleep(1)
  }
  return asked
}

test('the progress of a PDF is shown in the language of the pages', async () => {
  const { site, open } = await aSiteToPrint()
  expect(await site.who.patch(site.space.path, { language: 'de' }), 200)
  const press = await startPress()
  process.kill(press, 'SIGSTOP')
  try {
    const { text } = await open()
    assert.match(text, /<html lang="de" dir="ltr">[^]*<h1>Das PDF wird erstellt<\/h1>\s*<p>Alle Seiten sind gelesen/)
  } finally {
    process.kill(press, 'SIGCONT')
  }
  assert.ok(isPdf(await open()))
})

test('if a PDF cannot be made, readers and programs are told what to do instead', async () => {
  const { site, open } = await aSiteToPrint()
  const { url } = (await site.who.get(`${site.space.path}/pdf`)).body
  const { status, text } = await failing(open)
  assert.equal(status, 500)
  assert.match(
    text,
    /<h1>This PDF could not be created<\/h1>\s*<p>It is too large, [^<]* print the page from your browser\.</,
  )
  assert.ok(text.includes(`<a class="btn" href="${site.address}">Back to the pages</a>`), text)

  const { pathname, search } = new URL(url)
  const answer = await failing(() => fetch(app.url + pathname + search))
  assert.equal(answer.status, 500)
  assert.match(JSON.stringify(await answer.json()), /"This PDF could not be created: it is too large, /)
  await until('it is made the next time', async () => isPdf(await open()))
})

test('a slow failed PDF is not tried again for each request, and other PDFs are still made', async () => {
  const { fetchPdf, open } = await aSiteToPrint()
  const press = await startPress()
  process.kill(press, 'SIGSTOP')
  const first = fetchPdf()
  await sleep(3000)
  assert.equal((await failing(() => first)).status, 500)
  // At this point it could be made, but no request makes it.
  assert.equal(findPress(), undefined)
  for (const ask of [fetchPdf, () => fetchPdf({ prefer: 'respond-async' }), open])
    assert.equal((await ask()).status, 500)
  assert.equal(findPress(), undefined)
  assert.ok(await startPress())
})

test('a PDF that failed is made again when it is requested much later', async (t) => {
  const { fetchPdf } = await aSiteToPrint()
  assert.equal((await failing(() => fetchPdf())).status, 500)
  const now = performance.now.bind(performance)
  t.mock.method(performance, 'now', () => now() + 3_600_000)
  const asked = () => fetchPdf({ prefer: 'respond-async' })
  assert.equal((await asked()).status, 202)
  await until('it is made', async () => (await asked()).status === 200)
})

test('lines of code are numbered in the PDF where they are on the page', async () => {
  /** Returns how many pieces of text a file draws. */
  const drawn = async (attributes: string) => {
    const code = `{% code ${attributes} %}\n\`\`\`\n${'line\n'.repeat(12)}\`\`\`\n{% endcode %}\n`
    const { site } = await aSiteToPrint(`# Code\n\n${code}`)
    const { url } = (await site.who.get(`${site.space.path}/pdf`)).body
    const { pathname, search } = new URL(url)
    const bytes = Buffer.from(await (await fetch(app.url + pathname + search)).arrayBuffer())
    const raw = bytes.toString('latin1')
    let pieces = 0
    for (const { index } of raw.matchAll(/\bstream\n/g)) {
      try {
        const stream = inflateSync(bytes.subarray(index + 'stream\n'.length)).toString('latin1')
        pieces += [...stream.matchAll(/\bT[jJ]\b/g)].length
      } catch {
        // The stream is packed in another way, so it contains no text.
      }
    }
    return pieces
  }
  assert.equal((await drawn('lineNumbers="true"')) - (await drawn('lineNumbers="false"')), 12)
})
