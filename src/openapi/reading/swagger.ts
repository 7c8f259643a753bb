import type { Json, JsonObject } from './parse.ts'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch']

/** What the library does not know of Swagger 2, put so that it does. */
export function makeReady(document: JsonObject): void {
  takeInBodies(document)
  sayForms(document)
  nameDiscriminators(document)
}

/**
 * In Swagger 2 a body is a parameter, and may be kept with those that several operations share or stand at their path. The
 * library only knows those of the operation itself: they are put there.
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
 * In which forms an answer comes is said for all of them; where an operation has a word of its own, that counts, and the
 * library takes the one for all. An answer that is a file has a type that nothing else has.
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

/** It is the name of a field there, and has one since. */
function nameDiscriminators(document: JsonObject): void {
  for (const schema of Object.values(asObject(document['definitions'])).map(asObject)) {
    for (const part of [schema, ...asList(schema['allOf']).map(asObject)]) {
      if (typeof part['discriminator'] === 'string') part['discriminator'] = { propertyName: part['discriminator'] }
    }
  }
}

/** What several share, where it is only named. */
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
