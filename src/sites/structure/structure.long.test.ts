import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aBuiltSite } from '../../../test/built-site.ts'
import { aSpace } from '../../../test/content.ts'
import { anOrganization } from '../../../test/factories.ts'
import { stateOf } from '../../../test/state.ts'
import { newId } from '../../ids.ts'

const app = await startApp()

test('the first space is the default until another one is chosen', async () => {
  const { path, who, shape } = await aBuiltSite(app, ['One', 'Two', 'Three'])
  assert.equal(await shape(), 'One* Two Three')
  const { items } = (await who.get(`${path}/site-spaces`)).body
  assert.equal((await who.patch(path, { defaultSiteSpace: items[2].id })).status, 200)
  assert.equal(await shape(), 'One Two Three*')
  const defaults = async (query: string) =>
    (await who.get(`${path}/site-spaces?default=${query}`)).body.items.map((each: any) => each.title)
  assert.deepEqual([await defaults('true'), await defaults('false')], [['Three'], ['One', 'Two']])
})

test('adding a section to spaces at the root makes a section of them, with their paths, conditions, addresses and looks', async () => {
  const site = await aBuiltSite(app, ['One', 'Two'])
  const { path, who, shape, section, done } = site
  const { items } = (await who.get(`${path}/site-spaces`)).body
  await done('PATCH', `/site-spaces/${items[1].id}`, { path: 'second', condition: 'visitor.claims.beta' })
  await done('PATCH', `/site-spaces/${items[0].id}/customization`, { styling: { corners: 'straight' } })
  await done('PATCH', '', { defaultSiteSpace: items[1].id })
  await done('POST', '/publish', undefined, 200)
  const before = (await who.get(`${path}/site-spaces`)).body.items

  const made = await section('API', { icon: 'gear' })
  assert.equal(await shape(), 'Site*(One Two*) API(API*)')
  assert.deepEqual([made.path, made.icon, made.default, made.siteSpaces[0].path], ['api', 'gear', false, 'api'])
  const after = (await who.get(`${path}/site-spaces`)).body.items.slice(0, 2)
  const essence = ({ section: _section, ...rest }: any) => rest
  assert.deepEqual(after.map(essence), before.map(essence), 'their paths, conditions and addresses are the same')
  const look = (await who.get(`${path}/site-spaces/${items[0].id}/customization`)).body
  assert.equal(look.styling.corners, 'straight')
})

test('a section without a title gets that of its space, generated paths are unique, and chosen paths that clash are refused', async () => {
  const { section, done, who, path, newSpace } = await aBuiltSite(app)
  const [one, two, single] = [await section('Guides'), await section('Guides'), await section('🙂')]
  assert.deepEqual([one.title, one.path, two.path], ['Guides', 'guides', 'guides-1'])
  assert.equal(single.title, 'Site', 'one letter is not enough for a title')
  const taken = await who.patch(`${path}/sections/${two.id}`, { path: 'guides' })
  assert.deepEqual([taken.status, taken.body.error.details[0].path], [409, 'body.path'])
  assert.equal((await done('PATCH', `/sections/${two.id}`, { path: 'Howto_2.0' })).path, 'Howto_2.0')

  const variant = await done('POST', '/site-spaces', { spaceId: await newSpace('Guides'), sectionId: one.id })
  assert.equal(variant.path, 'guides-1')
  const clash = await who.patch(`${path}/site-spaces/${variant.id}`, { path: 'guides' })
  assert.deepEqual([clash.status, clash.body.error.details[0].path], [409, 'body.path'])
  const inOther = await done('POST', '/site-spaces', { spaceId: await newSpace('Guides'), sectionId: two.id })
  assert.equal(inOther.path, 'guides-1', 'each section has its own paths')
})

