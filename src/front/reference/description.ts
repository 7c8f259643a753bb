import type { ApiDescription } from '../../http/spec.ts'

/** The parts of an OpenAPI document that the reference reads. */
export interface Description extends Omit<ApiDescription, 'paths' | 'components'> {
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>
  components: { schemas: Record<string, Schema> }
}

export interface Operation {
  method: string
  path: string
  operationId: string
  summary: string
  description?: string
  tags?: string[]
  deprecated?: boolean
  security: object[]
  'x-needs'?: string
  'x-scope'?: string
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: { 'application/json': { schema: Schema } } }
  /** Mostly JSON; files and JSON lines have other types. */
  responses: Record<string, { description: string; content?: Partial<Record<string, { schema: Schema }>> }>
}

export interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  description?: string
  schema: Schema
}

export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  deprecated?: boolean
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  patternProperties?: Record<string, Schema>
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

export interface Group {
  id: string
  title: string
  operations: Operation[]
}

/** Returns all operations, grouped by their first tag. The groups are in alphabetical order. */
export function groupOperations({ paths }: Description): Group[] {
  const groups = new Map<string, Group>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? 'other'
      const group = groups.get(tag) ?? { id: `tag-${tag}`, title: titleOf(tag), operations: [] }
      group.operations.push({ ...operation, method: method.toUpperCase(), path })
      groups.set(tag, group)
    }
  }
  return [...groups.values()].toSorted((a, b) => (a.title < b.title ? -1 : 1))
}

const abbreviations: Record<string, string> = {
  openapi: 'OpenAPI',
  sso: 'SSO',
  saml: 'SAML',
  scim: 'SCIM',
  pdf: 'PDF',
  url: 'URL',
}

/** `organization-members` → "Organization members". */
function titleOf(tag: string): string {
  const words = tag.split('-').map((word) => abbreviations[word] ?? word)
  const text = words.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Returns the name of a schema that is defined once and referenced. */
export function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.split('/').at(-1)
}

/** Returns the schemas that are allowed in this place: one, or several to choose from. */
export function variantsOf(schema: Schema): Schema[] {
  return schema.anyOf ?? schema.oneOf ?? [schema]
}

export const isNull = (schema: Schema) => schema.type === 'null'

/** Returns the schema of the items of a list: all lists have the same envelope, and only their items differ. */
export function listItem({ properties }: Schema): Schema | undefined {
  return properties?.next && properties.items?.items ? properties.items.items : undefined
}
