import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyBetween } from '../../content/positions.ts'
import { newId } from '../../ids.ts'
import { asData, newFileEntry } from '../../pages/entry-data.ts'
import { PageTree } from '../../pages/tree.ts'
import { type Entry, page, top } from '../../revisions/entries.ts'
import { readLayoutConfig } from '../layout/config.ts'
import { assignPaths } from './files.ts'

const { config } = readLayoutConfig(undefined)
const kind = { size: 1, blob: '', contentType: 'image/png' }

function pagesOf(slugs: readonly string[]): Entry[] {
  let position: string | null = null
  return slugs.map((slug) => {
    const entry = newId()
    position = keyBetween(entry, position, null)
    const data = asData({ type: 'document', title: slug })
    return { entry, kind: page, state: 0, parent: top, slug, position, doc: null, refs: null, data }
  })
}

test('thousands of pages and files with names that are the same get numbers, one after the other, in little time', () => {
  const files = Array.from({ length: 8_000 }, (_, at) =>
    newFileEntry(newId(), { name: at % 2 === 0 ? 'image.png' : 'Image.png', ...kind }),
  )
  const pages = pagesOf(['first', ...Array.from({ length: 4_000 }, (_, at) => `${'長'.repeat(90)}${at}`)])
  const began = performance.now()
  const paths = assignPaths({ tree: PageTree.of(pages), files, reusables: [], known: new Map(), taken: [], config })
  const took = performance.now() - began
  const names = files.map(({ entry }) => paths.get(entry)!.split('/').at(-1))
  assert.deepEqual(names.slice(0, 4), ['image.png', 'Image-1.png', 'image-2.png', 'Image-3.png'])
  assert.equal(new Set([...paths.values()].map((path) => path.toLowerCase())).size, files.length + pages.length)
  assert.ok(took < 5_000, `${took} ms`)
})
