import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { type Block, type BlockOf, everyBlock, exchangeBlocks } from '../content/blocks.ts'
import { withoutPlace } from '../content/evaluate.ts'
import { type Html, trusted } from '../content/html/template.ts'
import { plainText } from '../content/inlines/text.ts'
import { type Document, parse } from '../content/parse.ts'
import { DatabaseUnavailable } from '../db/connect.ts'
import type { App } from '../http/routes.ts'
import { Icons } from '../published/icons/icons.ts'
import { knownLanguage, wordsFor } from '../published/words/words.ts'
import { StoreUnavailable } from '../storage/store.ts'
import { type Room, roomFor } from './draw/room.ts'
import type { Spec } from './draw/spec.ts'
import type { NewestVersion } from './queries.ts'
import { SpecAway, type SpecFile, mostWaitMs } from './specifications.ts'

/** Limit for the blocks of a page. Further ones are not drawn. */
const mostBlocks = 1_000
/** Limit for all blocks of a page together. One long example, drawn hundreds of times, would not fit into memory. */
const mostCharacters = 16 * 1024 * 1024

export interface DrawnSpecs {
  /** Returns the markup of a block that shows a part of a specification; undefined for all other blocks. */
  drawn: (block: Block) => Html | undefined
  /** Whether no block is missing that may be available the next time. */
  isWhole: boolean
}

/** Finds the file of the space that a page refers to. */
export type FileOf = (src: string) => SpecFile | undefined

interface Around {
  fileOf?: FileOf
  language?: string
}

/**
 * Draws the blocks of a page that show a part of a specification of the organization, or, in the older form, of a file
 * of the space.
 */
export async function loadSpecsFor(
  app: App,
  organizationId: string,
  blocks: readonly Block[],
  icons: Icons,
  around: Around = {},
): Promise<DrawnSpecs> {
  const { made, isWhole } = await makeAll(app, organizationId, blocks, 'markup', around)
  const drawn = new Map([...made].map(([block, markup]) => [block, trusted(markup)]))
  if (drawn.size > 0) icons.need(...iconsInside)
  return { drawn: (block) => drawn.get(block), isWhole }
}

/** The same as Markdown: returns the text of each such block. */
export async function writeSpecsFor(
  app: App,
  organizationId: string,
  blocks: readonly Block[],
  around: Around = {},
): Promise<Map<Block, string>> {
  return (await makeAll(app, organizationId, blocks, 'text', around)).made
}

/**
 * Returns a page with its specification blocks written out as text, for formats that cannot show them otherwise. `room`
 * is shared by several pages. When it is used up, blocks are left unchanged.
 */
export async function withSpecsWritten(
  app: App,
  organizationId: string,
  document: Document,
  room: { characters: number },
  around: Around = {},
): Promise<Document> {
  if (room.characters <= 0) return document
  const texts = await writeSpecsFor(app, organizationId, document.blocks, around)
  if (texts.size === 0) return document
  const written = new Map<Block, readonly Block[]>()
  for (const [block, text] of texts) {
    room.characters -= text.length
    if (room.characters < 0) break
    written.set(block, parse(text).blocks.map(withoutPlace))
    await setImmediate()
  }
  return { ...document, blocks: exchangeBlocks(document.blocks, written) }
}

async function makeAll(
  app: App,
  organizationId: string,
  blocks: readonly Block[],
  form: Manner['form'],
  { fileOf = () => undefined, language = 'en' }: Around,
): Promise<{ made: Map<Block, string>; isWhole: boolean }> {
  const all = [...everyBlock(blocks)]
  const wanted = all.filter(isSpecBlock).slice(0, mostBlocks)
  // If a heading of the page precedes an operation or has the name of a schema, the title is not repeated.
  const titled = new Set(all.filter((block, index) => isTitled(block, all[index - 1])))
  const versions = await newestFor(app, organizationId, wanted)
  const made = new Map<Block, string>()
  const room = roomFor(wanted.length)
  let isWhole = true
  let left = mostCharacters
  const until = performance.now() + mostWaitMs
  for (const [at, block] of wanted.entries()) {
    const version = versions.get(nameOf(block) ?? '')
    const file = version || block.type !== 'openapi' ? undefined : fileOf(block.src ?? '')
    const manner = { form, needsTitle: !titled.has(block), language: knownLanguage(language), room }
    const text = version
      ? await drawOnce(app, version.id, () => app.openapi.spec(organizationId, version), block, manner)
      : file &&
        (await drawOnce(
          app,
          `file ${file.blob}`,
          () => app.openapi.fileSpec(organizationId, file, until),
          block,
          manner,
        ))
    if (text === away) isWhole = false
    else if (text && (left -= text.length) >= 0) made.set(block, text.replaceAll(place, `op${at + 1}`))
  }
  return { made, isWhole }
}

