import { percentDecoded } from '../../percent.ts'
import { type Json, type JsonObject, at, isObject, isTrue, listAt, objectAt, textAt } from './json.ts'

/** A longer chain of references leads nowhere. */
const mostSteps = 20

/** No handwritten object has more parts than this. Larger ones are not copied for each reference to them. */
const mostBeside = 1_000

const mostCallbacks = 20

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const

/** The target of a reference. */
export interface Resolved {
  value: JsonObject
  /** The place of the target, if there was a reference. The same place always has the same pointer. */
  pointer?: string
  /** The name of the target at that place. */
  name?: string
}

export interface Operation {
  /** In lower case. */
  method: string
  /** For a webhook its name, for a callback an expression. */
  path: string
  operation: JsonObject
  /** The settings for all operations of the path. */
  pathItem: JsonObject
  isWebhook: boolean
}

interface Target {
  found: Json | undefined
  place: { pointer: string; name: string }
}

/** A specification whose references all lead to another place in it. They are followed on demand. */
export class Spec {
  readonly document: JsonObject
  /** Called with the size in bytes of everything that is derived from it and kept with it. */
  onGrowth: (bytes: number) => void = () => {}
  readonly #targets = new Map<string, Target>()
  #operations: readonly Operation[] | undefined
  #byPath: Map<string, Operation[]> | undefined
  #byId: Map<string | undefined, Operation> | undefined
  #byNode: Map<JsonObject, Operation> | undefined

  constructor(document: JsonObject) {
    this.document = document
  }

  /** Follows a reference. What stands beside it (a description, for example) takes precedence over the target. */
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

  /** Returns a value of any type that was kept in another document. All other values are returned unchanged. */
  said(value: Json): Json {
    const reference = at(value, '$ref')
    const isElsewhere = typeof reference === 'string' && reference.startsWith('#/x-ext/')
    return isElsewhere ? (this.#target(reference).found ?? value) : value
  }

  /** Cached because the same few references are followed again and again. */
  #target(reference: string): Target {
    let target = this.#targets.get(reference)
    if (!target) {
      target = { found: this.#find(reference), place: placeOf(reference) }
      this.#targets.set(reference, target)
    }
    return target
  }

  /** Returns the value at a place in the document. */
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

  /** All operations that readers may see, in order. */
  get operations(): readonly Operation[] {
    return (this.#operations ??= [...this.eachOperation()])
  }

  /** One after the other: references can make millions of operations from a few lines. */
  *eachOperation(): Generator<Operation> {
    yield* this.#listOperations('paths')
    yield* this.#listOperations('webhooks')
  }

  *#listOperations(part: 'paths' | 'webhooks'): Generator<Operation> {
    for (const path of Object.keys(objectAt(this.document, part))) {
      const { value: pathItem } = this.resolve(objectAt(this.document, part)[path])
      yield* operationsAt(path, pathItem, part === 'webhooks')
    }
  }

  /**
   * Returns the callbacks of an operation. Like webhooks, these are requests from the API, to an address passed in the
   * call.
   */
  callbacksOf({ operation, isWebhook }: Operation): Operation[] {
    // A callback of a callback would only confuse readers, and may be the same one again.
    if (isWebhook) return []
    const found: Operation[] = []
    // No more than the shown ones are looked at: each of very many callbacks may refer to the same very many addresses.
    for (const each of Object.values(objectAt(operation, 'callbacks')).slice(0, mostCallbacks)) {
      const { value: paths } = this.resolve(each)
      const addresses = Object.keys(paths).filter((path) => !path.startsWith('x-'))
      for (const path of addresses.slice(0, mostCallbacks))
        found.push(...operationsAt(path, this.resolve(paths[path]).value, true))
    }
    return found.slice(0, mostCallbacks)
  }

  operation(path: string | undefined, method: string | undefined, isWebhook = false): Operation | undefined {
    const wanted = (method ?? '').toLowerCase()
    // Indexed because a page may look up very many operations.
    this.#byPath ??= Map.groupBy(this.operations, (each) => each.path)
    return this.#byPath
      .get(path ?? '')
      ?.find((each) => (each.method === wanted || wanted === '') && each.isWebhook === isWebhook)
  }

  /** Returns the operation that a link leads to, by its id or its place. */
  linkedOperation(id: string | undefined, reference: string | undefined): Operation | undefined {
    if (id !== undefined) {
      this.#byId ??= firstBy(this.operations, ({ operation }) => textAt(operation, 'operationId'))
      return this.#byId.get(id)
    }
    this.#byNode ??= firstBy(this.operations, ({ operation }) => operation)
    const node = reference === undefined ? undefined : this.at(reference)
    return isObject(node) ? this.#byNode.get(node) : undefined
  }

  /** The named schemas, in order. */
  get schemas(): JsonObject {
    return objectAt(objectAt(this.document, 'components'), 'schemas')
  }

  get schemaNames(): string[] {
    return Object.keys(this.schemas).filter((name) => !isHidden(this.schemas[name]))
  }

  /** Returns the parameters of an operation. Its own take precedence over those of its path. */
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
  for (const { method, operation } of furtherMethodsOf(objectAt(pathItem, 'additionalOperations'))) {
    const isKnown = (methods as readonly string[]).includes(method) && at(pathItem, method) !== undefined
    if (!isKnown) yield { method, path, operation, pathItem, isWebhook }
  }
}

/** Since 3.2, any other methods are allowed. Cached because very many paths may share them by reference. */
function furtherMethodsOf(additional: JsonObject): readonly Pick<Operation, 'method' | 'operation'>[] {
  const known = furtherMethods.get(additional)
  if (known) return known
  const found = Object.entries(additional).flatMap(([name, operation]) =>
    isObject(operation) && !isHidden(operation) && isMethod.test(name)
      ? [{ method: name.toLowerCase(), operation }]
      : [],
  )
  furtherMethods.set(additional, found)
  return found
}

const furtherMethods = new WeakMap<JsonObject, readonly Pick<Operation, 'method' | 'operation'>[]>()

/** If several have the same key, the first one counts. */
const firstBy = <Key>(all: readonly Operation[], keyOf: (operation: Operation) => Key): Map<Key, Operation> =>
  new Map(all.toReversed().map((each) => [keyOf(each), each]))

/** Cached because counting the parts takes as long as copying them. */
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

/** Returns the same pointer for the same place, however the reference is written. */
function placeOf(reference: string): { pointer: string; name: string } {
  const steps = stepsOf(reference.slice(reference.indexOf('#')))
  return { pointer: JSON.stringify(steps), name: steps.at(-1) ?? reference }
}

/** Returns a reference to a named schema. */
export const schemaReference = (name: string) => ({
  $ref: `#/components/schemas/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`,
})
