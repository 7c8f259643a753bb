import type { Json, JsonObject } from './parse.ts'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch']

/**
 * In Swagger 2 a body is a parameter, and may be kept with those that several operations share or stand at their path. The
 * library only knows those of the operation itself: they are put there.
 */
export function takeInBodies(document: JsonObject): void {
  const shared = asObject(document['parameters'])
  const found = (parameter: Json): JsonObject => {
    const { $ref: reference } = asObject(parameter)
    const name = typeof reference === 'string' ? /^#\/parameters\/(.+)$/.exec(reference)?.[1] : undefined
    return asObject(name === undefined ? parameter : shared[name.replaceAll('~1', '/').replaceAll('~0', '~')])
  }
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

const asObject = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

const asList = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : [])