test('the address of a space in the default section is never the address of another section', async () => {
  const { section, variant, done, org } = await aBuiltSite(app)
  const one = await section('One')
  await section('Two')
  await variant('Two', one.id)
  await variant('Three', one.id)
  await done('POST', '/publish', undefined, 200)
  const { structure } = await done('GET', '/structure')
  const base = `http://lectern.test/sites/${org.row.hostname}/site/`
  assert.deepEqual(
    structure.map((each: any) => each.siteSpaces.map(({ urls }: any) => urls.published.replace(base, ''))),
    [['', 'one/two/', 'three/'], ['two/']],
  )
})

test('a new space goes to the default section unless another section is named', async () => {
  const { section, variant, shape, done } = await aBuiltSite(app)
  const [one, two] = [await section('One'), await section('Two')]
  await variant('A')
  await variant('B', two.id)
  assert.equal(await shape(), 'One*(One* A) Two(Two* B)')
  await done('PATCH', '', { defaultSiteSection: two.id })
  await variant('C')
  assert.equal(await shape(), 'One(One* A) Two*(Two* B C)')
  await done('PATCH', `/sections/${one.id}`, { defaultSiteSpace: one.siteSpaces[0].id })
  assert.equal(await shape(), 'One(One* A) Two*(Two* B C)')
})

test('the default section and the default space in it can be set in one change', async () => {
  const { section, variant, shape, done, who, path } = await aBuiltSite(app)
  await section('One')
  const two = await section('Two')
  const b = await variant('B', two.id)
  const refused = await who.patch(path, { defaultSiteSpace: b.id })
  assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, 'body.defaultSiteSpace'])
  await done('PATCH', '', { defaultSiteSection: two.id, defaultSiteSpace: b.id })
  assert.equal(await shape(), 'One(One*) Two*(Two B*)')
})

test("when a default is removed the next one takes its place, and removing a section's last space removes the section", async () => {
  const { section, variant, shape, done } = await aBuiltSite(app)
  const [one, two] = [await section('One'), await section('Two')]
  const [a, b] = [await variant('A', one.id), await variant('B', one.id)]
  await section('Three')
  await done('PATCH', `/sections/${one.id}`, { defaultSiteSpace: a.id })
  const remove = (what: string) => done('DELETE', what, undefined, 205)

  await remove(`/site-spaces/${a.id}`)
  assert.equal(await shape(), 'One*(One B*) Two(Two*) Three(Three*)', 'the next in order')
  await remove(`/site-spaces/${b.id}`)
  assert.equal(await shape(), 'One*(One*) Two(Two*) Three(Three*)', 'behind the last comes the first')
  await remove(`/site-spaces/${one.siteSpaces[0].id}`)
  assert.equal(await shape(), 'Two*(Two*) Three(Three*)')
  await remove(`/sections/${two.id}`)
  assert.equal(await shape(), 'Three*(Three*)')
})

test('the last section or space of a published site cannot be removed', async () => {
  const { section, variant, done, who, path, shape } = await aBuiltSite(app)
  const one = await section('One')
  const a = await variant('A', one.id)
  await done('POST', '/publish', undefined, 200)
  const refuse = async (what: string) => assert.equal((await who.delete(path + what)).status, 409)

  await refuse(`/sections/${one.id}`)
  await done('DELETE', `/site-spaces/${a.id}`, undefined, 205)
  await refuse(`/site-spaces/${one.siteSpaces[0].id}`)
  const two = await section('Two')
  await done('DELETE', `/sections/${one.id}`, undefined, 205)
  await who.delete(`/v1/spaces/${two.siteSpaces[0].space.id}`)
  assert.equal(await shape(), '', 'the trash is stronger')
  const three = await section('Three')
  await refuse(`/sections/${three.id}`)
  await done('POST', '/unpublish', undefined, 200)
  await done('DELETE', `/sections/${three.id}`, undefined, 205)
})

