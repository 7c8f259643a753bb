import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { type Block, type BlockOf, everyBlock, exchangeBlocks } from '../content/blocks.ts'
import { withoutPlace } from '../content/evaluate.ts'
import { type Html, trusted } from '../content/html/template.ts'
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

/** A page with more of them is shown, but not all of it. */
const mostBlocks = 1_000
/** Of all of them: one long example, shown hundreds of times, is more than the memory holds. */
const mostCharacters = 16 * 1024 * 1024

export interface DrawnSpecs {
  /** A block that shows something of a specification, as readers see it; undefined for all others. */
  drawn: (block: Block) => Html | undefined
  /** Whether none is missing that may be there the next time. */
  isWhole: boolean
}

/** What a file of the space is, by how a page names it. */
export type FileOf = (src: string) => SpecFile | undefined

interface Around {
  fileOf?: FileOf
  language?: string
}

/**
 * Draws the blocks of a page that show something of a specification: of one of its organization, or, in the older form,
 * of a file of its space.
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

/** The same as Markdown: what each such block says. */
export async function writeSpecsFor(
  app: App,
  organizationId: string,
  blocks: readonly Block[],
  around: Around = {},
): Promise<Map<Block, string>> {
  return (await makeAll(app, organizationId, blocks, 'text', around)).made
}

/**
 * A page with all that it shows of specifications written out, for those who have no other way to show it. `room` is what
 * several pages share: where it is used up, a block stays what it is.
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
  // Where the page says by itself what comes now, an operation does not say it again.
  const titled = new Set(all.filter((_, index) => all[index - 1]?.type === 'heading'))
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

type SpecBlock = BlockOf<'openapi' | 'openapi-operation' | 'openapi-schemas' | 'openapi-webhook'>

const isSpecBlock = (block: Block): block is SpecBlock =>
  block.type === 'openapi' ||
  block.type === 'openapi-operation' ||
  block.type === 'openapi-schemas' ||
  block.type === 'openapi-webhook'

/** The slug of a specification; the older form may have its address instead. */
const nameOf = (block: SpecBlock) => (block.type === 'openapi' ? block.src : block.spec)

async function newestFor(
  app: App,
  organizationId: string,
  blocks: readonly SpecBlock[],
): Promise<Map<string, NewestVersion>> {
  const names = new Set(blocks.flatMap((block) => nameOf(block) ?? []))
  const found = new Map<string, NewestVersion>()
  for (const version of await app.openapi.newest(organizationId, [...names].toSorted())) {
    // A slug goes before an address, and the oldest before the others.
    found.set(version.slug, version)
    if (version.source_url !== null && !found.has(version.source_url)) found.set(version.source_url, version)
  }
  return found
}

/** Stands in for the number of the block on its page, and cannot be guessed by whoever writes a specification. */
const place = `op-${randomUUID()}`

/** What is drawn here is kept, so the icons in it are told to each page anew. */
const iconsInside = ['chev', 'copy', 'check', 'warning'] as const

interface Manner {
  form: 'markup' | 'text'
  needsTitle: boolean
  /** One that there are words for. */
  language: string
  room: Room
}

const away = Symbol('away')

/** `id` names what the specification says, for ever. */
async function drawOnce(app: App, id: string, load: () => Promise<Spec | undefined>, block: SpecBlock, manner: Manner) {
  const name = JSON.stringify([manner.form, ...partOf(block), manner.needsTitle, manner.language, manner.room.fields])
  const make = async () => {
    try {
      const spec = await load()
      // A page may have hundreds of them, and others want to be answered meanwhile.
      await setImmediate()
      return String((spec && (await drawBlock(spec, block, manner))) ?? '')
    } catch (error) {
      // What passes is no reason to keep the page without it: whoever asks then is to find it.
      if (passing.some((kind) => error instanceof kind)) throw error
      // One block that cannot be drawn must not take its page along.
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

/** All that its drawing depends on, beside the specification. */
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

/** What draws is loaded here: most sites show no specification. */
async function drawBlock(spec: Spec, block: SpecBlock, manner: Manner): Promise<Html | string | undefined> {
  const { form, needsTitle, language, room } = manner
  const words = wordsFor(language)
  const icons = new Icons()
  if (block.type === 'openapi-schemas') {
    const names = block.schemas?.split(',').map((name) => name.trim()) ?? spec.schemaNames
    if (form === 'text') return (await import('./draw/text.ts')).writeSchemas(spec, names, { words, room })
    const { drawSchemas } = await import('./draw/schemas.ts')
    return drawSchemas(spec, names, { id: place, words, room }, icons)
  }
  const isWebhook = block.type === 'openapi-webhook'
  const found = spec.operation(isWebhook ? block.name : block.path, block.method, isWebhook)
  if (!found) return undefined
  if (form === 'text') return (await import('./draw/text.ts')).writeOperation(spec, found, { needsTitle, words, room })
  const { drawOperation } = await import('./draw/operation.ts')
  return drawOperation(spec, found, { id: place, needsTitle, words, room }, icons)
}
