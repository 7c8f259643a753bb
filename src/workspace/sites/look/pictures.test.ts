// Logos and icons of a site, uploaded in a browser that runs no scripts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../../test/app.ts'
import { png } from '../../../../test/every-content.ts'
import { expect } from '../../../../test/visitor.ts'
import { newId } from '../../../ids.ts'
import { signedIn } from '../../../sessions/testing/signed-in.ts'

import { aKeeper, refused } from '../testing/keeper.ts'

const app = await startApp()

test('an uploaded logo is shown to readers at once, and is gone after it is deleted', async () => {
  const { org, who, api, keeper, path, reader, address, look } = await aKeeper(app)
  const at = `${path}/pictures`
  const picture = Buffer.from(png, 'base64')
  const opened = await keeper.get(at)
  const send = (use: string, name: string, bytes: string | Buffer<ArrayBuffer>, who = keeper) =>
    who.submitFiles(opened, at, { use }, [[name, bytes]])
  const [one, two] = await Promise.all([1, 2].map(() => send('logo', 'Tea & “cups”.png', picture)))
  assert.deepEqual([one!.status, two!.status, one!.location], [303, 303, `${at}?done=picture`])
  const listed = await keeper.get(at)
  assert.equal(listed.text.match(/<img class="work-picture"/g)?.length, 1)
  assert.match(listed.text, /Tea &amp; “cups”\.png<\/strong>[^]*the logo</)
  const { header } = await look()
  assert.equal(header.logo.light, header.logo.dark)
  const { pathname } = new URL(header.logo.light)
  assert.ok((await reader.get(address)).text.includes(pathname))
  assert.equal((await reader.get(pathname)).status, 200)

  // The address of the logo as it is after the address of this server has changed.
  const old = header.logo.light.replace('http://lectern.test', 'https://old.example/docs')
  const icon = `https://other.example/files/pictures/${newId()}/a.png`
  const moved = { header: { logo: { light: old, dark: old } }, favicon: { icon: { light: icon, dark: icon } } }
  expect(await who.put(`${api}/customization`, moved), 200)
  const { text: shown } = await reader.get(address)
  assert.ok(shown.includes(`src="${header.logo.light}"`) && shown.includes(icon) && !shown.includes('old.example'))
  assert.match((await keeper.get(at)).text, /the logo<\/span>/)

  refused(await send('logo', 'a.png', '<p>'), 409, /a\.png is not a PNG/)
  refused(await send('banner', 'a.png', picture), 409, /Choose what the picture is for/)
  const large = await send('icon', 'a.png', Buffer.alloc(3 * 1024 * 1024))
  refused(large, 413, /too large/)
  assert.match(large.text, /value="icon" selected/, 'the next one is not taken for the logo')
  const member = await signedIn(app, await org.member('read'))
  const shut = await send('logo', 'a.png', picture, member)
  assert.deepEqual([shut.status, shut.text.includes('cups')], [403, false], 'nor are they told what was uploaded')

  const id = pathname.split('/').at(-2)!
  assert.equal((await keeper.submit(await keeper.get(at), `${at}/delete`, { picture: id })).status, 303)
  assert.equal((await look()).header.logo, undefined)
  assert.equal((await reader.get(pathname)).status, 404)
})

test('a picture for dark pages requires one for all pages, and stays when that one is replaced', async () => {
  const { keeper, path, who, api, look } = await aKeeper(app)
  const at = `${path}/pictures`
  const send = async (use: string, name: string) =>
    keeper.submitFiles(await keeper.get(at), at, { use }, [[name, Buffer.from(png, 'base64')]])
  refused(await send('logoDark', 'dark.png'), 409, /Upload the logo first/)
  expect(await who.put(`${api}/customization`, { favicon: { emoji: '1f375' } }), 200)
  refused(await send('iconDark', 'dark.png'), 409, /Upload the browser tab icon first/)
  for (const [use, name] of [
    ['logo', 'a'],
    ['logoDark', 'dark'],
    ['logo', 'b'],
    ['icon', 'a'],
    ['iconDark', 'dark'],
  ])
    // prettier-ignore
    assert.equal((await send(use!, `${name}.png`)).status, 303)
  const { header, favicon } = await look()
  const names = [header.logo.light, header.logo.dark, favicon.icon.light, favicon.icon.dark]
  assert.deepEqual(
    names.map((each) => each.split('/').at(-1)),
    ['b.png', 'dark.png', 'a.png', 'dark.png'],
  )
})
