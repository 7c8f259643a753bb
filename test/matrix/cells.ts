import type { Operation } from '../../src/http/spec.ts'
import type { Ids } from './belongings.ts'
import type { Caller } from './callers.ts'
import { type Row, type Verdict, has } from './rules.ts'
import type { World } from './world.ts'

/** One request to the server, and the expected answer. */
export interface Cell {
  operation: Operation
  row: Row
  caller: Caller
  /** Which ids: `own`, `all foreign`, `foreign spaceId`… */
  ids: string
  url: string
  body: unknown
  expected: Expected
  /**
   * The ids of another cell whose answer must be the same: something that exists but is not for the caller must look
   * like something that does not exist.
   */
  like?: string
}

export interface Expected {
  statuses: number[] | 'through'
  type?: string
}

interface Choice {
  name: string
  /** Another spelling of the same address. */
  write?: (url: string) => string
  ids: Ids
  /** The ids that are used in the body. */
  body: Ids
  /** Whose ids they are, if they all belong together. If they do not, nothing exists at the address. */
  whole: 'own' | 'foreign' | 'hidden' | 'deleted' | undefined
  /** Where the ids that are right are looked up. */
  container: 'own' | 'foreign' | 'hidden' | 'nowhere'
  /**
   * The name of the choice with an absent id in the same position of the path. `set` is the set of the id that is used
   * there instead.
   */
  like?: string
  set?: (typeof sets)[number]
}

const sets = ['absent', 'foreign', 'gone', 'hidden', 'dead'] as const

/** All cells of an operation: for its path, its body, and other forms of its address. */
export function cellsOf(world: World, operation: Operation, row: Row): Cell[] {
  const choices = choicesOf(world, operation, row)
  const ofBodies = world.callers.flatMap((caller) => bodyCells(world, operation, row, caller))
  const ofPaths = world.callers.flatMap((caller) => {
    const few = choices.filter(({ name, whole }) => whole !== undefined || name.startsWith('absent'))
    const fewer = choices.filter(({ name }) => name === 'own' || name === 'all foreign')
    const isOutside = caller.kind === 'person' && caller.name !== 'foreign admin' && caller.member('own') === undefined
    return (isWorthless(caller) ? fewer : isOutside ? few : choices)
      .filter(({ whole }) => (whole !== 'own' && whole !== 'foreign') || !row.notFor?.(caller, whole))
      .map((choice): Cell => {
        const expected = expect(row, caller, choice)
        return {
          operation,
          row,
          caller,
          ids: choice.name,
          url: (choice.write ?? same)(addressOf(operation, row, choice.ids)),
          body: bodyOf(operation, row, choice.body, world),
          expected,
          ...(choice.like && !isKnown(caller, choice) && { like: choice.like }),
        }
      })
  })
  return [...ofPaths, ...ofBodies, ...formCells(world, operation, row)]
}

/** Below these addresses comes a name that people choose, and x is such a name. */
const aboveNames = new Set(['/v1/orgs/:organizationId/openapi'])

const forms: ((path: string) => string)[] = [
  (path) => `${path}/x.js`,
  (path) => `${path}.js`,
  (path) => `${path}/`,
  (path) => `${path}%2f`,
  (path) => path.replace('/v1/', '/v1//'),
  (path) => path.replace(/\/([^/]*)$/, '%2f$1'),
]

/** An operation has one address. Similar addresses lead nowhere, even for callers who may do everything. */
function formCells(world: World, operation: Operation, row: Row): Cell[] {
  if (operation.url === '/v1/' || aboveNames.has(operation.url)) return []
  const ids = withRequestComments(operation.url, row.ids?.(world.own) ?? world.own)
  const [path, query] = addressOf(operation, row, ids).split('?')
  const admin = world.callers.find(({ name }) => name === 'admin')!
  // In the path of a page, a slash at the end is part of the requested path.
  const here = operation.url.endsWith('*') ? forms.filter((form) => !form('').match(/^(\/|%2f)$/)) : forms
  return here.map((form, i) => ({
    operation,
    row,
    caller: admin,
    ids: `own, written otherwise (${i})`,
    url: form(path!) + (query ? `?${query}` : ''),
    body: bodyOf(operation, row, ids, world),
    expected: { statuses: [404] },
  }))
}

