import { onLevels } from '../../content/levels.ts'
import { slugFrom } from '../../editing/slugs.ts'
import { english } from '../../published/words/english.ts'
import type { Words } from '../../published/words/words.ts'
import { firstCharacters } from '../../shortened.ts'
import { furtherOf } from '../draw/further.ts'
import { type JsonObject, isObject, listAt, objectAt, textAt } from '../draw/json.ts'
import type { Operation, Spec } from '../draw/spec.ts'

/** What a page that is made from a specification shows. `page` is the name of a tag. */
export type PageSource = { doc: 'operations' | 'info'; page: string } | { doc: 'models' }

/** A page made from a specification. */
export interface GeneratedPage {
  source: PageSource
  /** Stays the same from version to version, as long as the tag keeps its name. */
  key: string
  title: string
  /** The same in every language, so that no address changes with that. */
  slug: string
  description: string | undefined
  icon: string | undefined
  pages: GeneratedPage[]
}

const mostTags = 2_000

/** Where operations go that have no tag. */
const untagged = 'default'
const webhooks = 'webhooks'

/** One page for each tag, in the order of the specification and below the tag that it names as its parent. */
export function outlineOf(spec: Spec, { models, words }: { models: boolean; words: Words }): GeneratedPage[] {
  const counts = new Map<string, number>()
  for (const operation of spec.operations) {
    for (const tag of tagsOf(operation)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  }
  const described = describedTags(spec)
  const ofOperations = [...counts.keys()].filter((name) => name !== untagged && name !== webhooks)
  const last = [untagged, webhooks].filter((name) => counts.has(name))
  const names = [...new Set([...described.keys(), ...ofOperations, ...last])].slice(0, mostTags)
  const below = Map.groupBy(names, (name) => parentOf(name, described, names))

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

export const keyOfTag = (name: string) => `tag ${name}`

/** The tags of an operation, which may be none. */
export function tagsOf({ operation, isWebhook }: Operation): string[] {
  const tags = listAt(operation, 'tags').filter((tag): tag is string => typeof tag === 'string' && tag.trim() !== '')
  return tags.length > 0 ? [...new Set(tags)] : [isWebhook ? webhooks : untagged]
}

/** What the specification says about its tags, by their name. */
export function describedTags(spec: Spec): Map<string, JsonObject> {
  const tags = new Map<string, JsonObject>()
  for (const tag of listAt(spec.document, 'tags').filter(isObject)) {
    const name = textAt(tag, 'name')
    if (name !== undefined) tags.set(name, tag)
  }
  return tags
}

/** A circle of parents, or one that is not there, has no parent. */
function parentOf(name: string, described: Map<string, JsonObject>, names: readonly string[]): string | undefined {
  const parent = (of: string) => textAt(described.get(of), 'x-parent') ?? textAt(described.get(of), 'parent')
  const wanted = parent(name)
  if (wanted === undefined || !names.includes(wanted)) return undefined
  const seen = new Set([name])
  for (let up: string | undefined = wanted; up !== undefined; up = parent(up)) {
    if (seen.has(up)) return undefined
    seen.add(up)
  }
  return wanted
}

interface Said {
  tag: JsonObject
  counts: ReadonlyMap<string, number>
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

/** Small words that nothing but hyphens hold together: `audit-log`, `pet_shops`. */
const isForMachines = /^[a-z\d]+(?:[-_][a-z\d]+)+$/

function titleOf(spec: Spec, name: string, { tag, counts, words }: Said): string {
  // A specification without any tags is one page, and that is called what it is called itself.
  if (name === untagged)
    return counts.size === 1 ? (textAt(objectAt(spec.document, 'info'), 'title') ?? 'API') : words.otherOperations
  // Where it is a tag of the specification, it is a word of its own.
  if (name === webhooks && textAt(tag, 'name') === undefined) return words.webhooks
  const text = name.trim().replaceAll(/\s+/g, ' ')
  const readable = isForMachines.test(text) ? text.replaceAll(/[-_]/g, ' ') : text
  return readable.charAt(0).toUpperCase() + readable.slice(1)
}
