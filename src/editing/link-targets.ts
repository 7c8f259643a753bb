import type { LinkPlace } from '../content/links.ts'
import { bodyHash } from '../revisions/bodies.ts'
import { type Entry, type Kind, file, page, reusable, top } from '../revisions/entries.ts'
import { isId } from '../ids.ts'
import { type Refs, refsOf } from '../pages/entry-data.ts'
import type { Batch } from './batch.ts'

/**
 * Binds the links of all texts that a batch brought, once all its changes are made: so a link may name a page that
 * comes later in the batch. What a link means stands beside the text, which stays as it was sent. The one exception are
 * names that hold only within the batch: they are replaced by the ids they stand for.
 */
export async function bindLinks(batch: Batch): Promise<Map<string, string>> {
  const { draft } = batch
  const texts = [...draft.written].map(([id, document]) => ({ id, ...nameIds(batch, document.body, document.links) }))
  const entries = new Map<string, Entry>()
  for (const { id } of texts) {
    const entry = (await draft.find(id, page)) ?? (await draft.find(id, reusable))
    if (entry) entries.set(id, entry)
  }
  const asked = texts.flatMap(({ id, addresses }) => addresses.map((address) => ({ entry: entries.get(id)!, address })))
  const meanings = await resolve(batch, asked)

  const bodies = new Map<string, string>()
  for (const { id, body, addresses } of texts) {
    const refs: Refs = {}
    for (const address of addresses) {
      const meaning = meanings.get(keyOf(id, address))
      if (meaning !== undefined) refs[address] = meaning
    }
    const hash = bodyHash(body)
    bodies.set(hash, body)
    draft.put({ ...entries.get(id)!, doc: hash, refs: addresses.length > 0 ? refs : null })
  }
  return bodies
}

/** `./<ref>.md` and `./<ref>` become what they stand for; the others are addresses to look up. */
function nameIds(batch: Batch, body: string, links: readonly LinkPlace[]): { body: string; addresses: string[] } {
  const addresses = new Set<string>()
  let text = ''
  let from = 0
  for (const { href, start, end } of links) {
    const { address, rest } = partsOf(href)
    const ref = /^\.\/([A-Za-z0-9][A-Za-z0-9._-]*)$/.exec(address)?.[1]
    const target = ref === undefined ? undefined : (batch.refs.get(ref) ?? batch.refs.get(ref.replace(/\.md$/, '')))
    if (!target) addresses.add(address)
    // Places that overlap, as in a link around an image, are left to the first of them.
    if (!target || start < from) continue
    text += `${body.slice(from, start)}/${folders[target.kind]}/${target.id}${rest}`
    from = end
  }
  return { body: text + body.slice(from), addresses: [...addresses].filter((address) => address !== '') }
}

const folders: Record<number, string> = { [page]: 'pages', [file]: 'files', [reusable]: 'reusable-contents' }

