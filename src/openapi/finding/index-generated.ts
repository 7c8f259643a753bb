import { setImmediate } from 'node:timers/promises'
import { buffer } from 'node:stream/consumers'
import type { FastifyBaseLogger } from 'fastify'
import { type Block, type BlockOf } from '../../content/blocks.ts'
import { parse } from '../../content/parse.ts'
import { type Section, sections } from '../../content/sections.ts'
import type { Database, Db } from '../../db/connect.ts'
import { nobody, transaction } from '../../db/transaction.ts'
import { each } from '../../jobs/each.ts'
import { PageTree } from '../../pages/tree.ts'
import { type Entry, listAll, page } from '../../revisions/entries.ts'
import { findMainLine } from '../../revisions/lines.ts'
import type { NewRow } from '../../search/indexing/changes.ts'
import { type KnownRow, findLanguage, keyOfRow, writeRows } from '../../search/indexing/index.queries.ts'
import { lexiconOf } from '../../search/words/lexicon.ts'
import { isFindable, rowsOf } from '../../search/indexing/rows.ts'
import { vectorsOf } from '../../search/indexing/vectors.ts'
import { wordsFor } from '../../published/words/words.ts'
import type { BlobStore } from '../../storage/store.ts'
import { type JsonObject, textAt } from '../draw/json.ts'
import { Spec } from '../draw/spec.ts'
import { bodyOf } from '../generate/body.ts'
import { type SpecShelf, expandPages, readBodyName } from '../generate/expand.ts'
import { findLanguageOfLine, listNewest } from '../queries.ts'
import { findVersionById } from '../versions.queries.ts'
import { type BehindSpace, listBehindGenerated, listIndexedGenerated, lockGenerated } from './queries.ts'

export interface Indexing {
  db: Database
  store: BlobStore
  log: FastifyBaseLogger
}

/**
 * Limit for the texts of one space, which are in memory together. An operation is shown on the pages of all its tags, so
 * a few operations can have any amount of text. Pages beyond the limit are found by their titles only.
 */
const mostCharacters = 16 * 1024 * 1024

const mostSpaces = 200
const rowsAtOnce = 100

/**
 * Updates the search index for pages generated from specifications: after a new version, and after a space gained or
 * lost such pages. Several workers may do this at once, since they write the same rows.
 */
export async function indexGenerated(indexing: Indexing, isEnough = () => false): Promise<number> {
  const behind = await listBehindGenerated(indexing.db, mostSpaces)
  const failure = 'generated pages could not be indexed'
  return each({ log: indexing.log, isEnough }, behind, failure, (space) => indexSpace(indexing, space))
}

async function indexSpace({ db, store }: Indexing, space: BehindSpace): Promise<void> {
  const { organization_id: organizationId, space_id: spaceId } = space
  const shelf = shelfOf(db, store)
  const { head } = await findMainLine(db, organizationId, spaceId)
  const tree = PageTree.of(await listAll(db, head, page))
  const { tree: expanded } = await expandPages({ openapi: shelf }, head, tree)
  const made = [...expanded.byId.values()].filter((entry) => !tree.byId.has(entry.entry) && isFindable(entry))

  const wanted: NewRow[] = []
  const room = { characters: mostCharacters }
  for (const entry of made) {
    for (const row of rowsOf(entry, await sectionsOf(db, shelf, organizationId, entry, room))) {
      wanted.push({ ...row, page_id: entry.entry })
    }
    await setImmediate()
  }
  const place = { organizationId, spaceId, lexicon: lexiconOf(await findLanguage(db, { organizationId, spaceId })) }
  // Words are looked up, and new ones added, before any lock is taken.
  const vectors: Awaited<ReturnType<typeof vectorsOf>> = []
  for (let from = 0; from < wanted.length; from += rowsAtOnce) {
    vectors.push(...(await vectorsOf(db, place, wanted.slice(from, from + rowsAtOnce))))
  }
  await transaction(db, nobody, async (tx) => {
    await lockGenerated(tx, space)
    const gone = new Map((await listIndexedGenerated(tx, space)).map((row: KnownRow) => [keyOfRow(row), row]))
    for (const row of wanted) gone.delete(keyOfRow(row))
    // All rows are written: if the language has changed, so have the words of rows whose text is the same.
    const rows = wanted.map((row, index) => ({ ...row, ...vectors[index]! }))
    for (let from = 0; from < rows.length || from === 0; from += rowsAtOnce) {
      writeRows(tx, place, rows.slice(from, from + rowsAtOnce), from === 0 ? [...gone.values()] : [])
    }
    tx.leaveRights()
  })
}

