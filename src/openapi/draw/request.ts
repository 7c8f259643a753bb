import { exampleOfMedia, exampleOfSchema, firstExample } from './example.ts'
import { type Json, type JsonObject, at, isTrue, listAt, objectAt, textAt } from './json.ts'
import { securityOf } from './security.ts'
import { shapeOf, typesOf } from './shape.ts'
import type { Operation, Spec } from './spec.ts'

/** A request as somebody would send it, for samples to be written from. */
export interface SampleRequest {
  method: string
  url: string
  headers: [name: string, value: string][]
  body: SampleBody | undefined
}

export type SampleBody =
  | { kind: 'json'; value: Json }
  | { kind: 'form'; fields: [name: string, value: string][] }
  | { kind: 'multipart'; fields: { name: string; value: string; isFile: boolean }[] }
  | { kind: 'text'; text: string }

export function sampleRequest(spec: Spec, operation: Operation): SampleRequest {
  const parameters = spec.parametersOf(operation)
  const carried = (securityOf(spec, operation).choices[0] ?? []).flatMap(({ carries }) => carries ?? [])
  const inPlace = (place: string) => parameters.filter((each) => at(each, 'in') === place)
  const wanted = (place: string) =>
    inPlace(place)
      .filter((each) => isTrue(each, 'required') || givenExample(spec, each) !== undefined)
      .map((each): [string, string] => [textAt(each, 'name') ?? '', asText(exampleOf(spec, each))])
  const secret = (place: string) =>
    carried.filter((each) => each.in === place).map(({ name, value }): [string, string] => [name, value])

  const body = bodyOf(spec, operation)
  const cookies = [...secret('cookie'), ...wanted('cookie')].map(([name, value]) => `${name}=${value}`)
  const path = operation.path.replace(/\{([^{}]*)\}/g, (written: string, name: string) => {
    const parameter = inPlace('path').find((each) => each['name'] === name)
    const value = parameter && givenOrNumber(spec, parameter)
    return value === undefined ? written : encodeURIComponent(asText(value))
  })
  return {
    method: operation.method.toUpperCase(),
    url: serverOf(spec, operation) + path + queryOf([...secret('query'), ...wanted('query')]),
    headers: [
      ...secret('header'),
      ...wanted('header'),
      ...(cookies.length > 0 ? [['Cookie', cookies.join('; ')] as [string, string]] : []),
      ...(body?.contentType !== undefined ? [['Content-Type', body.contentType] as [string, string]] : []),
    ],
    body: body?.content,
  }
}

const queryOf = (pairs: [string, string][]) =>
  pairs.length === 0
    ? ''
    : `?${pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')}`

/** Where the first server is, its variables filled in. What is relative has a host made up for it. */
function serverOf(spec: Spec, { operation, pathItem }: Operation): string {
  const [server] = [operation, pathItem, spec.document].flatMap((holder) => listAt(holder, 'servers').slice(0, 1))
  const variables = objectAt(server, 'variables')
  const url = (textAt(server, 'url') ?? '').replace(/\{([^{}]*)\}/g, (written: string, name: string) => {
    const fallback = at(objectAt(variables, name), 'default')
    return fallback === undefined ? written : asText(fallback)
  })
  const whole = /^https?:\/\//i.test(url) ? url : `https://api.example.com${url.startsWith('/') ? url : `/${url}`}`
  return whole.replace(/\/+$/, '')
}

function exampleOf(spec: Spec, parameter: JsonObject): Json {
  return givenExample(spec, parameter) ?? exampleOfSchema(spec, schemaOf(parameter), 'request') ?? ''
}

function givenExample(spec: Spec, parameter: JsonObject): Json | undefined {
  const given = at(parameter, 'example') ?? firstExample(spec, parameter)
  if (given !== undefined) return given
  const { value } = shapeOf(spec, schemaOf(parameter))
  return at(value, 'example') ?? listAt(value, 'examples')[0]
}

/** In a path a name in brackets says more than a word that means nothing. */
function givenOrNumber(spec: Spec, parameter: JsonObject): Json | undefined {
  const isText = typesOf(shapeOf(spec, schemaOf(parameter)).value).includes('string')
  return givenExample(spec, parameter) ?? (isText ? undefined : exampleOfSchema(spec, schemaOf(parameter), 'request'))
}

const schemaOf = (parameter: JsonObject): Json => at(parameter, 'schema') ?? {}

const asText = (value: Json) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value))

/** The media type that samples are made for: JSON where there is a choice. */
export function mediaOf(holder: JsonObject): { type: string; media: JsonObject } | undefined {
  const content = objectAt(holder, 'content')
  const types = Object.keys(content)
  const type = types.find(isJson) ?? types[0]
  return type === undefined ? undefined : { type, media: objectAt(content, type) }
}

export const isJson = (type: string) => /[/+]json\b/i.test(type)

function bodyOf(spec: Spec, { operation }: Operation) {
  const { value: requestBody } = spec.resolve(at(operation, 'requestBody'))
  const found = mediaOf(requestBody)
  if (!found) return undefined
  const { type, media } = found
  const example = exampleOfMedia(spec, media, 'request')
  if (isJson(type)) return { contentType: type, content: { kind: 'json' as const, value: example ?? {} } }
  const fields =
    typeof example === 'object' && example !== null && !Array.isArray(example) ? Object.entries(example) : []
  if (/^application\/x-www-form-urlencoded/i.test(type)) {
    const pairs = fields.map(([name, value]): [string, string] => [name, asText(value)])
    return { contentType: type, content: { kind: 'form' as const, fields: pairs } }
  }
  if (/^multipart\//i.test(type)) {
    const properties = objectAt(shapeOf(spec, at(media, 'schema')).value, 'properties')
    const parts = fields.map(([name, value]) => ({
      name,
      value: asText(value),
      isFile: isFile(spec, properties[name]),
    }))
    // The program that sends it makes up the boundary, which stands in the header.
    return { contentType: undefined, content: { kind: 'multipart' as const, fields: parts } }
  }
  return { contentType: type, content: { kind: 'text' as const, text: typeof example === 'string' ? example : '…' } }
}

function isFile(spec: Spec, schema: unknown): boolean {
  const { value } = shapeOf(spec, schema)
  return value['format'] === 'binary' || at(value, 'contentMediaType') !== undefined
}
