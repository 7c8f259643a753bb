import { Spec } from '../draw/spec.ts'
import { Refused } from './failure.ts'
import type { ReadingLimits } from './limits.ts'
import type { Json, JsonObject } from './parse.ts'
import { isObject } from '../../objects.ts'

/**
 * Refuses anything that is not a specification, or not in a supported version. Returns it with the version as a valid
 * text.
 */
export function checkSpecification(document: JsonObject, limits: ReadingLimits): JsonObject {
  const isTwo = Number(document.swagger) === 2
  const openapi = versionOf(document)
  if (!isTwo && !/^3(\.[0-2](\.\d+)?)?(-.*)?$/.test(openapi)) {
    throw new Refused('is neither an OpenAPI document of version 3.0 to 3.2 nor a Swagger document of version 2.0')
  }
  for (const part of ['info', 'paths', 'webhooks', 'components', 'definitions']) {
    if (document[part] !== undefined && !isObject(document[part]))
      throw new Refused(`has "${part}", which is not an object`)
  }
  const count = Math.max(countIn(document, 'schemas', 'components'), countIn(document, 'definitions'))
  if (count > limits.schemas) {
    const most = limits.schemas.toLocaleString('en')
    throw new Refused(`has ${count.toLocaleString('en')} schemas, and at most ${most} can be shown`)
  }
  // Without quotes, YAML parses a version as a number.
  const version: JsonObject = isTwo ? { swagger: '2.0' } : { openapi: asVersion(openapi) }
  return { info: {}, paths: {}, ...document, ...version }
}

/**
 * Refuses a specification with more operations than can be shown. Called once its references can be followed, since
 * many paths may share their operations.
 */
export function checkOperations(document: JsonObject, limits: ReadingLimits): void {
  let count = 0
  for (const { path } of new Spec(document).eachOperation()) {
    if (++count > limits.operations) {
      throw new Refused(`has more than ${limits.operations.toLocaleString('en')} operations`)
    }
    if (path.length > limits.pathCharacters) {
      throw new Refused(`has a path with more than ${limits.pathCharacters.toLocaleString('en')} characters`)
    }
  }
}

/** Returns an empty text if there is no version, or a value of another type. */
export const versionOf = ({ openapi }: JsonObject) =>
  typeof openapi === 'string' || typeof openapi === 'number' ? String(openapi) : ''

const asVersion = (text: string) => (/^3$/.test(text) ? '3.0.0' : /^3\.\d$/.test(text) ? `${text}.0` : text)

function countIn(document: JsonObject, name: string, within?: string): number {
  const holder: Json | undefined = within === undefined ? document : document[within]
  const found = isObject(holder) ? holder[name] : undefined
  return isObject(found) ? Object.keys(found).length : 0
}
