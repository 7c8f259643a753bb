import { unreachable } from '../../expressions/values.ts'
import { invalid } from '../../http/errors.ts'
import type { Claim, Claims, ClaimsSchema, Primitive } from './claims.ts'

/** The JSON Schema dialect for declaring claims. Only the parts that claims are checked against are supported. */
const dialect = 'http://json-schema.org/draft-07/schema#'
const maxClaims = 500
const maxDepth = 8
const maxNameLength = 100
const maxDescriptionLength = 1024
const maxValues = 100
const maxValueLength = 256

/**
 * Reads a schema, or refuses it with the place of the error. It stays as sent: optional fields that were omitted stay
 * omitted.
 */
export function readClaimsSchema(given: unknown, at: string): ClaimsSchema {
  const reader = new Reader()
  const schema = record(given, at)
  reader.onlyKnown(schema, ['$schema', 'type', 'properties', 'additionalProperties', 'description'], at)
  if (schema.type !== 'object') throw invalid(`${at}.type`, 'const', 'must be "object"')
  if (schema.$schema !== undefined && ![dialect, dialect.slice(0, -1)].includes(schema.$schema as string)) {
    throw invalid(`${at}.$schema`, 'const', `must be ${dialect}`)
  }
  const properties = reader.claims(schema, at, 1)
  const { unsigned } = properties
  if (unsigned && unsigned.type !== 'object') {
    throw invalid(`${at}.properties.unsigned.type`, 'const', 'must be "object": it contains the unsigned claims')
  }
  return {
    ...(schema.$schema !== undefined && { $schema: schema.$schema as string }),
    ...descriptionOf(schema, at),
    type: 'object',
    properties,
    ...closedAs(schema),
  }
}

type Given = Record<string, unknown>

class Reader {
  #claims = 0

  /** Reads the properties of an object. It has no others. */
  claims(given: Given, at: string, depth: number): Claims {
    if (depth > maxDepth) throw invalid(at, 'depth', `claims are nested at most ${maxDepth} deep`)
    if (given.additionalProperties !== undefined && given.additionalProperties !== false) {
      throw invalid(`${at}.additionalProperties`, 'const', 'must be false')
    }
    if (given.properties === undefined) throw invalid(`${at}.properties`, 'required', 'is required')
    const claims: Claims = {}
    for (const [name, claim] of Object.entries(record(given.properties, `${at}.properties`))) {
      const place = `${at}.properties.${name}`
      if (!/\S/.test(name) || [...name].length > maxNameLength || unreachable.has(name)) {
        throw invalid(`${at}.properties`, 'name', `${JSON.stringify(name)} cannot be the name of a claim`)
      }
      if (++this.#claims > maxClaims) throw invalid(place, 'maxProperties', `a site has at most ${maxClaims} claims`)
      claims[name] = this.claim(claim, place, depth)
    }
    return claims
  }

  claim(value: unknown, at: string, depth: number): Claim {
    const given = record(value, at)
    const description = descriptionOf(given, at)
    switch (given.type) {
      case 'array': {
        this.onlyKnown(given, ['type', 'description', 'items'], at)
        if (given.items === undefined) throw invalid(`${at}.items`, 'required', 'is required')
        return { type: 'array', ...description, items: this.primitive(given.items, `${at}.items`) }
      }
      case 'object':
        this.onlyKnown(given, ['type', 'description', 'properties', 'additionalProperties'], at)
        return {
          type: 'object',
          ...description,
          properties: this.claims(given, at, depth + 1),
          ...closedAs(given),
        }
      default:
        return this.primitive(given, at, ', array, object')
    }
  }

  primitive(value: unknown, at: string, others = ''): Primitive {
    const given = record(value, at)
    const description = descriptionOf(given, at)
    switch (given.type) {
      case 'boolean':
      case 'number':
        this.onlyKnown(given, ['type', 'description'], at)
        return { type: given.type, ...description }
      case 'string':
        this.onlyKnown(given, ['type', 'description', 'enum'], at)
        return {
          type: 'string',
          ...description,
          ...(given.enum !== undefined && { enum: valuesOf(given.enum, `${at}.enum`) }),
        }
      default:
        throw invalid(`${at}.type`, 'enum', `must be one of boolean, string, number${others}`)
    }
  }

  /**
   * Refuses keywords of JSON Schema that claims are not checked against, so that they do not appear to be supported.
   */
  onlyKnown(given: Given, known: string[], at: string): void {
    const other = Object.keys(given).find((key) => !known.includes(key))
    if (other !== undefined) {
      throw invalid(`${at}.${other}`, 'unsupported', `is not supported here, only ${known.join(', ')}`)
    }
  }
}

function record(given: unknown, at: string): Given {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Given
  throw invalid(at, 'type', 'must be object')
}

/** An object has no claims except those that it declares, whether `additionalProperties` is set or not. */
const closedAs = (given: Given) => given.additionalProperties === false && { additionalProperties: false as const }

function descriptionOf({ description }: Given, at: string): { description?: string } {
  if (description === undefined) return {}
  if (typeof description !== 'string') throw invalid(`${at}.description`, 'type', 'must be string')
  if ([...description].length > maxDescriptionLength) {
    throw invalid(`${at}.description`, 'maxLength', `at most ${maxDescriptionLength} characters`)
  }
  return { description }
}

function valuesOf(given: unknown, at: string): string[] {
  if (!Array.isArray(given)) throw invalid(at, 'type', 'must be array')
  if (given.length > maxValues) throw invalid(at, 'maxItems', `at most ${maxValues} items`)
  return given.map((value: unknown, i) => {
    if (typeof value !== 'string') throw invalid(`${at}.${i}`, 'type', 'must be string')
    if ([...value].length > maxValueLength)
      throw invalid(`${at}.${i}`, 'maxLength', `at most ${maxValueLength} characters`)
    return value
  })
}
