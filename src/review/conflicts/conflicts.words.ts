import type { Conflict } from '../../content/merge/conflicts.ts'
import type { Entry, Json } from '../../content/merge/entry.ts'
import { pageData } from '../../pages/entry-data.ts'
import type { PageTree } from '../../pages/tree.ts'
import { top } from '../../revisions/entries.ts'
import type { ShownDecision } from './conflicts.load.ts'
import { isObject } from '../../objects.ts'

type About = ShownDecision['type']

/** What a conflict is about, in words for people. */
export const nouns: Record<About, string> = {
  page: 'page',
  file: 'file',
  'reusable-content': 'reusable content',
  variable: 'variable',
}

const fields: Record<string, string> = {
  title: 'title',
  slug: 'address',
  emoji: 'emoji',
  icon: 'icon',
  description: 'description',
  type: 'kind of page',
  hidden: 'setting that hides it from the menu',
  noIndex: 'setting that keeps it out of the search',
  noRobotsIndex: 'setting that keeps it out of search engines',
  condition: 'condition for being shown',
  cover: 'cover',
  target: 'target of the link',
  computed: 'source that it is made from',
  translatedFrom: 'page that it translates',
  source: 'front matter',
  name: 'name',
  value: 'value',
  blob: 'content of the file',
  body: 'text',
  place: 'place',
}

export function fieldName(field: string): string {
  const [name, inner] = field.split(/\.(.*)/s)
  if (name === 'layout' && inner !== undefined) return `layout (${inner})`
  if (name === 'variables' && inner !== undefined) return `variable ${inner}`
  return fields[field] ?? field
}

export function whatHappened({ kind, field }: Conflict, type: About): string {
  switch (kind) {
    case 'body':
      return 'Both sides changed the same lines of its text.'
    case 'field':
      return `Both sides changed its ${fieldName(field)} in different ways.`
    case 'place':
      return 'Both sides moved it to different places.'
    case 'cycle':
      return 'Both sides moved pages so that each would be below the other. It stays where it is in the main content.'
    case 'deleted-here':
      return `The change request deletes this ${nouns[type]}; the main content has changed it in the meantime.`
    case 'deleted-there':
      return `The main content has deleted this ${nouns[type]}; the change request changes it.`
    case 'parent-deleted-here':
      return 'The change request deletes this page; the main content has added a page below it in the meantime.'
    case 'parent-deleted-there':
      return 'The main content has deleted this page; the change request has another one below it.'
  }
}

/** Returns the value of a side in words. Undefined if it is empty. */
export function valueText(field: string, value: Json, tree: PageTree, about: string): string | undefined {
  if (value === null || value === '') return undefined
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return JSON.stringify(value)
  if (field === 'place') return placeText(value, tree, about)
  if (field === 'cover' && isObject(value.ref)) return referenceText(value.ref, tree)
  return field === 'target' ? referenceText(value, tree) : JSON.stringify(value)
}

function referenceText(ref: Record<string, Json>, tree: PageTree): string {
  const found = typeof ref.page === 'string' ? tree.byId.get(ref.page) : undefined
  if (found) return `The page “${titleOf(found)}”`
  return typeof ref.url === 'string' ? ref.url : `A ${typeof ref.kind === 'string' ? ref.kind : 'reference'}`
}

/** Returns in words below which page, and after which other one. */
function placeText({ parent, position }: Record<string, Json>, tree: PageTree, about: string): string {
  const above = typeof parent === 'string' ? tree.byId.get(parent) : undefined
  const where =
    parent === top ? 'At the top level' : above ? `Below “${titleOf(above)}”` : 'Below a page that does not exist'
  if (typeof parent !== 'string' || typeof position !== 'string') return where
  const siblings = tree.childrenOf(parent).filter(({ entry }) => entry !== about)
  const before = siblings.findLast((each) => each.position! < position)
  if (before) return `${where}, after “${titleOf(before)}”`
  return siblings.length > 0 ? `${where}, first` : where
}

const titleOf = (entry: Entry) => pageData(entry).title