/** The ids do not matter for these callers: their requests end before the ids are looked at. */
const isWorthless = ({ kind, narrowed }: Caller) => kind === 'refused' || kind === 'nobody' || narrowed !== undefined

/**
 * An allowed caller names something in the body that is not for them. The answer is the same as if it did not exist,
 * and nothing is done.
 */
function bodyCells(world: World, operation: Operation, row: Row, caller: Caller): Cell[] {
  if (!row.naming || caller.kind !== 'person' || caller.narrowed || row.verdict(caller, 'own') !== 'through') return []
  const ownIds = withRequestComments(operation.url, row.ids?.(world.own) ?? world.own)
  const url = addressOf(operation, row, ownIds)
  const own = row.naming(world.own).map((body) => JSON.stringify(body))
  const seen = caller.member('own') === 'admin' ? sets.filter((set) => set !== 'hidden') : sets
  return seen.flatMap((set) =>
    row.naming!({ ...world.own, ...world[set] }).flatMap((body, i): Cell[] => {
      if (JSON.stringify(body) === own[i]) return []
      const expected = { statuses: [400, 404] }
      const cell = { operation, row, caller, ids: `${set} in body ${i}`, url, body, expected }
      return [set === 'absent' ? cell : { ...cell, like: `absent in body ${i}` }]
    }),
  )
}

/** Whether the caller may see the thing whose id was put there. Then the answer says what is missing below it. */
const isKnown = (caller: Caller, { set }: Choice) =>
  (set === 'foreign' && caller.member('foreign') !== undefined) ||
  (set === 'hidden' && (caller.member('own') === 'admin' || caller.kind === 'visitor'))

const isHideable = (name: string) => name === 'spaceId' || name === 'collectionId'

const same = (url: string) => url

/** Percent-encodes the first letter of every id. */
const encoded = (url: string) =>
  url.replace(/\/([0-9a-f])(?=[0-9a-f]{7}-)/g, (_, letter: string) => `/%${letter.charCodeAt(0).toString(16)}`)

function choicesOf(world: World, { url, method }: Operation, row: Row): Choice[] {
  const of = (ids: Ids) => withRequestComments(url, row.ids?.(ids) ?? ids)
  const own = of(world.own)
  const params = paramsOf(url)
  const choices: Choice[] = [{ name: 'own', ids: own, body: own, whole: 'own', container: 'own' }]
  if (params.length === 0) return choices

  choices.push({
    name: 'all foreign',
    ids: of(world.foreign),
    body: of(world.foreign),
    whole: 'foreign',
    container: 'foreign',
  })
  if (method === 'GET') choices.push({ ...choices[0]!, name: 'own, encoded', write: encoded })
  if (row.creates) return choices
  const gone = of(world.gone)
  if (params.some((param) => gone[param] !== own[param])) {
    const isOrganization = params[0] === 'organizationId'
    choices.push({
      name: 'all gone',
      ids: gone,
      body: own,
      whole: row.takesDeleted ? 'deleted' : undefined,
      container: isOrganization ? 'own' : 'nowhere',
    })
  }
  if (params.some(isHideable)) {
    choices.push({
      name: 'all hidden',
      ids: of({ ...world.own, ...world.hidden }),
      body: own,
      whole: 'hidden',
      container: 'hidden',
    })
  }
  params.forEach((param, i) => {
    // With a single parameter, the choices for all parameters cover the other sets.
    for (const set of params.length > 1 ? sets : (['absent'] as const)) {
      const other = of({ ...world.own, ...world[set] })[param]!
      if (other === own[param]) continue
      // Members and teams belong to the organization, so they are also valid with another space of it.
      if (set === 'hidden' && i === 0 && params.slice(1).every((each) => each === 'userId' || each === 'teamId'))
        continue
      // What is the same in every organization is also valid with another organization, as if all ids were foreign.
      if (set === 'foreign' && i === 0 && params.slice(1).every((each) => each === 'described')) continue
      choices.push({
        name: `${set} ${param}`,
        ids: { ...own, [param]: other },
        body: own,
        whole: undefined,
        container: i > 0 ? 'own' : 'nowhere',
        ...(set !== 'absent' && { like: `absent ${param}`, set }),
      })
    }
  })
  const draft = draftOf(url, params, world.own)
  if (draft) choices.push({ name: 'draft', ids: { ...own, ...draft }, body: own, whole: undefined, container: 'own' })
  return choices
}