test("groups hold sections, which stay at the group's place when they leave it or it is deleted", async () => {
  const { section, shape, done, path, who } = await aBuiltSite(app)
  const [a, b, c, d] = [await section('Aa'), await section('Bb'), await section('Cc'), await section('Dd')]
  const group = await done('POST', '/section-groups', { title: 'G', icon: 'star', sections: [c.id, a.id] })
  assert.deepEqual([group.icon, group.sections[0].sectionGroup], ['star', group.id])
  assert.equal(await shape(), 'Bb(Bb*) Dd(Dd*) G[Cc(Cc*) Aa*(Aa*)]')

  await done('POST', `/section-groups/${group.id}/sections`, { sectionId: d.id })
  await done('POST', `/section-groups/${group.id}/sections`, { sectionId: d.id })
  assert.equal(await shape(), 'Bb(Bb*) G[Cc(Cc*) Aa*(Aa*) Dd(Dd*)]')
  const second = await done('POST', '/section-groups', { title: 'H' })
  await done('POST', `/section-groups/${second.id}/sections`, { sectionId: c.id })
  assert.equal(await shape(), 'Bb(Bb*) G[Aa*(Aa*) Dd(Dd*)] H[Cc(Cc*)]')

  await done('DELETE', `/section-groups/${group.id}/sections/${a.id}`, undefined, 205)
  assert.equal(await shape(), 'Bb(Bb*) G[Dd(Dd*)] Aa*(Aa*) H[Cc(Cc*)]')
  for (const outside of [a.id, b.id, c.id, newId()]) {
    assert.equal((await who.delete(`${path}/section-groups/${group.id}/sections/${outside}`)).status, 404)
  }
  await done('POST', `/section-groups/${group.id}/sections`, { sectionId: b.id })
  const changed = await done('PATCH', `/section-groups/${group.id}`, { title: 'G2', icon: null })
  assert.deepEqual([changed.title, changed.icon], ['G2', undefined])
  assert.equal(await shape(), 'G2[Dd(Dd*) Bb(Bb*)] Aa*(Aa*) H[Cc(Cc*)]')
  await done('DELETE', `/section-groups/${group.id}`, undefined, 205)
  assert.equal(await shape(), 'Dd(Dd*) Bb(Bb*) Aa*(Aa*) H[Cc(Cc*)]')
  const listed = (await who.get(`${path}/sections`)).body.items.map((each: any) => each.title)
  assert.deepEqual(listed, ['Dd', 'Bb', 'Aa', 'Cc'], 'sections of a group stand where the group does')
  assert.deepEqual(
    (await who.get(`${path}/section-groups`)).body.items.map((each: any) => each.title),
    ['H'],
  )
})

test('sections, groups and spaces are sorted within their level, also by the deprecated move operations', async () => {
  const { section, variant, shape, done, path, who } = await aBuiltSite(app)
  const [a, b, c] = [await section('Aa'), await section('Bb'), await section('Cc')]
  const [v, w] = [await variant('V', a.id), await variant('W', a.id)]
  const g = await done('POST', '/section-groups', { title: 'G', sections: [c.id] })
  const item = (each: any) => ({ type: each.object, id: each.id })
  const sort = (each: any, position: object) => done('PATCH', '/structure/sort', { item: item(each), position })

  assert.equal((await sort(g, { before: item(a) })).object, 'site-section-group')
  assert.equal(await shape(), 'G[Cc(Cc*)] Aa*(Aa* V W) Bb(Bb*)')
  await sort(b, { after: item(g) })
  await sort(w, { before: item(v) })
  assert.equal(await shape(), 'G[Cc(Cc*)] Bb(Bb*) Aa*(Aa* W V)')
  await sort(g, {})
  await sort(a.siteSpaces[0], { after: item(v) })
  assert.equal(await shape(), 'Bb(Bb*) Aa*(W V Aa*) G[Cc(Cc*)]')

  const move = async (rest: string, body?: object) => {
    const answer = await who.post(`${path}${rest}/move`, body)
    assert.equal(answer.status, 200, answer.text)
    assert.match(answer.headers.get('deprecation') ?? '', /^@\d+$/)
  }
  await move(`/sections/${b.id}`, { position: { after: { type: 'site-section', siteSection: a.id } } })
  await move(`/section-groups/${g.id}`, { position: { before: { type: 'site-section', id: a.id } } })
  await move(`/site-spaces/${v.id}`, { position: { before: { type: 'site-space', siteSpace: w.id } } })
  assert.equal(await shape(), 'G[Cc(Cc*)] Aa*(V W Aa*) Bb(Bb*)')
  await move(`/site-spaces/${v.id}`)
  await move(`/section-groups/${g.id}`, {})
  assert.equal(await shape(), 'Aa*(W Aa* V) Bb(Bb*) G[Cc(Cc*)]')
  const between = (after: any, before: any) => ({ position: { after: item(after), before: item(before) } })
  await move(`/section-groups/${g.id}`, between(a, b))
  assert.equal(await shape(), 'Aa*(W Aa* V) G[Cc(Cc*)] Bb(Bb*)')
  assert.equal((await who.post(`${path}/section-groups/${g.id}/move`, between(b, a))).status, 400)
  assert.equal((await who.patch(`${path}/structure/sort`, {})).headers.get('deprecation'), null)
})