function isTitled(block: Block, previous: Block | undefined): boolean {
  if (previous?.type !== 'heading') return false
  return block.type !== 'openapi-schemas' || plainText(previous.inlines).trim() === block.schemas?.trim()
}

type SpecBlock = BlockOf<'openapi' | 'openapi-operation' | 'openapi-schemas' | 'openapi-webhook'>

const isSpecBlock = (block: Block): block is SpecBlock =>
  block.type === 'openapi' ||
  block.type === 'openapi-operation' ||
  block.type === 'openapi-schemas' ||
  block.type === 'openapi-webhook'

/** The slug of a specification. The older form may contain its address instead. */
const nameOf = (block: SpecBlock) => (block.type === 'openapi' ? block.src : block.spec)

async function newestFor(
  app: App,
  organizationId: string,
  blocks: readonly SpecBlock[],
): Promise<Map<string, NewestVersion>> {
  const names = new Set(blocks.flatMap((block) => nameOf(block) ?? []))
  const found = new Map<string, NewestVersion>()
  for (const version of await app.openapi.newest(organizationId, [...names].toSorted())) {
    // Slugs take precedence over addresses, and older specifications over newer ones.
    found.set(version.slug, version)
    if (version.source_url !== null && !found.has(version.source_url)) found.set(version.source_url, version)
  }
  return found
}

/** Placeholder for the number of the block on its page. The author of a specification cannot guess it. */
const place = `op-${randomUUID()}`

/** Icons used in drawn blocks. The markup is cached, so these icons are requested again for each page. */
const iconsInside = ['chev', 'copy', 'check', 'warning'] as const

interface Manner {
  form: 'markup' | 'text'
  needsTitle: boolean
  /** A language for which translations exist. */
  language: string
  room: Room
}

const away = Symbol('away')

/** Draws a block, or takes it from the cache. `id` identifies content that never changes. */
async function drawOnce(app: App, id: string, load: () => Promise<Spec | undefined>, block: SpecBlock, manner: Manner) {
  const name = JSON.stringify([manner.form, ...partOf(block), manner.needsTitle, manner.language, manner.room.fields])
  const make = async () => {
    try {
      const spec = await load()
      // A page may have hundreds of blocks, so other requests get a turn in between.
      await setImmediate()
      return String((spec && (await drawBlock(spec, block, manner))) ?? '')
    } catch (error) {
      // Temporary errors are rethrown, so that the page is not cached without the block.
      if (passing.some((kind) => error instanceof kind)) throw error
      // A single block that cannot be drawn must not break its page.
      app.log.error({ err: error, specification: id }, 'a part of a specification cannot be drawn')
      return ''
    }
  }
  try {
    return await app.openapi.made(id, name, make)
  } catch (error) {
    if (error instanceof SpecAway) return away
    throw error
  }
}

const passing = [StoreUnavailable, DatabaseUnavailable, SpecAway]

/** Everything that the result depends on, apart from the specification. */
function partOf(block: SpecBlock): (string | undefined)[] {
  switch (block.type) {
    case 'openapi-schemas':
      return ['schemas', block.schemas]
    case 'openapi-webhook':
      return ['webhook', block.name, block.method]
    default:
      return ['operation', block.path, block.method]
  }
}

/** Loads the drawing code lazily, because most sites show no specification. */
async function drawBlock(spec: Spec, block: SpecBlock, manner: Manner): Promise<Html | string | undefined> {
  const { form, needsTitle, language, room } = manner
  const words = wordsFor(language)
  const icons = new Icons()
  if (block.type === 'openapi-schemas') {
    const names = block.schemas?.split(',').map((name) => name.trim()) ?? spec.schemaNames
    if (form === 'text') return (await import('./draw/text.ts')).writeSchemas(spec, names, { needsTitle, words, room })
    const { drawSchemas } = await import('./draw/schemas.ts')
    return drawSchemas(spec, names, { id: place, needsTitle, words, room }, icons)
  }
  const isWebhook = block.type === 'openapi-webhook'
  const found = spec.operation(isWebhook ? block.name : block.path, block.method, isWebhook)
  if (!found) return undefined
  if (form === 'text') return (await import('./draw/text.ts')).writeOperation(spec, found, { needsTitle, words, room })
  const { drawOperation } = await import('./draw/operation.ts')
  return drawOperation(spec, found, { id: place, needsTitle, words, room }, icons)
}
