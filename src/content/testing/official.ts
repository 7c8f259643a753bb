import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv, type ValidateFunction } from 'ajv'

/**
 * The types of blocks and inlines as the official client of the API describes them. Each node is checked against its
 * own type, regardless of its parent: the description allows fewer blocks inside others than Markdown does.
 */
const file = createRequire(import.meta.url).resolve('@gitbook/api/spec/openapi.json')
const spec = JSON.parse(readFileSync(file, 'utf8'), (_key, value) => asJsonSchema(value))
const ajv = new Ajv({ strict: false, validateFormats: false, logger: false }).addSchema(spec, 'client')

/** Types that are newer than this version of the client, as its later versions describe them. */
const newer: Record<string, object> = {
  'block prompt': blockSchema({
    description: { type: 'string' },
    icon: { type: 'string' },
    openInAIProviders: { type: 'boolean' },
  }),
  'block updates': blockSchema({ format: { enum: ['full', 'short', 'numeric'] } }),
  'block update': blockSchema({
    date: { type: 'string' },
    tags: {
      type: 'array',
      items: {
        type: 'object',
        required: ['kind', 'tag'],
        properties: { kind: { const: 'tag' }, tag: { type: 'string' } },
      },
    },
  }),
}

const validators = new Map<string, ValidateFunction>(
  Object.entries(newer).map(([name, schema]) => [name, ajv.compile(schema)]),
)
for (const [name, schema] of Object.entries<any>(spec.components.schemas)) {
  const { object, type } = schema.properties ?? {}
  if (!name.startsWith('Document') || !object?.enum || !type?.enum) continue
  for (const word of type.enum) {
    if (!validators.has(`${object.enum[0]} ${word}`)) {
      validators.set(`${object.enum[0]} ${word}`, ajv.compile({ $ref: `client#/components/schemas/${name}` }))
    }
  }
}
const leaf = ajv.compile({ $ref: 'client#/components/schemas/DocumentTextLeaf' })

/**
 * Adapts a schema: the nodes in lists are checked one by one, `nullable` becomes an alternative with null, and several
 * alternatives may match.
 */
function asJsonSchema(value: any): unknown {
  if (value?.properties?.nodes?.items) {
    const { nodes, ...properties } = value.properties
    const { type, minItems, maxItems } = nodes
    return { ...value, properties: { ...properties, nodes: { type, minItems, maxItems } } }
  }
  if (Array.isArray(value?.oneOf)) {
    const { oneOf, ...schema } = value
    return asJsonSchema({ ...schema, anyOf: oneOf })
  }
  if (value?.nullable !== true) return value
  const { nullable: _nullable, ...schema } = value
  return { anyOf: [schema, { type: 'null' }] }
}

function blockSchema(data: Record<string, object>): object {
  return {
    type: 'object',
    required: ['object', 'type', 'data', 'nodes'],
    properties: { data: { type: 'object', properties: data, additionalProperties: false }, nodes: { type: 'array' } },
  }
}

/** Lists everything in a document that does not fit the description. */
export function flawsOf(document: unknown): string[] {
  const flaws: string[] = []
  const check = (validate: ValidateFunction | undefined, node: any, path: string) => {
    if (!validate) flaws.push(`${path}: no ${node?.object} has the type ${node?.type}`)
    else if (!validate(node))
      flaws.push(`${path} (${node.type}): ${ajv.errorsText(validate.errors)} in ${JSON.stringify(node.data)}`)
  }
  const visit = (node: any, path: string): void => {
    if (node?.object === 'text') {
      if (!Array.isArray(node.leaves)) flaws.push(`${path}: no leaves`)
      else node.leaves.forEach((each: unknown, at: number) => check(leaf, each, `${path}.leaves[${at}]`))
      return
    }
    check(validators.get(`${node?.object} ${node?.type}`), node, path)
    visitAll(node?.nodes, `${path}.nodes`)
    for (const part of node?.fragments ?? []) {
      if (part.object !== 'fragment') flaws.push(`${path}: a fragment is none`)
      visitAll(part.nodes, `${path}.${part.type}`)
    }
  }
  const visitAll = (nodes: any, path: string) =>
    nodes?.forEach((node: unknown, at: number) => visit(node, `${path}[${at}]`))
  const { object, data, nodes } = document as any
  if (object !== 'document' || typeof data !== 'object' || !Array.isArray(nodes)) flaws.push('no document')
  visitAll(nodes, 'nodes')
  return flaws
}
