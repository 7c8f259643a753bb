import { inflateSync } from 'node:zlib'
import type { TestApp } from '../app.ts'
import { type TestSite, expect } from '../visitor.ts'

/** Returns where the links of a page's PDF lead, and everything else that it could tell the reader's program to do. */
export async function linksOf(
  app: TestApp,
  site: TestSite,
  pageId: string,
): Promise<{ urls: string[]; actions: string[] }> {
  const { url } = expect(await site.who.get(`${site.space.path}/pdf?page=${pageId}&only=true`), 200)
  const { pathname, search } = new URL(url)
  const bytes = Buffer.from(await (await fetch(app.url + pathname + search)).arrayBuffer())
  const text = unpacked(bytes)
  return {
    urls: [...text.matchAll(/\/URI ?\(((?:\\.|[^\\)])*)\)/g)].map(([, address]) => address!),
    actions: [...text.matchAll(/\/(?:JavaScript|JS|Launch|SubmitForm|ImportData|OpenAction|AA|EmbeddedFile)\b/g)].map(
      ([action]) => action,
    ),
  }
}

function unpacked(bytes: Buffer): string {
  const raw = bytes.toString('latin1')
  const objects = [...raw.matchAll(/\/ObjStm/g)].map(({ index }) =>
    inflateSync(bytes.subarray(raw.indexOf('stream\n', index) + 7)).toString('latin1'),
  )
  return raw.replace(/stream\n[^]*?endstream/g, '') + objects.join('')
}
