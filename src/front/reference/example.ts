import { type Description, type Schema, isNull, nameOf, variantsOf } from './description.ts'

export interface ExampleParts {
  schemas: Description['components']['schemas']
  url: string
}

/**
 * Creates an example of an answer: every field once, and referenced objects with just enough fields to recognize them.
 */
export function exampleAnswer(schema: Schema, parts: ExampleParts): unknown {
  return make(schema, { ...parts, name: '', isBody: false, refsLeft: 1 })
}

/** Creates an example of a body: the required fields, or else only the first field. */
export function exampleBody(schema: Schema, parts: ExampleParts): unknown {
  return make(schema, { ...parts, name: '', isBody: true, refsLeft: 2 })
}

export function exampleValue(name: string, schema: Schema, parts: ExampleParts): unknown {
  return make(schema, { ...parts, name, isBody: true, refsLeft: 1 })
}

interface Making extends ExampleParts {
  /** The field that the value is for, which says more than its type. */
  name: string
  isBody: boolean
  refsLeft: number
}

function make(schema: Schema, making: Making): unknown {
  const name = nameOf(schema)
  if (name !== undefined) return makeNamed(making.schemas[name] ?? {}, making)
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (schema.enum) return schema.enum[0]
  if (schema.allOf) return makeObject(merge(schema.allOf, making), making)

  const chosen = variantsOf(schema).find((each) => !isNull(each)) ?? schema
  if (chosen !== schema) return make(chosen, making)
  if (schema.properties) return makeObject(schema, making)
  return makePlain(schema, making)
}

/** The number of references to follow is limited, so objects that contain each other are not a problem. */
function makeNamed(schema: Schema, making: Making): unknown {
  if (making.refsLeft > 0) return make(schema, { ...making, refsLeft: making.refsLeft - 1 })
  const chosen = variantsOf(schema)[0]!
  if (!chosen.properties) return nameOf(chosen) === undefined ? make(chosen, { ...making, isBody: true }) : {}
  const known = ['object', 'type', 'id', 'title', 'displayName']
    .filter((field) => chosen.properties![field])
    .slice(0, 2)
  return Object.fromEntries(known.map((field) => [field, make(chosen.properties![field]!, { ...making, name: field })]))
}

function makeObject({ properties = {}, required = [] }: Schema, making: Making): object {
  const all = Object.entries(properties).filter(([, each]) => !each.deprecated)
  const needed = all.filter(([name]) => required.includes(name))
  const shown = !making.isBody ? all : needed.length > 0 ? needed : all.slice(0, 1)
  return Object.fromEntries(shown.map(([name, each]) => [name, make(each, { ...making, name })]))
}

function merge(parts: Schema[], { schemas }: Making): Schema {
  const known = parts.map((each) => schemas[nameOf(each) ?? ''] ?? each)
  return {
    properties: Object.assign({}, ...known.map((each) => each.properties)),
    required: known.flatMap((each) => each.required ?? []),
  }
}

function makePlain(schema: Schema, making: Making): unknown {
  switch ([schema.type].flat()[0]) {
    case 'string':
      return makeText(schema, making)
    case 'integer':
    case 'number':
      return schema.minimum ?? (making.name === 'count' ? 42 : 1)
    case 'boolean':
      return true
    case 'array':
      return schema.items ? [make(schema.items, making)] : []
    default:
      return {}
  }
}

const id = '0199c8a4-5d1e-7c3b-9f20-6b1e4a7d8c02'

const texts: Record<string, string> = {
  id,
  title: 'Handbook',
  displayName: 'Ada Lovelace',
  email: 'ada@example.com',
  hostname: 'docs',
  label: 'Nightly export',
  description: 'How we work',
  subject: 'Explain the new export',
  slug: 'handbook',
  path: 'guides/start',
  emoji: '1f4c4',
  query: 'export',
  source: '/old/page',
}

function makeText({ format }: Schema, { name, url }: Making): string {
  if (format === 'date-time') return '2026-01-31T09:30:00.000Z'
  if (format === 'email') return texts.email!
  if (format === 'uri' || format === 'http-url' || name === 'url') return `${url}/…`
  if (name === 'location') return `${url}/v1/…`
  if (name === 'app') return `${url}/app/…`
  return texts[name] ?? (name.endsWith('Id') ? id : '…')
}
