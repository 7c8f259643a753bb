import { appPath } from '../../../app-path.ts'
import assert from 'node:assert/strict'
import type { TestApp } from '../../../../test/app.ts'
import { newPage } from '../../../../test/editing.ts'
import { aSite } from '../../../../test/sites.ts'
import { expect } from '../../../../test/visitor.ts'
import { type Page, Person, unescaped } from '../../../account/testing/person.ts'
import { signedIn } from '../../../sessions/testing/signed-in.ts'

/** A member who may set up a published site, and one of its readers. */
export async function aKeeper(app: TestApp) {
  const site = await aSite(app, { title: 'Drinks' })
  const { org, who, space, path: api } = site
  expect(await space.edit(newPage('Tea'), newPage('Coffee')), 200)
  expect(await who.post(`${api}/publish`), 200)
  const keeper = await signedIn(app, await org.member('create'))
  const path = appPath.site(org.id, site.id)
  const reader = new Person(app)
  const { basename } = expect(await who.get(api), 200)
  const address = `/sites/${org.row.hostname}/${basename}/`
  const look = async () => expect(await who.get(`${api}/customization`), 200)
  /** Sends the current form of the look, with these fields changed. */
  const save = async (typed: Record<string, string>, page?: Page) => {
    const opened = page ?? (await keeper.get(`${path}/look`))
    return keeper.post(`${path}/look`, { ...filledIn(opened), ...typed })
  }
  const send = async (at: string, action: string, fields: Record<string, string>) =>
    keeper.submit(await keeper.get(at === '' ? path : `${path}/${at}`), `${path}/${action}`, fields)
  const redirects = async () => expect(await who.get(`${api}/redirects`), 200).items as any[]
  return { site, org, who, api, space, keeper, path, reader, address, look, save, send, redirects }
}

/** Returns everything that a browser would send for the form of a page that nobody has touched. */
export function filledIn({ text }: Page): Record<string, string> {
  const form = text
    .split('<form ')
    .find((each) => each.includes('/look"'))!
    .split('</form>')[0]!
  const fields: Record<string, string> = {}
  for (const [input] of form.matchAll(/<input[^>]*>/g)) {
    const of = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(input)?.[1]
    if (/radio|checkbox/.test(of('type') ?? '') && !/ checked/.test(input)) continue
    fields[of('name')!] = unescaped(of('value')!)
  }
  for (const [, name, inside] of form.matchAll(/<select name="(\w+)">([^]*?)<\/select>/g))
    fields[name!] = /value="([^"]*)" selected/.exec(inside!)?.[1] ?? ''
  return fields
}

export function refused(answer: Page, status: number, reason: RegExp): void {
  assert.equal(answer.status, status, answer.text)
  assert.match(unescaped(/role="alert">([^<]*)/.exec(answer.text)![1]!), reason)
}
