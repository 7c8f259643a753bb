import { exampleOfMedia, exampleOfParameter, exampleOfSchema, schemaOf } from './example.ts'
import { type Json, type JsonObject, at, isObject, isTrue, objectAt, textAt } from './json.ts'
import { securityOf } from './security.ts'
import { asText, formPairs, pathText, queryPairs, simpleText } from './serialize.ts'
import { asAddress } from '../../percent.ts'
import { addressOf, filled, serversOf } from './servers.ts'
import { isFile, isList, shapeOf, typesOf } from './shape.ts'
import type { Operation, Spec } from './spec.ts'
import { writeXml } from './xml.ts'

/** A request as a client would send it. The samples are written from it. */
export interface SampleRequest {
  method: string
  url: string
  headers: [name: string, value: string][]
  body: SampleBody | undefined
  answered: Answered
}

export type SampleBody =
  | { kind: 'json'; value: Json }
  | { kind: 'form'; fields: [name: string, value: string][] }
  | { kind: 'multipart'; fields: { name: string; value: string; isFile: boolean }[] }
  | { kind: 'text'; text: string }
  | { kind: 'file' }

/** What a successful response contains; `nothing` if the specification documents no content. */
export type Answered = 'json' | 'text' | 'file' | 'nothing'

export function sampleRequest(spec: Spec, operation: Operation, values?: number): SampleRequest {
  const parameters = spec.parametersOf(operation)
  const carried = (securityOf(spec, operation).choices[0] ?? []).flatMap(({ carries }) => carries ?? [])
  const inPlace = (place: string) => parameters.filter((each) => at(each, 'in') === place)
  const wanted = (place: string) =>
    inPlace(place).filter((each) => isTrue(each, 'required') || exampleOfParameter(spec, each) !== undefined)
  const simple = (each: JsonObject): [string, string] => [
    textAt(each, 'name') ?? '',
    simpleText(each, exampleOf(spec, each)),
  ]
  const secret = (place: string) =>
    carried.filter((each) => each.in === place).map(({ name, value }): [string, string] => [name, value])

  const body = bodyOf(spec, operation, values)
  const cookies = [...secret('cookie'), ...wanted('cookie').map(simple)].map(([name, value]) => `${name}=${value}`)
  const query = [
    ...secret('query').map((pair) => pair.map(encodeURIComponent)),
    ...wanted('query').flatMap((each) => queryPairs(each, exampleOf(spec, each))),
    ...wanted('querystring').flatMap((each) => wholeQuery(exampleOf(spec, each))),
  ]
  // If several have the same name, the first counts.
  const inPath = new Map(
    inPlace('path')
      .map((each) => [each['name'], each] as const)
      .toReversed(),
  )
  const path = filled(operation.path, (name) => {
    const parameter = inPath.get(name)
    const value = parameter && givenOrNumber(spec, parameter)
    return parameter && value !== undefined ? pathText(parameter, value) : undefined
  })
  const ownHeaders: [string, string][] = [
    ...secret('header'),
    ...(cookies.length > 0 ? [['Cookie', cookies.join('; ')] as [string, string]] : []),
    ...(body?.contentType !== undefined ? [['Content-Type', body.contentType] as [string, string]] : []),
  ]
  // Headers that the request has anyway take precedence over parameters of the same name.
  const known = new Set(ownHeaders.map(([name]) => name.toLowerCase()))
  const others = wanted('header')
    .map(simple)
    .filter(([name]) => !known.has(name.toLowerCase()) && !(body && /^content-type$/i.test(name)))
  return {
    method: operation.method.toUpperCase(),
    url: asAddress(
      addressOf(serversOf(spec, operation)[0]) +
        path +
        (query.length === 0 ? '' : `?${query.map((pair) => pair.join('=')).join('&')}`),
    ),
    headers: [...secret('header'), ...others, ...ownHeaders.slice(secret('header').length)],
    body: body?.content,
    answered: answeredBy(spec, operation),
  }
}

/** Returns the pairs of a query that is a single parameter: its fields, or its text. */
const wholeQuery = (value: Json): string[][] =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, each]) =>
        formPairs(name, each, {}).map((pair) => pair.map(encodeURIComponent)),
      )
    : [[typeof value === 'string' && value.includes('=') ? value : encodeURIComponent(asText(value))]]

function answeredBy(spec: Spec, { operation, method }: Operation): Answered {
  if (method === 'head') return 'nothing'
  const [status, response] =
    Object.entries(objectAt(operation, 'responses')).find(([each]) => each.startsWith('2')) ?? []
  if (status === undefined) return 'json'
  const found = mediaOf(spec.resolve(response).value)
  if (!found) return 'nothing'
  if (isJson(found.type) || found.type === '*/*') return 'json'
  return /^text\/|xml|yaml|csv|html/i.test(found.type) ? 'text' : 'file'
}

