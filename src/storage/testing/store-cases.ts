import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { buffer, text } from 'node:stream/consumers'
import type { Config } from '../../config.ts'
import { openStore } from '../open.ts'
import { incomingFolder, receive } from '../receive.ts'
import { BlobMissing, type BlobStore } from '../store.ts'

export interface OpenedStore {
  config: Config
  store: BlobStore
}

export async function put(
  { store, config }: OpenedStore,
  content: string | Buffer,
  organizationId: string = randomUUID(),
) {
  const file = await receive(config, [Buffer.from(content)], 50_000_000)
  const name = { organizationId, hash: file.hash }
  await store.put(name, file)
  return name
}

/** What every store must do, as guaranteed: run for the folder, for a stand-in of S3, and for a real one. */
export const storeCases: Record<string, (opened: OpenedStore) => Promise<void>> = {
  'bytes that were put can be read, in parts too, until they are deleted': async (opened) => {
    const { config, store } = opened
    const name = await put(opened, 'hello world')
    assert.equal(name.hash, 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9')
    assert.deepEqual([await store.has(name), await store.isWhole(name, 11)], [true, true])
    assert.equal(await store.isWhole(name, 12), false)
    assert.equal(await text(await store.get(name)), 'hello world')
    assert.equal(await text(await store.get(name, { start: 6, end: 8 })), 'wor')
    assert.equal(await text(await store.get(name, { start: 0, end: 0 })), 'h')
    await put(opened, 'hello world', name.organizationId)
    assert.deepEqual(await readdir(incomingFolder(config)), [])

    await store.delete(name)
    await store.delete(name)
    assert.deepEqual([await store.has(name), await store.isWhole(name, 11)], [false, false])
    await assert.rejects(store.get(name), BlobMissing)
  },

  'a file that was put can be put again: whoever is overtaken tries anew with the same one': async (opened) => {
    const { config, store } = opened
    const file = await receive(config, [Buffer.from('twice')], 10)
    const name = { organizationId: randomUUID(), hash: file.hash }
    await store.put(name, file)
    await store.put(name, file)
    assert.equal(await text(await store.get(name)), 'twice')
    await store.delete(name)
    await assert.rejects(store.put(name, file), 'its bytes are nowhere any more')
  },

  'what one organization has is not there for another, unless it was copied': async (opened) => {
    const { store } = opened
    const name = await put(opened, 'mine')
    const other = { ...name, organizationId: randomUUID() }
    assert.equal(await store.has(other), false)
    await store.copy(name, other.organizationId)
    await store.copy(name, other.organizationId)
    await store.delete(name)
    assert.equal(await text(await store.get(other)), 'mine')
    await assert.rejects(store.copy(name, randomUUID()), BlobMissing)
  },

  'a store has an id that stays': async ({ config, store }) => {
    const [one, two] = await Promise.all([store.id(), openStore(config).id()])
    assert.match(one, /^[0-9a-f-]{36}$/)
    assert.deepEqual([two, await store.id()], [one, one])
  },

  'many who put the same bytes at once leave them whole, and no bytes are bytes too': async (opened) => {
    const { config, store } = opened
    const bytes = randomBytes(3_000_000)
    const organizationId = randomUUID()
    const names = await Promise.all(Array.from({ length: 8 }, () => put(opened, bytes, organizationId)))
    assert.equal(new Set(names.map(({ hash }) => hash)).size, 1)
    assert.ok((await buffer(await store.get(names[0]!))).equals(bytes))
    const part = await buffer(await store.get(names[0]!, { start: 1_000_000, end: 1_999_999 }))
    assert.ok(part.equals(bytes.subarray(1_000_000, 2_000_000)))
    const nothing = await put(opened, '')
    assert.equal((await buffer(await store.get(nothing))).length, 0)
    assert.deepEqual(await readdir(incomingFolder(config)), [])
  },
}
