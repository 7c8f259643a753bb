import fc from 'fast-check'
import type { Operation } from '../../src/http/spec.ts'
import type { Ids } from '../matrix/belongings.ts'
import type { Row } from '../matrix/rules.ts'
import type { World } from '../matrix/world.ts'
import { odd, oddText } from './hostile.ts'
import { type Mutation, mutate, mutation } from './mutate.ts'
import { type Known, type Schema, fitting, someOf } from './shapes.ts'

/** One request. */
export interface Case {
  method: string
  url: string
  caller: string
  headers: Record<string, string>
  body: string | undefined
}

export interface FuzzWorld extends World {
  /** Things that may be deleted, merged and given away. */
  spare: Ids
  /** Addresses that can be fetched. */
  urls: string[]
}

/**
 * Operations that end something for good. On things that are needed later, they are always called with an etag that
 * does not match.
 */
const ends = new Set([
  'mergeChangeRequest',
  'transferSpace',
  'transferCollection',
  'removeMemberFromOrganizationById',
  'unpublishSite',
  'revokeToken',
])

const isEnding = ({ method, schema }: Operation) => method === 'DELETE' || ends.has(schema.operationId ?? '')

export function casesOf(world: FuzzWorld, operation: Operation, row: Row | undefined): fc.Arbitrary<Case> {
  const known = knownIn(world)
  const { querystring, body } = operation.schema as { querystring?: Schema; body?: Schema }
  return fc
    .record({
      path: pathOf(world, operation, row),
      query: queryOf(querystring, known, row?.query?.(world.own)),
      body: body
        ? bodyOf(world, body, known, row)
        : fc.constantFrom(undefined, undefined, undefined, '{}', '[', 'null'),
      headers: headersOf(operation),
      caller: fc.constantFrom(...callers),
    })
    .map(({ path, query, body: sent, headers, caller }) => ({
      method: operation.method,
      url: query === '' ? path.url : `${path.url}?${query}`,
      caller,
      body: operation.method === 'GET' ? undefined : sent,
      headers: {
        ...(sent !== undefined && operation.method !== 'GET' && { 'content-type': 'application/json' }),
        ...headers,
        ...(isEnding(operation) && !path.isSpare && { 'if-match': '"nothing-was-ever-like-this"' }),
      },
    }))
}

const callers = [
  ...Array.from({ length: 14 }, () => 'admin'),
  'create',
  'read',
  'guest',
  'foreign admin',
  'content token',
  'none',
]

function pathOf(
  world: FuzzWorld,
  operation: Operation,
  row: Row | undefined,
): fc.Arbitrary<{ url: string; isSpare: boolean }> {
  const inRequest = operation.url.includes(':changeRequestId')
  const of = (set: Ids) => {
    const ids = row?.ids?.({ ...world.own, ...set }) ?? { ...world.own, ...set }
    return inRequest ? { ...ids, commentId: ids.requestCommentId!, commentReplyId: ids.requestReplyId! } : ids
  }
  const sets = [world.own, world.foreign, world.gone, world.hidden, world.absent, world.dead].map(of)
  const spare = of(world.spare)
  const steps = operation.url.split('/').map((step): fc.Arbitrary<string> => {
    const name = step === '*' ? step : step.slice(1)
    if (step !== '*' && !step.startsWith(':')) return fc.constant(step)
    const others = sets.map((ids) => ids[name]).filter((value) => value !== undefined)
    return fc.oneof(
      { weight: 14, arbitrary: fc.constant(of(world.own)[name] ?? 'x') },
      { weight: 1, arbitrary: fc.constantFrom(...others, 'x') },
      { weight: 1, arbitrary: oddText.map((text) => encodeURIComponent(text.toWellFormed()) || '%20') },
    )
  })
  const usual = fc.tuple(...steps).map((parts) => ({ url: parts.join('/'), isSpare: false }))
  const ofSpare = fc.constant({
    url: operation.url.replace(/:(\w+)|\*/g, (all, name?: string) => spare[name ?? all] ?? 'x'),
    isSpare: true,
  })
  return fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: ofSpare })
}