test('sorting with If-Match succeeds only while the structure is as it was read', async () => {
  const { section, shape, path, who } = await aBuiltSite(app)
  const [a, b] = [await section('Aa'), await section('Bb')]
  const tag = (await who.get(`${path}/structure`)).headers.get('etag')!
  const toTheEnd = (each: { object: string; id: string }, ifMatch: string) =>
    who.patch(
      `${path}/structure/sort`,
      { item: { type: each.object, id: each.id }, position: {} },
      { 'if-match': ifMatch },
    )
  assert.equal((await toTheEnd(a, tag)).status, 200)
  const sorted = await shape()
  assert.equal((await toTheEnd(b, tag)).status, 412)
  assert.equal(await shape(), sorted)
  assert.equal((await toTheEnd(b, '*')).status, 200)
  assert.notEqual(await shape(), sorted)
})

test('nothing can be sorted next to an item of another level, section or site', async () => {
  const { section, variant, done, path, who } = await aBuiltSite(app)
  const [a, b, c] = [await section('Aa'), await section('Bb'), await section('Cc')]
  const [inA, inB] = [await variant('V', a.id), await variant('W', b.id)]
  const g = await done('POST', '/section-groups', { title: 'G', sections: [c.id] })
  const other = await aBuiltSite(app, ['Else'])
  const item = (each: any) => ({ type: each.object, id: each.id })
  const bad: [item: object, position: object, status: number, where?: string][] = [
    [item(a), { before: item(c) }, 400, 'body.position.before.id'],
    [item(c), { after: item(a) }, 400, 'body.position.after.id'],
    [item(inA), { after: item(inB) }, 400, 'body.position.after.id'],
    [item(inA), { after: item(a) }, 400, 'body.position.after.id'],
    [item(a), { after: item(a) }, 400, 'body.position.after.id'],
    [item(a), { after: { type: 'site-space', id: b.id } }, 400, 'body.position.after.id'],
    [item(a), { before: item(b), after: item(b) }, 400, 'body.position'],
    [item(a), { before: { type: 'site-section', id: newId() } }, 400, 'body.position.before.id'],
    [{ type: 'site-section', id: newId() }, {}, 404],
    [{ type: 'site-section', id: inA.id }, {}, 404],
    [{ type: 'site-space', id: (await other.who.get(`${other.path}/site-spaces`)).body.items[0].id }, {}, 404],
    [{ type: 'space', id: a.id }, {}, 400, 'body.item.type'],
    [{ type: 'site-section' }, {}, 400, 'body.item.id'],
  ]
  const before = await stateOf(app.db)
  for (const [moved, position, status, where] of bad) {
    const refused = await who.patch(`${path}/structure/sort`, { item: moved, position })
    assert.equal(refused.status, status, `${JSON.stringify([moved, position])}: ${refused.text}`)
    assert.equal(refused.body.error.details?.[0].path, where)
  }
  const moved = await who.post(`${path}/section-groups/${g.id}/move`, {
    position: { after: { type: 'site-section', id: c.id } },
  })
  assert.deepEqual([moved.status, moved.body.error.details[0].path], [400, 'body.position.after.id'])
  assert.equal(await stateOf(app.db), before)
})

