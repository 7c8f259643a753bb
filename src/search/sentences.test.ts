import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace } from '../../test/editing.ts'
import { search, titles, written } from './testing/asking.ts'

const app = await startApp()

const filler = 'All that is said here is said elsewhere, at more length and in other words. '.repeat(20)

test('a search for a command-line option ranks pages with that option before pages with only its word', async () => {
  const space = await aLiveSpace(app)
  await space.edit(
    written('Resolving names', `How a resolver resolves. ${filler}`),
    written('Tricks', `${filler} Give \`--resolve\` an address, and --connect-to another one, or \`-k\`.`),
    written('Connections', 'Connect, and be connected.'),
    written('K', 'The letter K.'),
  )
  assert.deepEqual(await titles(space, '--resolve'), ['Tricks', 'Resolving names'])
  assert.equal((await titles(space, 'resolve'))[0], 'Resolving names')
  assert.equal((await titles(space, '--connect-to'))[0], 'Tricks')
  assert.deepEqual(await titles(space, '-k'), ['Tricks'])
  assert.equal((await titles(space, 'k'))[0], 'K')
  // An option that is unfinished or that no page contains still finds pages with its word.
  assert.equal((await titles(space, '--resol'))[0], 'Resolving names')
  assert.deepEqual(await titles(space, '--letter'), ['K'])
})

test('a name that includes a stop word, like NO_PROXY, is found as a whole', async () => {
  const space = await aLiveSpace(app)
  await space.edit(
    written('Proxy', 'A proxy is a proxy.'),
    written('Variables', `${filler} Set NO_PROXY to a list of hosts that need none.`),
  )
  assert.deepEqual(await titles(space, 'NO_PROXY'), ['Variables', 'Proxy'])
})

test('among pages that mention a name, one with a word of that name in its title comes first', async () => {
  const space = await aLiveSpace(app)
  const called = 'Here we call easy_global_perform. '
  await space.edit(
    written('An example', called.repeat(2)),
    written('How to perform', called),
    written('Another example', called.repeat(2)),
  )
  assert.equal((await titles(space, 'easy_global_perform'))[0], 'How to perform')
})

test('a search for a sentence also finds pages that lack one of its words, after pages that have them all', async () => {
  const space = await aLiveSpace(app)
  await space.edit(
    written('Cookies', `Read cookies from a file. The response is kept in memory for a while. ${filler}`),
    written('Get a response into memory', 'Write a callback.'),
    written('Memory', 'Where the response goes.'),
  )
  const found = await titles(space, 'how to read a response into memory')
  assert.deepEqual(found.toSorted(), ['Cookies', 'Get a response into memory', 'Memory'])
  assert.ok(found.indexOf('Cookies') < found.indexOf('Memory'))
  // No quoted term is left out, and no word of a query of two words.
  assert.deepEqual(await titles(space, 'read "a response" memory'), ['Cookies'])
  assert.deepEqual(await titles(space, 'read response'), ['Cookies'])

  const seen: string[] = []
  let next: string | undefined = ''
  while (next !== undefined) {
    const body: any = await search(space, 'read a response into memory', `&limit=1${next && `&page=${next}`}`)
    assert.equal(body.count, 3)
    seen.push(...body.items.map(({ title }: any) => title))
    next = body.next?.page && encodeURIComponent(body.next.page)
  }
  assert.deepEqual(seen, await titles(space, 'read a response into memory'))
})

test('a search for an error message finds the page that contains it word for word first', async () => {
  const space = await aLiveSpace(app)
  await space.edit(
    written('Timeouts', `## Connect to a host\n\nIt failed. Hosts fail to connect, and connections to hosts failed.`),
    written('Codes', `${filler} Failed to connect to host. ${filler}`),
  )
  for (const query of ['Failed to connect to host', 'failed to connect to host:'])
    assert.equal((await titles(space, query))[0], 'Codes', query)
})

test("numbers of an ordered list are found by search and shown in the result's text", async () => {
  const space = await aLiveSpace(app)
  await space.edit(
    written('Exit codes', 'What is returned:\n\n27. Out of memory.\n\n28. Too slow.\n\n    1. Or too far away.'),
    written('Exits', 'Code of an exit.'),
  )
  const { items } = await search(space, 'exit code 28')
  assert.deepEqual(items[0].title, 'Exit codes')
  assert.equal(items[0].sections[0].body, 'What is returned: 27. Out of memory. 28. Too slow. 1. Or too far away.')
})
