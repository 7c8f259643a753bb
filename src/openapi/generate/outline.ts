import { onLevels } from '../../content/levels.ts'
import { slugFrom } from '../../editing/slugs.ts'
import { english } from '../../published/words/english.ts'
import type { Words } from '../../published/words/words.ts'
import { firstCharacters } from '../../shortened.ts'
import { furtherOf } from '../draw/further.ts'
import { type JsonObject, isObject, listAt, objectAt, textAt } from '../draw/json.ts'
import type { Operation, Spec } from '../draw/spec.ts'

/** What a page generated from a specification shows. `page` is the name of a tag. */
export type PageSource = { doc: 'operations' | 'info'; page: string } | { doc: 'models' }

/** A page generated from a specification. */
export interface GeneratedPage {
  source: PageSource
  /** Stays the same across versions, as long as the tag keeps its name. */
  key: string
  title: string
  /** The same in every language, so that addresses do not change with it. */
  slug: string
  description: string | undefined
  icon: string | undefined
  pages: GeneratedPage[]
}

const mostTags = 2_000
/** An operation is shown in full on the page of each of its tags. */
const mostTagsOfOperation = 20

/** The tag for operations that have none. */
const untagged = 'default'
const webhooks = 'webhooks'

/** Returns one page per tag, in the order of the specification and below the tag that it names as its parent. */
export function outlineOf(spec: Spec, { models, words }: { models: boolean; words: Words }): GeneratedPage[] {
  const { described, operations: counts } = tagsIn(spec)
  const ofOperations = [...counts.keys()].filter((name) => name !== untagged && name !== webhooks)
  const last = [untagged, webhooks].filter((name) => counts.has(name))
  const names = [...new Set([...described.keys(), ...ofOperations, ...last])].slice(0, mostTags)
  const below = Map.groupBy(names, parentsOf(names, described))

  const make = (name: string): GeneratedPage[] => {
    const pages = (below.get(name) ?? []).flatMap(make)
    const tag = described.get(name) ?? {}
    const hasText = textAt(tag, 'description') !== undefined || furtherOf(tag, words) !== undefined
    if (!counts.has(name) && !hasText && pages.length === 0) return []
    const source: PageSource = { doc: counts.has(name) ? 'operations' : 'info', page: name }
    return [{ source, key: keyOfTag(name), ...looksOf(spec, name, { tag, counts, words }), pages }]
  }
  const pages = onLevels((below.get(undefined) ?? []).flatMap(make), 'pages')
  return models && spec.schemaNames.length > 0 ? [...pages, modelsPage(words)] : pages
}

const modelsPage = ({ models }: Words): GeneratedPage => ({
  source: { doc: 'models' },
  key: 'models',
  title: models,
  slug: slugFrom(english.models),
  description: undefined,
  icon: undefined,
  pages: [],
})

const keyOfTag = (name: string) => `tag ${name}`

/** The tags described in a specification, by name, and the operations of each tag. */
interface Tags {
  described: ReadonlyMap<string, JsonObject>
  operations: ReadonlyMap<string, readonly Operation[]>
  /** The tag that the first page is generated from. */
  first: string | undefined
}

const known = new WeakMap<Spec, Tags>()

/** Cached because a specification never changes, and each of thousands of pages asks for this. */
export function tagsIn(spec: Spec): Tags {
  let tags = known.get(spec)
  if (!tags) {
    tags = { described: describedTags(spec), operations: operationsByTag(spec), first: undefined }
    known.set(spec, tags)
    const [first] = outlineOf(spec, { models: false, words: english })
    tags.first = first && 'page' in first.source ? first.source.page : undefined
  }
  return tags
}

function operationsByTag(spec: Spec): Map<string, Operation[]> {
  const operations = new Map<string, Operation[]>()
  for (const operation of spec.operations) {
    for (const tag of tagsOf(operation)) {
      const beside = operations.get(tag)
      if (beside) beside.push(operation)
      else operations.set(tag, [operation])
    }
  }
  return operations
}

/** Returns the tags of an operation, or a default one if it has none. */
function tagsOf({ operation, isWebhook }: Operation): string[] {
  const listed = listAt(operation, 'tags').slice(0, mostTagsOfOperation)
  const tags = listed.filter((tag): tag is string => typeof tag === 'string' && tag.trim() !== '')
  return tags.length > 0 ? [...new Set(tags)] : [isWebhook ? webhooks : untagged]
}

function describedTags(spec: Spec): Map<string, JsonObject> {
  const tags = new Map<string, JsonObject>()
  for (const tag of listAt(spec.document, 'tags').filter(isObject)) {
    const name = textAt(tag, 'name')
    if (name !== undefined) tags.set(name, tag)
  }
  return tags
}

/** A tag whose parents form a circle, or whose parent does not exist, has no parent. */
function parentsOf(names: readonly string[], described: Tags['described']): (name: string) => string | undefined {
  const all = new Set(names)
  const parent = (of: string) => textAt(described.get(of), 'x-parent') ?? textAt(described.get(of), 'parent')
  const endless = new Map<string, boolean>()
  const isEndless = (name: string): boolean => {
    const way = new Set<string>()
    let up: string | undefined = name
    for (; up !== undefined && !endless.has(up) && !way.has(up); up = parent(up)) way.add(up)
    const answer = up !== undefined && (endless.get(up) ?? true)
    for (const each of way) endless.set(each, answer)
    return answer
  }
  return (name) => {
    const wanted = parent(name)
    return wanted !== undefined && all.has(wanted) && !isEndless(name) ? wanted : undefined
  }
}

interface Said {
  tag: JsonObject
  counts: Tags['operations']
  words: Words
}

function looksOf(spec: Spec, name: string, said: Said) {
  const { tag } = said
  const given = textAt(tag, 'x-page-title') ?? textAt(tag, 'x-displayName') ?? textAt(tag, 'summary')
  const titleIn = (words: Words) => firstCharacters(given ?? titleOf(spec, name, { ...said, words }), 100)
  return {
    title: titleIn(said.words),
    slug: slugFrom(titleIn(english)),
    description: textAt(tag, 'x-page-description') && firstCharacters(textAt(tag, 'x-page-description')!, 200),
    icon: /^[a-z0-9-]{1,50}$/.exec(textAt(tag, 'x-page-icon') ?? '')?.[0],
  }
}

/** Lower-case words joined by hyphens or underscores only: `audit-log`, `pet_shops`. */
const isForMachines = /^[a-z\d]+(?:[-_][a-z\d]+)+$/

function titleOf(spec: Spec, name: string, { tag, counts, words }: Said): string {
  // A specification without tags is a single page, which has the title of the specification.
  if (name === untagged)
    return counts.size === 1 ? (textAt(objectAt(spec.document, 'info'), 'title') ?? 'API') : words.otherOperations
  // If the specification has a tag of this name, it is an ordinary tag.
  if (name === webhooks && textAt(tag, 'name') === undefined) return words.webhooks
  const text = name.trim().replaceAll(/\s+/g, ' ')
  const readable = isForMachines.test(text) ? text.replaceAll(/[-_]/g, ' ') : text
  return readable.charAt(0).toUpperCase() + readable.slice(1)
}