test('sections and spaces of a site are changed field by field, and null removes optional fields', async () => {
  const { section, done, newSpace } = await aBuiltSite(app)
  const made = await section('One')
  const at = `/sections/${made.id}`
  const full = {
    title: 'New title',
    path: 'new',
    description: 'About',
    icon: 'book',
    condition: 'visitor.claims.a == 1',
  }
  const changed = await done('PATCH', at, full)
  for (const [name, value] of Object.entries(full)) assert.equal(changed[name], value)
  const bare = await done('PATCH', at, { description: null, icon: null, condition: null })
  assert.deepEqual(
    [bare.title, bare.path, bare.description, bare.icon, bare.condition],
    ['New title', 'new', undefined, undefined, undefined],
  )

  assert.equal((await done('PATCH', at, { icon: '' })).icon, undefined, 'and so does nothing at all')
  assert.equal((await section('Two', { icon: '' })).icon, undefined)

  const [siteSpace] = made.siteSpaces
  const spaceId = await newSpace('Other')
  const own = `/site-spaces/${siteSpace.id}`
  const shown = await done('PATCH', own, { path: 'v1', condition: 'true', spaceId, title: 'Version 1' })
  assert.deepEqual([shown.path, shown.condition, shown.space.id, shown.title], ['v1', 'true', spaceId, 'Version 1'])
  const back = await done('PATCH', own, { condition: null, title: null })
  assert.deepEqual([back.path, back.condition, back.title, back.default], ['v1', undefined, 'Other', true])
})

test('conditions are checked when they are written, against the claims schema if there is one', async () => {
  const { section, who, path, done } = await aBuiltSite(app)
  const made = await section('One')
  const places = [`/sections/${made.id}`, `/site-spaces/${made.siteSpaces[0].id}`]
  const refused = async (condition: string, message: RegExp) => {
    for (const place of places) {
      const { status, body, text } = await who.patch(path + place, { condition })
      assert.deepEqual([status, body.error?.details[0].path], [400, 'body.condition'], text)
      assert.match(body.error.message, message)
    }
  }
  await refused('visitor.claims.a ==', /at character 20/)
  await refused('visitor.claims.a.map(1)', /at character 18/)
  await refused('space.vars.a', /no space here.*at character 1\)/)
  await refused('visitor.email', /no email/)
  for (const place of places) await done('PATCH', place, { condition: 'visitor.claims.anything && true' })

  await done('PUT', '/adaptive-schema', {
    jsonSchema: {
      type: 'object',
      properties: {
        plan: { type: 'string', description: 'Plan' },
        unsigned: { type: 'object', description: 'U', properties: { beta: { type: 'boolean', description: 'B' } } },
      },
    },
  })
  await refused('visitor.claims.plan == "pro" || visitor.claims.paln', /no claim paln.*at character 33/)
  await refused('visitor.claims.unsigned.plan', /unsigned\.plan/)
  for (const condition of ['visitor.claims.plan.includes("x")', 'visitor.claims.unsigned.beta', '!visitor.claims']) {
    for (const place of places) await done('PATCH', place, { condition })
  }
})

