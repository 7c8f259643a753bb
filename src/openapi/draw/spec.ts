import { percentDecoded } from '../../percent.ts'
import { type Json, type JsonObject, at, isObject, isTrue, listAt, objectAt, textAt } from './json.ts'

/** More references behind each other than that lead nowhere. */
const mostSteps = 20

/** Nothing that people write has more parts by itself. What has is not copied for each who refers to it. */
const mostBeside = 1_000

const mostCallbacks = 20

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const

/** What a reference leads to. */
export interface Resolved {
  value: JsonObject
  /** Where it stands, if there was a reference: the same place has the same pointer. */
  pointer?: string
  /** What it is called there. */
  name?: string
}

export interface Operation {
  /** In small letters. */
  method: string
  /** Of a webhook it is its name, of a callback an expression. */
  path: string
  operation: JsonObject
  /** What holds for all operations of the path. */
  pathItem: JsonObject
  isWebhook: boolean
}

interface Target {
  found: Json | undefined
  place: { pointer: string; name: string }
}

/** A specification whose references all lead to another place in it. They are followed when somebody gets there. */
export class Spec {
  readonly document: JsonObject
  /** Told of all that is made of it and kept along with it, in bytes. */
  onGrowth: (bytes: number) => void = () => {}
  readonly #targets = new Map<string, Target>()
  #operations: readonly Operation[] | undefined
  #byPath: Map<string, Operation[]> | undefined
  #byId: Map<string | undefined, Operation> | undefined
  #byNode: Map<JsonObject, Operation> | undefined

  constructor(document: JsonObject) {
    this.document = document
  }

  /** Follows a reference. What stands beside it (a description, say) goes before what it leads to. */
  resolve(node: unknown): Resolved {
    let value: JsonObject = isObject(node) ? node : {}
    let place: { pointer?: string; name?: string } = {}
    for (let step = 0; step < mostSteps; step++) {
      const reference = at(value, '$ref')
      if (typeof reference !== 'string') return { value, ...place }
      const { $ref: _, ...beside } = value
      const target = this.#target(reference)
      place = target.place
      const { found } = target
      if (!isObject(found)) return { value: beside, ...place }
      const isMore = Object.keys(beside).length > 0 && partsIn(found) <= mostBeside
      value = isMore ? { ...found, ...beside } : found
    }
    return { value: {}, ...place }
  }

  /** A value that was kept in another document, whatever it is. All others are what they are. */
  said(value: Json): Json {
    const reference = at(value, '$ref')
    const isElsewhere = typeof reference === 'string' && reference.startsWith('#/x-ext/')
    return isElsewhere ? (this.#target(reference).found ?? value) : value
  }

  /** The same few are followed again and again. */
  #target(reference: string): Target {
    let target = this.#targets.get(reference)
    if (!target) {
      target = { found: this.#find(reference), place: placeOf(reference) }
      this.#targets.set(reference, target)
    }
    return target
  }

  /** What stands at a place of it. */
  at(reference: string): Json | undefined {
    return this.#target(reference).found
  }

  #find(reference: string): Json | undefined {
    if (!reference.startsWith('#')) return undefined
    let found: Json | undefined = this.document
    for (const step of stepsOf(reference)) {
      found = Array.isArray(found) ? (found[Number(step)] as Json | undefined) : at(found, step)
      if (found === undefined) return undefined
    }
    return found
  }

  /** Every operation that readers are told of, in order. */
  get operations(): readonly Operation[] {
    return (this.#operations ??= [...this.#listOperations('paths'), ...this.#listOperations('webhooks')])
  }

  *#listOperations(part: 'paths' | 'webhooks'): Generator<Operation> {
    for (const path of Object.keys(objectAt(this.document, part))) {
      const { value: pathItem } = this.resolve(objectAt(this.document, part)[path])
      yield* operationsAt(path, pathItem, part === 'webhooks')
    }
  }

