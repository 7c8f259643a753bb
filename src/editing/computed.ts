import type { Data } from '../content/merge/entry.ts'
import type { ComputedSource, Reference } from '../pages/entry-data.ts'
import type { Step } from './batch.ts'
import type { ChangeOf } from './schema.ts'
import { isObject } from '../objects.ts'

type Sent = ChangeOf<'insert_page'>['computed']

/** What the sources known to this program are made from: each depends on one thing, under this name. */
const builtin: Record<string, { dependency: string; kind: string; field: string; props: Data }> = {
  'builtin:openapi': { dependency: 'spec', kind: 'openapi', field: 'spec', props: { models: true } },
  'builtin:translation': { dependency: 'translation', kind: 'translation', field: 'translation', props: {} },
}

/**
 * What a generated page is made from. A known source that does not name its dependency could never produce anything, so
 * it is refused.
 */
export function computedOf(step: Step, sent: Sent): ComputedSource | undefined {
  if (!sent) return undefined
  const { type, props = {}, dependencies } = sent
  const source = builtin[type]
  if (!source) return { type, props: props as Data, ...(dependencies && { dependencies: anyOf(step, dependencies) }) }

  const { dependency, kind, field } = source
  const ref = refOf(step, dependencies?.[dependency], dependency)
  const path = `computed.dependencies.${dependency}.ref`
  if (ref.kind !== kind) throw step.path.invalid(`${path}.kind`, 'const', `must be ${kind}`)
  const name = ref[field]
  if (typeof name !== 'string' || name === '') throw step.path.invalid(`${path}.${field}`, 'required', 'is required')
  if (type === 'builtin:openapi' && typeof (props['models'] ?? true) !== 'boolean') {
    throw step.path.invalid('computed.props.models', 'type', 'must be boolean')
  }
  return {
    type,
    props: { ...source.props, ...(props as Data) },
    dependencies: { [dependency]: { ref: { kind, [field]: name } } },
  }
}

/** An integration may depend on anything it names. */
function anyOf(step: Step, dependencies: Record<string, unknown>): NonNullable<ComputedSource['dependencies']> {
  return Object.fromEntries(
    Object.entries(dependencies).map(([name, each]) => [name, { ref: refOf(step, each, name) }]),
  )
}

/** Clients send back what they received, including what was found there. Only the reference is kept. */
function refOf({ path }: Step, dependency: unknown, name: string): Reference {
  const field = `computed.dependencies.${name}`
  if (!isObject(dependency)) throw path.invalid(field.slice(0, 120), 'required', 'is required')
  const { ref } = dependency
  if (!isObject(ref) || typeof ref['kind'] !== 'string') {
    throw path.invalid(`${field.slice(0, 120)}.ref`, 'required', 'must say what it refers to, with its kind')
  }
  return ref as Reference
}
