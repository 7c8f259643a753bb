import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../test/editing.ts'
import { png } from '../../test/every-content.ts'

const app = await startApp()

test('links in the HTML of a page are the URLs of pages and files, in main and in a change request', async () => {
  const space = await aLiveSpace(app)
  const made = await space.edit(
    { operation: 'insert_files', files: [{ name: 'a b.png', base64: png, contentType: 'image/png', ref: 'picture' }] },
    { operation: 'insert_reusable_content', title: 'Note', document: { markdown: '[in](guides/uni.md)' }, ref: 'note' },
    newPage('Guides', { ref: 'g' }),
    newPage('Ünï', { into: 'g' }),
    {
      operation: 'insert_page',
      document: {
        markdown:
          '# A\n\n[u](./guides/uni.md#part) [g](/pages/guides) [n](./none.md) [w](https://example.com/x) [s](#here)\n\n' +
          '![p](./picture)\n\n<p><a href="./guides">raw</a></p>\n\n{% include "./note" %}\n',
      },
    },
  )
  const [, guides, , a] = idsOf(made)
  const request = await space.changeRequest()
  await space.edit({ operation: 'update_page', page: guides, metadata: { slug: 'handbook' } })
  const home = `http://lectern.test/app/o/${space.org.id}/s/${space.id}/`
  const hrefsAt = async (path: string, query = '') => {
    const { body } = await space.who.get(`${path}/content/page/${a}?format=html${query}`)
    return [...body.html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, href]) => href.replaceAll('&amp;', '&'))
  }
  for (const query of ['', '&evaluated=true']) {
    const [uni, group, none, web, here, picture, raw, included] = await hrefsAt(space.path, query)
    assert.deepEqual([uni, group], [`${home}handbook/uni#part`, `${home}handbook`])
    assert.deepEqual([none, web, here], ['./none.md', 'https://example.com/x', '#here'])
    assert.equal(raw, `${home}handbook`)
    assert.equal(included, query === '' ? undefined : `${home}handbook/uni`)
    const file = await fetch(picture.replace('http://lectern.test', app.url))
    assert.deepEqual([file.status, file.headers.get('content-type')], [200, 'image/png'])
  }
  const [uni] = await hrefsAt(request.path)
  assert.equal(uni, `${home}~/changes/1/guides/uni#part`)
})