function exampleOf(spec: Spec, parameter: JsonObject): Json {
  return exampleOfParameter(spec, parameter) ?? exampleOfSchema(spec, schemaOf(parameter), 'request') ?? ''
}

/** Returns undefined for texts without an example: in a path, the name in braces says more than a made-up word. */
function givenOrNumber(spec: Spec, parameter: JsonObject): Json | undefined {
  const isText = typesOf(shapeOf(spec, schemaOf(parameter)).value).includes('string')
  return (
    exampleOfParameter(spec, parameter) ?? (isText ? undefined : exampleOfSchema(spec, schemaOf(parameter), 'request'))
  )
}

/** Returns the media type that samples are made for: JSON if it is one of several. */
export function mediaOf(holder: JsonObject): { type: string; media: JsonObject } | undefined {
  const content = objectAt(holder, 'content')
  const types = Object.keys(content)
  const type = types.find(isJson) ?? types[0]
  if (type === undefined) return undefined
  const media = objectAt(content, type)
  const schema = schemaFor(type, media)
  return { type, media: schema === undefined ? media : { ...media, schema } }
}

/** Returns a schema for a body that has none, or an empty one. */
function schemaFor(type: string, media: JsonObject): Json | undefined {
  const schema = at(media, 'schema')
  const isUntold = schema === undefined || (isObject(schema) && Object.keys(schema).length === 0)
  if (!isUntold || at(media, 'example') !== undefined || at(media, 'examples') !== undefined) return undefined
  // Since 3.1, binary content is described by its media type alone.
  return at(media, 'itemSchema') ?? (hasBytes(type) ? { contentMediaType: type } : undefined)
}

/**
 * Whether the media type is binary (pictures, archives and the like), so that showing the content would be of no use.
 */
const hasBytes = (type: string) =>
  /^(?:image|audio|video|font)\/|^application\/(?:octet-stream|pdf|zip|gzip|x-(?:tar|gzip|zip|7z)|vnd\.(?:ms-|openxml))/i.test(
    type,
  ) && !isXml(type)

export const isJson = (type: string) => /[/+]json\b/i.test(type)

export const isXml = (type: string) => /[/+]xml\b/i.test(type)

function bodyOf(spec: Spec, { operation }: Operation, values: number | undefined) {
  const { value: requestBody } = spec.resolve(at(operation, 'requestBody'))
  const found = mediaOf(requestBody)
  if (!found) return undefined
  const { type, media } = found
  const example = exampleOfMedia(spec, media, 'request', values)
  if (isJson(type)) return { contentType: type, content: { kind: 'json' as const, value: example ?? {} } }
  const fields = isObject(example) ? Object.entries(example) : []
  const encoding = (name: string) => objectAt(objectAt(media, 'encoding'), name)
  if (/^application\/x-www-form-urlencoded/i.test(type)) {
    const pairs = fields.flatMap(([name, value]) => formPairs(name, value, encoding(name)))
    return { contentType: type, content: { kind: 'form' as const, fields: pairs } }
  }
  if (/^multipart\//i.test(type)) {
    const properties = objectAt(shapeOf(spec, at(media, 'schema')).value, 'properties')
    const parts = fields.flatMap(([name, value]) => {
      const isFile = holdsFile(spec, properties[name])
      return formPairs(name, value, encoding(name)).map(([name, value]) => ({ name, value, isFile }))
    })
    // The HTTP client generates the boundary, which is part of this header.
    return { contentType: undefined, content: { kind: 'multipart' as const, fields: parts } }
  }
  if (typeof example === 'string' && !holdsFile(spec, at(media, 'schema')))
    return { contentType: type, content: { kind: 'text' as const, text: example } }
  if (isXml(type) && typeof example === 'object' && example !== null) {
    const text = writeXml(spec, at(media, 'schema'), example)
    return { contentType: type, content: { kind: 'text' as const, text } }
  }
  const isText = /^text\/|xml|yaml|csv/i.test(type)
  return { contentType: type, content: isText ? { kind: 'text' as const, text: '…' } : { kind: 'file' as const } }
}

/** Whether the schema is a file, or a list of files. */
function holdsFile(spec: Spec, schema: unknown): boolean {
  const { value } = shapeOf(spec, schema)
  if (isList(value)) return isFile(shapeOf(spec, at(value, 'items')).value)
  return isFile(value)
}