  /** What comes back later from whoever is called: like webhooks, to an address that the call has told. */
  callbacksOf({ operation, isWebhook }: Operation): Operation[] {
    // One that answers a callback would be lost on readers, and may be the same again.
    if (isWebhook) return []
    const all = Object.values(objectAt(operation, 'callbacks')).flatMap((each) => {
      const { value: paths } = this.resolve(each)
      const addresses = Object.keys(paths).filter((path) => !path.startsWith('x-'))
      return addresses.flatMap((path) => [...operationsAt(path, this.resolve(paths[path]).value, true)])
    })
    return all.slice(0, mostCallbacks)
  }

  operation(path: string | undefined, method: string | undefined, isWebhook = false): Operation | undefined {
    const wanted = (method ?? '').toLowerCase()
    // A page may ask for each of very many.
    this.#byPath ??= Map.groupBy(this.operations, (each) => each.path)
    return this.#byPath
      .get(path ?? '')
      ?.find((each) => (each.method === wanted || wanted === '') && each.isWebhook === isWebhook)
  }

  /** The operation that a link leads to, by its id or its place. */
  linkedOperation(id: string | undefined, reference: string | undefined): Operation | undefined {
    if (id !== undefined) {
      this.#byId ??= firstBy(this.operations, ({ operation }) => textAt(operation, 'operationId'))
      return this.#byId.get(id)
    }
    this.#byNode ??= firstBy(this.operations, ({ operation }) => operation)
    const node = reference === undefined ? undefined : this.at(reference)
    return isObject(node) ? this.#byNode.get(node) : undefined
  }

  /** The schemas that have a name, in order. */
  get schemas(): JsonObject {
    return objectAt(objectAt(this.document, 'components'), 'schemas')
  }

  get schemaNames(): string[] {
    return Object.keys(this.schemas).filter((name) => !isHidden(this.schemas[name]))
  }

  /** The parameters of an operation; its own go before those of its path. */
  parametersOf({ operation, pathItem }: Operation): JsonObject[] {
    const all = new Map<string, JsonObject>()
    for (const each of [...listAt(pathItem, 'parameters'), ...listAt(operation, 'parameters')]) {
      const { value } = this.resolve(each)
      const [place, name] = [textAt(value, 'in'), textAt(value, 'name')]
      if (place !== undefined && name !== undefined && !isHidden(value)) all.set(`${place} ${name}`, value)
    }
    return [...all.values()]
  }
}

function* operationsAt(path: string, pathItem: JsonObject, isWebhook: boolean): Generator<Operation> {
  if (isHidden(pathItem)) return
  for (const method of methods) {
    const operation = at(pathItem, method)
    if (isObject(operation) && !isHidden(operation)) yield { method, path, operation, pathItem, isWebhook }
  }
  // Since 3.2 there may be any others.
  for (const [name, operation] of Object.entries(objectAt(pathItem, 'additionalOperations'))) {
    const method = name.toLowerCase()
    const isKnown = (methods as readonly string[]).includes(method) && at(pathItem, method) !== undefined
    if (isObject(operation) && !isHidden(operation) && isMethod.test(name) && !isKnown)
      yield { method, path, operation, pathItem, isWebhook }
  }
}

/** Of several with the same key, the first. */
const firstBy = <Key>(all: readonly Operation[], keyOf: (operation: Operation) => Key): Map<Key, Operation> =>
  new Map(all.toReversed().map((each) => [keyOf(each), each]))

/** To count them takes as long as to copy them. */
function partsIn(value: JsonObject): number {
  const known = parts.get(value) ?? Object.keys(value).length
  parts.set(value, known)
  return known
}

const parts = new WeakMap<JsonObject, number>()

const isMethod = /^[A-Za-z][A-Za-z-]{0,30}$/

const isHidden = (value: unknown) => isTrue(value, 'x-internal') || isTrue(value, 'x-gitbook-ignore')

function stepsOf(reference: string): string[] {
  return reference
    .slice(1)
    .split('/')
    .slice(1)
    .map((step) => (percentDecoded(step) ?? step).replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The same place has the same pointer, in whatever way the reference was written. */
function placeOf(reference: string): { pointer: string; name: string } {
  const steps = stepsOf(reference.slice(reference.indexOf('#')))
  return { pointer: JSON.stringify(steps), name: steps.at(-1) ?? reference }
}

/** A reference to a schema that has a name. */
export const schemaReference = (name: string) => ({
  $ref: `#/components/schemas/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`,
})