const paramsOf = (url: string) => [...url.matchAll(/:(\w+)|\*/g)].map(([all, name]) => name ?? all)

/** In a change request, comments have other ids than outside of it. */
function withRequestComments(url: string, ids: Ids): Ids {
  if (!url.includes(':changeRequestId')) return ids
  return { ...ids, commentId: ids.requestCommentId!, commentReplyId: ids.requestReplyId! }
}

/** The ids of things that exist only in the change request. Outside of it, they must not be found. */
function draftOf(url: string, params: string[], own: Ids): Ids | undefined {
  if (url.includes(':changeRequestId')) return undefined
  const drafts: Ids = {
    pageId: own.draftPageId!,
    fileId: own.draftFileId!,
    reusableContentId: own.draftReusableId!,
    '*': own.draftPath!,
  }
  const named = params.filter((param) => param in drafts)
  return named.length === 0 ? undefined : Object.fromEntries(named.map((param) => [param, drafts[param]!]))
}

function addressOf({ url }: Operation, row: Row, ids: Ids): string {
  const path = url.replace(/:(\w+)|\*/g, (all, name?: string) => ids[name ?? all]!)
  const query = row.query?.(ids)
  return query ? `${path}?${query}` : path
}

function bodyOf(operation: Operation, row: Row, ids: Ids, world: World): unknown {
  return row.body ? row.body(ids, world) : operation.schema.body ? {} : undefined
}

function expect(row: Row, caller: Caller, choice: Choice): Expected {
  if (caller.kind === 'refused') return { statuses: [401], type: 'unauthenticated' }
  if (caller.kind === 'nobody' && !row.open) return { statuses: [401], type: 'unauthenticated' }
  if (caller.narrowed && (!row.open || row.whole)) return { statuses: [403], type: 'insufficient_scope' }
  if (caller.kind === 'visitor' && !row.readers) return { statuses: [403], type: 'insufficient_scope' }
  if (row.anyId) return { statuses: 'through' }
  return withVerdict(verdictOf(row, caller, choice), choice.whole !== undefined)
}

function verdictOf(row: Row, caller: Caller, { whole, container }: Choice): Verdict {
  const place = whole ?? container
  if (place === 'nowhere') return 404
  // Only callers who may restore it know that it existed.
  if (place === 'deleted') return has(caller.member('own'), 'create') ? 'through' : 404
  // The site shows two of the spaces to its visitors, even if they are closed to members.
  if (caller.kind === 'visitor') return place === 'foreign' ? 404 : 'through'
  if (place === 'foreign') return row.verdict(caller, 'foreign')
  return row.verdict(place === 'hidden' ? closedTo(caller) : caller, 'own')
}

/** On closed things, nobody has a role except for the administrators of the organization. */
function closedTo(caller: Caller): Caller {
  return { ...caller, on: (of) => (caller.member(of) === 'admin' ? 'admin' : null) }
}

/**
 * A caller without the right may first be refused, or first be told that nothing exists there. Both are right, and
 * neither reveals more.
 */
function withVerdict(verdict: Verdict, isWhole: boolean): Expected {
  if (isWhole) return { statuses: verdict === 'through' ? 'through' : [verdict] }
  return { statuses: verdict === 403 ? [403, 404] : [404] }
}
