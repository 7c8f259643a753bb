import type { Json, JsonObject } from './parse.ts'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch']

/** Rewrites the parts of Swagger 2 that the library does not handle. `url` is where it was fetched from. */
export function makeReady(document: JsonObject, url: string | undefined): void {
  // Without schemes, a host answers in the same way as the one that serves the specification.
  if (url !== undefined && asList(document['schemes']).length === 0)
    document['schemes'] = [new URL(url).protocol.slice(0, -1)]
  takeInBodies(document)
  sayForms(document)
  nameDiscriminators(document)
}

/**
 * In Swagger 2 a body is a parameter, and may be one that several operations share or that belongs to their path. The
 * library only handles those of the operation itself, so they are moved there.
 */
function takeInBodies(document: JsonObject): void {
  const found = (parameter: Json) => followed(document, 'parameters', parameter)
  const isBody = (parameter: Json) => {
    const place = found(parameter)['in']
    return place === 'body' || place === 'formData'
  }
  for (const path of Object.values(asObject(document['paths'])).map(asObject)) {
    const ofPath = asList(path['parameters'])
    for (const operation of methods.map((method) => asObject(path[method]))) {
      const own = asList(operation['parameters'])
      const names = new Set(own.map((each) => found(each)['name']))
      const more = ofPath.filter((each) => isBody(each) && !names.has(found(each)['name'] as Json))
      if (!own.some(isBody) && more.length === 0) continue
      operation['parameters'] = [...own, ...more].map((each) => (isBody(each) ? structuredClone(found(each)) : each))
    }
    if (ofPath.some(isBody)) path['parameters'] = ofPath.filter((each) => !isBody(each))
  }
}

/**
 * The media types of responses are set for all operations, and an operation may override them, but the library then
 * still uses the common ones. A response that is a file has a type that exists nowhere else.
 */
function sayForms(document: JsonObject): void {
  for (const response of Object.values(asObject(document['responses'])).map(asObject)) makeFile(response)
  for (const path of Object.values(asObject(document['paths'])).map(asObject)) {
    for (const operation of methods.map((method) => asObject(path[method]))) {
      const responses = asObject(operation['responses'])
      const forms = asList(operation['produces']).filter((each) => typeof each === 'string')
      for (const [status, response] of Object.entries(responses)) {
        makeFile(asObject(response))
        if (forms.length === 0 || document['produces'] === undefined) continue
        const { schema, ...own } = followed(document, 'responses', response)
        if (schema === undefined) continue
        responses[status] = { ...own, content: Object.fromEntries(forms.map((form) => [form, { schema }])) }
      }
    }
  }
}

function makeFile(response: JsonObject): void {
  if (asObject(response['schema'])['type'] === 'file') response['schema'] = { type: 'string', format: 'binary' }
}

/** In Swagger 2 a discriminator is the name of a field. Later versions have an object that contains the name. */
function nameDiscriminators(document: JsonObject): void {
  for (const schema of Object.values(asObject(document['definitions'])).map(asObject)) {
    for (const part of [schema, ...asList(schema['allOf']).map(asObject)]) {
      if (typeof part['discriminator'] === 'string') part['discriminator'] = { propertyName: part['discriminator'] }
    }
  }
}

/** Returns the shared parameter or response if the node is a reference to one. */
function followed(document: JsonObject, kind: 'parameters' | 'responses', node: Json): JsonObject {
  const { $ref: reference } = asObject(node)
  const start = `#/${kind}/`
  if (typeof reference !== 'string' || !reference.startsWith(start)) return asObject(node)
  const name = reference.slice(start.length).replaceAll('~1', '/').replaceAll('~0', '~')
  return asObject(asObject(document[kind])[name])
}

const asObject = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

const asList = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : [])
