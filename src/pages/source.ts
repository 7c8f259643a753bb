import { type Json, sameJson } from '../content/merge/entry.ts'
import { type PageFields, joinPage, putBelow, splitHead, splitPage } from '../content/page/split.ts'
import { isId } from '../ids.ts'
import { type CoverReference, type PageData, type PageLayout, layoutDefaults } from './entry-data.ts'
import { isObject } from '../objects.ts'

/** The fields that the Markdown of a page can set, with their names in entries. */
export type WrittenFields = Pick<PageData, (typeof written)[number]>

const written = [
  'title',
  'description',
  'icon',
  'emoji',
  'hidden',
  'noIndex',
  'noRobotsIndex',
  'condition',
  'layout',
  'cover',
  'variables',
] as const satisfies (keyof PageData)[]

export interface PageSource {
  /** Only the fields that the text mentions; others stay as they are. A field that the text clears is undefined. */
  fields: Partial<WrittenFields>
  body: string
  /** Stored as `source` of the page. */
  source: string
}

/** Parses submitted Markdown: the part above the body becomes fields. What is not understood stays in `source`. */
export function readPageSource(markdown: string): PageSource {
  const { fields, body, original } = splitPage(markdown)
  return { fields: { ...takenAway(fields), ...readFields(fields) }, body, source: original }
}

/** Returns the fields that are given with an empty or the default value. */
function takenAway(fields: PageFields): Partial<WrittenFields> {
  const isEmpty = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '')
  const named: [keyof WrittenFields, boolean][] = [
    ['description', isEmpty(fields.description)],
    ['icon', isEmpty(fields.icon)],
    ['emoji', isEmpty(fields.emoji)],
    ['hidden', fields.hidden === false],
    ['noIndex', fields.noIndex === false],
    ['noRobotsIndex', fields.noRobotsIndex === false],
    ['condition', isEmpty(fields.if)],
    ['layout', fields.layout === null || isObject(fields.layout)],
    ['cover', isEmpty(fields.cover)],
    ['variables', fields.vars === null || (isObject(fields.vars) && Object.keys(fields.vars).length === 0)],
  ]
  return Object.fromEntries(named.flatMap(([name, isGone]) => (isGone ? [[name, undefined]] : [])))
}

/** Returns the Markdown of a page. A field with the same value as in its text keeps that text byte for byte. */
export function writePageSource(page: Partial<WrittenFields> & { source?: string }, body: string): string {
  const before = splitHead(page.source ?? '', page.title).fields
  const said = readFields(before)
  const changed = written.filter((name) => !sameJson(said[name] as Json, page[name] as Json))
  if (changed.length === 0) return putBelow(page.source ?? '', body)

  const fields: Record<string, unknown> = { ...before }
  for (const name of changed) Object.assign(fields, writeField(name, page))
  return joinPage(withoutUndefined(fields), body, page.source ?? '')
}

function readFields(fields: PageFields): Partial<WrittenFields> {
  return withoutUndefined({
    title: text(fields.title),
    description: text(fields.description),
    icon: text(fields.icon),
    emoji: text(fields.emoji),
    hidden: flag(fields.hidden),
    noIndex: flag(fields.noIndex),
    noRobotsIndex: flag(fields.noRobotsIndex),
    condition: text(fields.if),
    layout: readLayout(fields.layout),
    cover: readCover(fields),
    variables: readVariables(fields.vars),
  })
}

const text = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined)

/** `false` is the default and not stored. */
const flag = (value: unknown) => (value === true ? true : undefined)

/** Reads `{ title: { visible: false }, width: wide }`, or the same without `visible`. */
function readLayout(value: unknown): Partial<PageLayout> | undefined {
  if (!isObject(value)) return undefined
  const layout: Record<string, Json> = {}
  for (const [name, fallback] of Object.entries(layoutDefaults)) {
    const given = value[name]
    const plain = isObject(given) ? given['visible'] : given
    if (typeof plain === typeof fallback && plain !== fallback) layout[name] = plain as Json
  }
  const size = isObject(value['cover']) ? value['cover']['size'] : undefined
  if (size === 'full') layout['coverSize'] = size
  if (layout['width'] !== 'wide') delete layout['width']
  return Object.keys(layout).length > 0 ? layout : undefined
}

function readCover(fields: PageFields): PageData['cover'] {
  const ref = readReference(fields.cover)
  const refDark = readReference(fields['coverDark'])
  if (!ref) return undefined
  const yPos = typeof fields.coverY === 'number' && fields.coverY !== 0 ? fields.coverY : undefined
  return withoutUndefined({ ref, refDark, yPos })
}

/**
 * Reads an address, or `/files/<id>`. The path of a file in a repository has a meaning only together with the
 * repository.
 */
export function readReference(value: unknown): CoverReference | undefined {
  if (typeof value !== 'string') return undefined
  const file = /^\/files\/([^/]+)$/.exec(value)?.[1]
  if (file && isId(file)) return { kind: 'file', file }
  return /^https?:\/\//i.test(value) ? { kind: 'url', url: value } : undefined
}

const writeReference = (ref: CoverReference | undefined) => (ref?.kind === 'file' ? `/files/${ref.file}` : ref?.url)

function readVariables(value: unknown): PageData['variables'] {
  if (!isObject(value)) return undefined
  const variables = Object.entries(value).filter(([, each]) => ['string', 'number', 'boolean'].includes(typeof each))
  return variables.length > 0 ? (Object.fromEntries(variables) as PageData['variables']) : undefined
}

/** Undefined values are removed from the text. */
function writeField(name: (typeof written)[number], page: Partial<WrittenFields>): Record<string, unknown> {
  switch (name) {
    case 'condition':
      return { if: page.condition }
    case 'variables':
      return { vars: page.variables }
    case 'layout':
      return { layout: page.layout && writeLayout(page.layout) }
    case 'cover':
      return {
        cover: writeReference(page.cover?.ref),
        coverDark: writeReference(page.cover?.refDark),
        coverY: page.cover?.yPos,
      }
    default:
      return { [name]: page[name] }
  }
}

function writeLayout({ coverSize, ...layout }: Partial<PageLayout>): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(layout)) fields[name] = name === 'width' ? value : { visible: value }
  if (coverSize) fields['cover'] = { visible: layout.cover ?? true, size: coverSize }
  return fields
}

/** Removes keys whose value is undefined, which means "not set". */
function withoutUndefined<Fields extends object>(fields: {
  [Name in keyof Fields]: Fields[Name] | undefined
}): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields
}
