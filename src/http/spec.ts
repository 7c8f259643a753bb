import type { RouteOptions } from 'fastify'
import type { App, Policy } from './routes.ts'

export interface Operation {
  method: string
  /** As Fastify declares it: `/v1/orgs/:organizationId`. */
  url: string
  schema: NonNullable<RouteOptions['schema']>
  policy: Policy | undefined
  /** Accepts `Prefer: return=minimal`. */
  minimal: boolean
}

/**
 * Collects every operation of the API as its route is registered. Returns the list, which is filled while features
 * load.
 */
export function collectOperations(app: App): Operation[] {
  const operations: Operation[] = []
  app.addHook('onRoute', ({ method, url, schema, config }) => {
    if (config?.hidden || !url.startsWith('/v1')) return
    for (const each of [method].flat()) {
      if (each === 'HEAD') continue
      operations.push({
        method: each,
        url,
        schema: schema ?? {},
        policy: config?.policy,
        minimal: config?.minimal ?? false,
      })
    }
  })
  return operations
}

/** An event that is sent to subscribers: its name, and the shape of what is sent. */
export interface EventDescription {
  type: string
  summary: string
  schema: object
}

/** The OpenAPI document, made from the route schemas, so that nothing is written twice. */
export function describeApi(operations: Operation[], version: string, events: readonly EventDescription[] = []) {
  const schemas: Record<string, object> = {}
  const paths: Record<string, Record<string, object>> = {}
  const ordered = operations.toSorted((a, b) => (a.url === b.url ? order(a) - order(b) : a.url < b.url ? -1 : 1))
  for (const operation of ordered) {
    const path = openApiPath(operation.url)
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, schemas) }
  }
  const webhooks = Object.fromEntries(events.map((event) => [event.type, describeEvent(event, schemas)]))
  const tags = new Set([
    ...operations.flatMap(({ schema }) => schema.tags ?? []),
    ...(events.length > 0 ? [ofEvents] : []),
  ])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lectern',
      version,
      description:
        'Documentation hosting that you run yourself. Send `Authorization: Bearer <token>` with every request.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Relative to where the document is read. A server that delivers it sets its full address.
    servers: [{ url: '/' }],
    tags: [...tags].toSorted().map((name) => ({ name })),
    paths,
    webhooks,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  }
}

export type ApiDescription = ReturnType<typeof describeApi>

const order = ({ method }: Operation) => ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].indexOf(method)

export const openApiPath = (url: string) => url.replace(/:(\w+)/g, '{$1}').replace('*', '{pagePath}')

function describe({ url, schema, policy, minimal }: Operation, schemas: Record<string, object>) {
  const { operationId, summary, description, tags, deprecated, params, querystring, body, response } = schema
  const parameters = [
    ...parametersOf('path', params, schemas),
    // Fastify has no name for what a `*` matches, and no route schema declares it.
    ...(url.endsWith('*') ? [{ name: 'pagePath', in: 'path', required: true, schema: { type: 'string' } }] : []),
    ...parametersOf('query', querystring, schemas),
    ...(minimal ? [{ name: 'Prefer', in: 'header', required: false, schema: preference }] : []),
  ]
  return {
    operationId,
    summary,
    ...(description && { description }),
    tags,
    ...(deprecated && { deprecated }),
    ...(policy?.access === 'token' ? tokenPolicy(policy) : { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: { required: requires(body), content: json(refer(body, schemas)) } }),
    responses: {
      ...Object.fromEntries(
        Object.entries((response ?? {}) as Record<string, object>).map(([status, answer]) => [
          status.toUpperCase(),
          describeAnswer(answer, schemas),
        ]),
      ),
      ...(minimal && { 204: { description: 'Done, for those who sent `Prefer: return=minimal`' } }),
    },
  }
}

const ofEvents = 'webhooks'

function describeEvent({ type, summary, schema }: EventDescription, schemas: Record<string, object>) {
  return {
    post: {
      operationId: type,
      summary,
      tags: [ofEvents],
      security: [],
      parameters: headersOfEvents.map((header) => ({
        ...header,
        in: 'header',
        required: true,
        schema: { type: 'string' },
      })),
      requestBody: { required: true, content: json(refer(schema, schemas)) },
      responses: { '2XX': { description: 'Accepted. After any other response the delivery may be repeated.' } },
    },
  }
}

const headersOfEvents = [
  { name: 'X-Lectern-Event', description: 'The type of the event.' },
  { name: 'X-Lectern-Delivery', description: 'The id of the delivery.' },
  {
    name: 'X-Lectern-Signature',
    description:
      '`t=<unix seconds>,v1=<hex>`: v1 is HMAC-SHA256 of `<t>.<body>` with the secret of the webhook. For a day after the ' +
      'secret was rotated, there are two `v1`.',
  },
]

const preference = { type: 'string', enum: ['return=minimal', 'return=representation'] }

function tokenPolicy({ scope, needs }: Extract<Policy, { access: 'token' }>) {
  return { security: [{ token: [] }], 'x-needs': needs, ...(scope && { 'x-scope': scope }) }
}

interface ObjectSchema {
  properties?: Record<string, { description?: string }>
  required?: string[]
  anyOf?: unknown[]
}

function parametersOf(place: 'path' | 'query', schema: unknown, schemas: Record<string, object>) {
  const { properties = {}, required = [] } = (schema ?? {}) as ObjectSchema
  return Object.entries(properties).map(([name, { description, ...type }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description && { description }),
    schema: refer(type, schemas),
  }))
}

function requires(body: unknown): boolean {
  const { required = [], anyOf } = body as ObjectSchema
  return anyOf ? anyOf.every(requires) : required.length > 0
}

const json = (schema: unknown) => ({ 'application/json': { schema } })

function describeAnswer(answer: object, schemas: Record<string, object>) {
  const description = (answer as { description?: string }).description ?? 'Done'
  const { type, contentMediaType } = answer as { type?: string; contentMediaType?: string }
  if (type === 'null') return { description }
  // An answer that is not JSON is described with its media type.
  if (contentMediaType) return { description, content: { [contentMediaType]: { schema: { type } } } }
  return { description, content: json(refer(answer, schemas)) }
}

/** Schemas that have an `$id` are described once and referred to by name. */
function refer(schema: unknown, schemas: Record<string, object>): unknown {
  if (Array.isArray(schema)) return schema.map((each) => refer(each, schemas))
  if (typeof schema !== 'object' || schema === null) return schema
  const { $id, ...rest } = schema as { $id?: string }
  // Our validator accepts a discriminator for any kinds; OpenAPI only for kinds that have a name, which ours do not.
  const told = Object.entries(rest).filter(([key]) => key !== 'discriminator' || !('oneOf' in rest))
  const inner = Object.fromEntries(told.map(([key, value]) => [key, refer(value, schemas)]))
  if ($id === undefined) return inner
  schemas[$id] ??= inner
  return { $ref: `#/components/schemas/${$id}` }
}