function queryOf(schema: Schema | undefined, known: Known, usual: string | undefined): fc.Arbitrary<string> {
  const names = Object.keys(schema?.properties ?? {})
  const right = (name: string) => fitting(schema!.properties![name]!, known, name).map(asText)
  const value = (name: string) =>
    fc.oneof({ weight: 4, arbitrary: right(name) }, { weight: 2, arbitrary: odd.map(asText) })
  const pairs = someOf(names, 4).chain((chosen) =>
    fc.tuple(...chosen.map((name) => fc.tuple(fc.constant(name), value(name)))),
  )
  const required = new URLSearchParams(usual)
  return fc
    .tuple(pairs, fc.constantFrom('', '', '', '', 'x=1', 'limit=0', '__proto__=1', 'page=x&page=y', '%zz', '&&='))
    .map(([chosen, more]) => {
      const query = new URLSearchParams(required)
      for (const [name, text] of chosen) query.set(name, text.toWellFormed())
      return [query.toString(), more].filter(Boolean).join('&')
    })
}

const asText = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

function bodyOf(world: World, schema: Schema, known: Known, row: Row | undefined): fc.Arbitrary<string | undefined> {
  const usual = [...(row?.body ? [row.body(world.own, world)] : []), ...(row?.naming?.(world.own) ?? [])]
  const fits = fitting(schema, known)
  const right =
    usual.length > 0
      ? fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...usual) }, { weight: 3, arbitrary: fits })
      : fits
  const changed = fc
    .tuple(right, fc.array(mutation, { maxLength: 2 }))
    .map(([value, mutations]) => applyAll(value, mutations))
  return fc.oneof(
    { weight: 20, arbitrary: changed.map((value) => JSON.stringify(value)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(undefined, '', '{', '[]', 'null', '"x"', '1', '{"a":', '\ufeff{}', '{"__proto__":{}}'),
    },
  )
}

const applyAll = (value: unknown, mutations: Mutation[]) => mutations.reduce<unknown>(mutate, value)

const headerValues: Record<string, string[]> = {
  'if-match': ['*', '"x"', 'W/"x"', ',,,', ''],
  'if-none-match': ['*', '"x"', ''],
  'idempotency-key': ['', 'key', 'a key', 'x'.repeat(300)],
  'accept-encoding': ['gzip', 'br;q=x', '*;q=0', ';;;'],
  'content-type': [
    'application/json',
    'text/plain',
    'application/json; charset=x',
    'application/x-www-form-urlencoded',
    'x',
    '',
  ],
  prefer: ['return=minimal', 'x', ''],
  range: ['bytes=0-', 'bytes=9-1', 'x'],
  'accept-language': ['*', 'x-', ';q=2'],
  'x-forwarded-for': ['x', '::1'],
}

function headersOf(operation: Operation): fc.Arbitrary<Record<string, string>> {
  const names = Object.keys(headerValues).filter((name) => !(isEnding(operation) && name === 'if-match'))
  const some = fc
    .subarray(names, { minLength: 1, maxLength: 2 })
    .chain((chosen) =>
      fc.record(Object.fromEntries(chosen.map((name) => [name, fc.constantFrom(...headerValues[name]!)]))),
    )
  return fc.oneof({ weight: 5, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: some })
}

/** The ids that fit a field with this name: mostly the caller's own, now and then those of others. */
function knownIn(world: FuzzWorld): Known {
  const names: Record<string, string> = {
    space: 'spaceId', sourceSpace: 'spaceId', collection: 'collectionId', parent: 'collectionId', page: 'pageId', into: 'pageId', targetPage: 'pageId',
    file: 'fileId', reusableContent: 'reusableContentId', users: 'userId', teams: 'teamId', members: 'userId', add: 'userId', remove: 'userId', actor: 'userId',
    creator: 'userId', contributor: 'userId', requestedReviewer: 'userId', authors: 'userId', owner: 'userId', team: 'teamId', site: 'siteId', siteSpace: 'siteSpaceId',
    siteSection: 'siteSectionId', sectionId: 'otherSectionId', sections: 'otherSectionId', defaultSiteSpace: 'siteSpaceId', defaultSiteSection: 'siteSectionId',
    siteSpaceIds: 'siteSpaceId', includedSiteSpaces: 'siteSpaceId', currentSiteSpace: 'siteSpaceId', spaces: 'thirdSpaceId', revision: 'revisionId', changeRequest: 'changeRequestId',
    spec: 'specSlug', organization: 'organizationId', shareKey: 'shareKey', id: 'siteSectionId', files: 'fileId', subdomain: 'subdomain',
  } // prettier-ignore
  const { own, foreign, gone, absent } = world
  return (field) => {
    if (/url$/i.test(field)) return world.urls
    const name = field in own ? field : names[field]
    const ids = [own, own, own, own, foreign, gone, absent].map((set) => (name === undefined ? undefined : set[name]))
    return ids.filter((id) => id !== undefined)
  }
}