test('bad input gets 400 with the path of the fault and changes nothing', async () => {
  const { section, variant, path, who, spaces, done, org } = await aBuiltSite(app)
  const [one, two] = [await section('One'), await section('Two')]
  const v = await variant('V', one.id)
  const foreign = await anOrganization(app)
  const elsewhere = await aSpace(foreign.admin.client, foreign.id)
  const spaceId = spaces.One!
  const bad: [method: string, path: string, body: unknown, where: string][] = [
    ['POST', '/sections', {}, 'body.spaceId'],
    ['POST', '/sections', { spaceId: null }, 'body.spaceId'],
    ['POST', '/sections', { spaceId: elsewhere.id }, 'body.spaceId'],
    ['POST', '/sections', { spaceId: newId() }, 'body.spaceId'],
    ['POST', '/sections', { spaceId, title: 'x' }, 'body.title'],
    ['POST', '/sections', { spaceId, icon: 'x'.repeat(51) }, 'body.icon'],
    ['PATCH', `/sections/${one.id}`, { path: '' }, 'body.path'],
    ['PATCH', `/sections/${one.id}`, { path: 'a/b' }, 'body.path'],
    ['PATCH', `/sections/${one.id}`, { path: '~search' }, 'body.path'],
    ['PATCH', `/sections/${one.id}`, { path: 'llms.txt' }, 'body.path'],
    ['PATCH', `/sections/${one.id}`, { path: '%2e%2e' }, 'body.path'],
    ['PATCH', `/sections/${one.id}`, { description: 'x'.repeat(257) }, 'body.description'],
    ['PATCH', `/sections/${one.id}`, { condition: '' }, 'body.condition'],
    ['PATCH', `/sections/${one.id}`, { condition: 'x'.repeat(1025) }, 'body.condition'],
    ['PATCH', `/sections/${two.id}`, { defaultSiteSpace: v.id }, 'body.defaultSiteSpace'],
    ['POST', '/section-groups', {}, 'body.title'],
    ['POST', '/section-groups', { title: '  ' }, 'body.title'],
    ['POST', '/section-groups', { title: 'G', sections: [one.id, newId()] }, 'body.sections.1'],
    ['POST', '/section-groups', { title: 'G', sections: [one.id, one.id] }, 'body.sections.1'],
    ['POST', '/site-spaces', { spaceId: elsewhere.id }, 'body.spaceId'],
    ['POST', '/site-spaces', { spaceId, sectionId: newId() }, 'body.sectionId'],
    ['PATCH', `/site-spaces/${v.id}`, { spaceId: elsewhere.id }, 'body.spaceId'],
    ['PATCH', `/site-spaces/${v.id}`, { path: 'x'.repeat(101) }, 'body.path'],
    ['PATCH', `/site-spaces/${v.id}`, { title: '' }, 'body.title'],
    [
      'POST',
      `/sections/${one.id}/move`,
      { position: { before: { type: 'site-section' } } },
      'body.position.before.siteSection',
    ],
  ]
  const group = await done('POST', '/section-groups', { title: 'G' })
  bad.push(['POST', `/section-groups/${group.id}/sections`, { sectionId: newId() }, 'body.sectionId'])
  const before = await stateOf(app.db)
  for (const [method, rest, body, fault] of bad) {
    const refused = await who.send(method, path + rest, body)
    assert.equal(refused.status, 400, `${method} ${rest} ${JSON.stringify(body)}: ${refused.text}`)
    assert.equal(refused.body.error.details[0].path, fault)
  }
  for (const rest of [`/sections/${newId()}`, `/section-groups/${newId()}`, `/site-spaces/${newId()}`]) {
    assert.equal((await who.patch(path + rest, { title: 'None' })).status, 404)
    assert.equal((await who.delete(path + rest)).status, 404)
  }
  const other = await aBuiltSite(app, [], org)
  const theirs = await other.section('Theirs')
  assert.equal((await who.delete(`${path}/sections/${theirs.id}`)).status, 404, 'of another site')
  const unchanged = await stateOf(app.db)
  assert.notEqual(unchanged, before)
  for (const [method, rest, body] of bad) await who.send(method, path + rest, body)
  assert.equal(await stateOf(app.db), unchanged)
})
