// What tests of the editor begin with.
import type { TestApp } from '../../../../test/app.ts'
import { newPage } from '../../../../test/editing.ts'
import { type TestSite, aSite, expect } from '../../../../test/visitor.ts'
import { signedIn } from '../../../sessions/testing/signed-in.ts'

export const spaceOf = ({ org, space }: TestSite) => `/app/o/${org.id}/s/${space.id}`

/** A user who may edit a space, and the id of its page about teapots. */
export async function anAuthor(app: TestApp) {
  const site = await aSite(app, {
    pages: [newPage('Welcome'), { operation: 'insert_page', document: { markdown: teapots } }],
  })
  const author = await signedIn(app, await site.org.member('edit'))
  const pages = expect(await site.who.get(`${site.space.path}/content/pages`), 200).pages as {
    id: string
    title: string
  }[]
  return { site, author, page: pages.find(({ title }) => title === 'Teapots')!.id }
}

export const teapots =
  '---\ndescription: >-\n  For tea\nkeep: this\n---\n\n# Teapots\n\n\n*  Odd   spaces \n<b>&amp;</b>\n'

/** Begins a change request as a user does in the browser. */
export async function begin({ site, author }: Awaited<ReturnType<typeof anAuthor>>, subject = 'Warm teapots') {
  const space = await author.get(spaceOf(site))
  return author.follow(await author.submit(space, `${spaceOf(site)}/~/changes`, { subject }))
}

/** The text in the field of an editor. */
export const textIn = ({ text }: { text: string }) =>
  /<textarea name="text"[^>]*>\n([^]*?)<\/textarea/
    .exec(text)![1]!
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