/** Keeps the specifications read while one space is being indexed. */
function shelfOf(db: Db, store: BlobStore): SpecShelf {
  const read = new Map<string, Promise<Spec>>()
  const load = async (organizationId: string, hash: string) =>
    new Spec(JSON.parse((await buffer(await store.get({ organizationId, hash }))).toString()) as JsonObject)
  return {
    newest: (organizationId, names) => listNewest(db, organizationId, names),
    language: (organizationId, lineId) => findLanguageOfLine(db, organizationId, lineId),
    spec(organizationId, { id, document_blob }) {
      const known = read.get(id) ?? load(organizationId, document_blob)
      read.set(id, known)
      return known
    },
  }
}

/** Returns the sections of the page as readers see it, with the words of an operation in place of its block. */
export async function sectionsOf(
  db: Db,
  shelf: Pick<SpecShelf, 'spec'>,
  organizationId: string,
  { doc }: Entry,
  room = { characters: mostCharacters },
): Promise<Section[]> {
  const body = readBodyName(doc ?? '')
  if (!body || room.characters <= 0) return []
  const version = await findVersionById(db, organizationId, body.versionId)
  if (!version) return []
  const spec = await shelf.spec(organizationId, version)
  const source = bodyOf(spec, body.slug, body.source, { words: wordsFor(body.language ?? 'en') })
  room.characters -= source.length
  const blocks: Block[] = []
  for (const block of parse(source).blocks) {
    if (room.characters <= 0) break
    blocks.push(asWords(spec, block, room))
    if (isDrawn(block)) await setImmediate()
  }
  return sections({ blocks })
}

const isDrawn = ({ type }: Block) => type === 'openapi-operation' || type === 'openapi-webhook'

function asWords(spec: Spec, block: Block, room: { characters: number }): Block {
  const text = wordsOf(spec, block)
  if (text === undefined) return block
  room.characters -= text.length
  return { type: 'paragraph', inlines: [{ type: 'text', text }] }
}

/** Returns what is found of a block that shows a part of the specification. */
function wordsOf(spec: Spec, block: Block): string | undefined {
  switch (block.type) {
    case 'openapi-operation':
      return wordsOfOperation(spec, block, false)
    case 'openapi-webhook':
      return wordsOfOperation(spec, { ...block, path: block.name }, true)
    case 'openapi-schemas':
      return textAt(spec.schemas[block.schemas ?? ''], 'description')?.slice(0, longest) ?? ''
    default:
      return undefined
  }
}

/** Returns the address of an operation, its id, its description and its parameters. */
function wordsOfOperation(
  spec: Spec,
  { path, method }: Pick<BlockOf<'openapi-operation'>, 'path' | 'method'>,
  isWebhook: boolean,
): string {
  const found = spec.operation(path, method, isWebhook)
  if (!found) return ''
  const { operation } = found
  const parameters = spec.parametersOf(found).map((each) => textAt(each, 'name'))
  const texts = [
    textAt(operation, 'operationId'),
    textAt(operation, 'description'),
    parameters.filter(Boolean).join(' '),
  ]
  return [`${found.method.toUpperCase()} ${found.path}`, ...texts.map((text) => text?.slice(0, longest))]
    .filter(Boolean)
    .join('\n')
}

/** Limit for one description, and for the names of all parameters of an operation. */
const longest = 20_000