function partsOf(href: string): { address: string; rest: string } {
  const end = href.search(/[#]/)
  return end === -1 ? { address: href, rest: '' } : { address: href.slice(0, end), rest: href.slice(end) }
}

interface Asked {
  entry: Entry
  address: string
}

const keyOf = (id: string, address: string) => `${id} ${address}`

/** What addresses mean, all of them together: one question for each level of the tree, not one for each link. */
async function resolve(batch: Batch, asked: readonly Asked[]): Promise<Map<string, string>> {
  const { draft } = batch
  const meanings = new Map<string, string>()
  const byPath: (Asked & { paths: string[][] })[] = []
  const known = new Map<string, Promise<string[][]>>()
  const foldersOf = (entry: Entry) => {
    if (!known.has(entry.entry)) known.set(entry.entry, findFolders(batch, entry))
    return known.get(entry.entry)!
  }
  await draft.load(asked.flatMap(({ address }) => byId(address)?.id ?? []))
  for (const { entry, address } of asked) {
    const named = byId(address)
    // Text that was there before goes on meaning what it meant, though its target was moved or renamed since.
    const before = refsOf(entry)[address]
    if (named) {
      if (await draft.find(named.id, named.kind))
        meanings.set(keyOf(entry.entry, address), `${words[named.kind]}:${named.id}`)
    } else if (before !== undefined && (await isHere(batch, before))) meanings.set(keyOf(entry.entry, address), before)
    else byPath.push({ entry, address, paths: pathsOf(await foldersOf(entry), address) })
  }

  const found = await findPages(
    batch,
    byPath.flatMap(({ paths }) => paths),
  )
  for (const { entry, address, paths } of byPath) {
    const hit = paths.map((path) => found.get(path.join('/'))).find((id) => id !== undefined)
    const [wanted] = paths
    if (hit !== undefined) meanings.set(keyOf(entry.entry, address), `page:${hit}`)
    else if (wanted) meanings.set(keyOf(entry.entry, address), `path:${wanted.join('/')}`)
  }
  return meanings
}

const words: Record<number, string> = { [page]: 'page', [file]: 'file', [reusable]: 'reusable-content' }
const kinds: Record<string, Kind> = { page, file, 'reusable-content': reusable }
const byFolder: Record<string, Kind> = { pages: page, files: file, 'reusable-contents': reusable }

function byId(address: string): { kind: Kind; id: string } | undefined {
  const [, folder = '', id = ''] = /^\/([a-z-]+)\/([^/]+)$/.exec(address) ?? []
  const kind = byFolder[folder]
  return kind !== undefined && isId(id) ? { kind, id } : undefined
}

async function isHere({ draft }: Batch, ref: string): Promise<boolean> {
  const [word = '', id = ''] = ref.split(':')
  const kind = kinds[word]
  return kind !== undefined && isId(id) && (await draft.find(id, kind)) !== undefined
}

/**
 * Where relative addresses of a page start, likeliest first. A page is a file beside its siblings, or, with pages below
 * it, the README of a folder.
 */
async function findFolders(batch: Batch, entry: Entry): Promise<string[][]> {
  if (entry.kind !== page) return [[]]
  const own = await pathTo(batch, entry)
  const hasPages = (await batch.draft.lastSibling(entry.entry, '')) !== undefined
  return hasPages ? [own, own.slice(0, -1)] : [own.slice(0, -1), own]
}

/** The paths of slugs that an address may mean, likeliest first. */
function pathsOf(folders: readonly string[][], address: string): string[][] {
  const plain = decoded(address.split('?')[0]!)
  if (plain === undefined) return []
  const fromTop = /^\/(?:pages\/)?(.*)$/.exec(plain)?.[1]
  const paths = fromTop === undefined ? folders.map((folder) => slugsOf(folder, plain)) : [slugsOf([], fromTop)]
  return paths.filter((path) => path !== undefined)
}

/** An empty path is the README of the whole: the first page. Undefined where it leads out of the space. */
function slugsOf(base: readonly string[], address: string): string[] | undefined {
  const path = [...base]
  for (const step of address.split('/')) {
    if (step === '..') {
      if (path.pop() === undefined) return undefined
    } else if (step !== '' && step !== '.') path.push(step)
  }
  const last = path.pop()
  if (last === undefined || /^readme\.md$/i.test(last)) return path
  return [...path, last.replace(/\.md$/, '')]
}

function decoded(address: string): string | undefined {
  try {
    return decodeURIComponent(address)
  } catch {
    return undefined
  }
}

async function pathTo({ draft }: Batch, entry: Entry): Promise<string[]> {
  const slugs = [entry.slug!]
  await draft.isWithin(entry.entry, '')
  for (let up = await draft.find(entry.parent, page); up; up = await draft.find(up.parent, page))
    slugs.unshift(up.slug!)
  return slugs
}

/** The pages at these paths, level by level. */
async function findPages(batch: Batch, paths: readonly string[][]): Promise<Map<string, string>> {
  const { draft } = batch
  const reached = new Map<string, string>([['', top]])
  const depth = Math.max(0, ...paths.map(({ length }) => length))
  for (let level = 0; level < depth; level++) {
    const slots = new Map<string, { parent: string; kind: Kind; slug: string }>()
    for (const path of paths) {
      const parent = reached.get(path.slice(0, level).join('/'))
      if (path.length <= level || parent === undefined) continue
      slots.set(path.slice(0, level + 1).join('/'), { parent, kind: page, slug: path[level]! })
    }
    await draft.loadSlots([...slots.values()])
    for (const [path, slot] of slots) {
      const occupant = await draft.occupant(slot)
      if (occupant !== undefined) reached.set(path, occupant)
    }
  }
  reached.delete('')
  if (paths.some(({ length }) => length === 0)) {
    const [first] = await draft.siblings(top)
    if (first) reached.set('', first.entry)
  }
  return reached
}
