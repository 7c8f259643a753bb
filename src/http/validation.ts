import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { ApiError, type ErrorDetail } from './errors.ts'
import { formats } from './formats.ts'

// Bodies are validated as they are. The parts of an address are text: they are converted to the declared type, and a
// single value becomes a list of one where a list is declared.
const forBodies = { ajv: makeAjv(false), compiled: new Map<string, ValidateFunction>() }
const forAddresses = { ajv: makeAjv('array'), compiled: new Map<string, ValidateFunction>() }

function makeAjv(coerceTypes: false | 'array') {
  const ajv = new Ajv.Ajv({
    coerceTypes,
    useDefaults: true,
    strict: false,
    allErrors: false,
    allowUnionTypes: true,
    discriminator: true,
    // The schemas are our own, and a test checks them, which takes as long as compiling them. So the schema of schemas
    // is not needed here.
    validateSchema: false,
    meta: false,
    // Adds to each error the schema that it comes from: its examples are more helpful than a pattern.
    verbose: true,
  })
  for (const [name, check] of Object.entries(formats)) ajv.addFormat(name, check)
  return ajv
}

/** Compiles each validator on first use: most routes of a process are never called. */
export const compileOnFirstUse: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  let validate: ValidateFunction | undefined
  return (value: unknown) => {
    validate ??= validatorOf(schema, httpPart === 'body' ? forBodies : forAddresses)
    if (validate(value)) return { value }
    return { error: invalidInput(httpPart ?? 'body', validate.errors ?? []) }
  }
}

/** Validates what a page made of a form, against the schema of the API operation that takes the same data. */
export function asBody<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  const validate = validatorOf(schema, forBodies)
  if (!validate(value)) throw invalidInput('body', validate.errors ?? [])
  return value as Static<Schema>
}

/** Many routes have identical schemas, such as `spaceId` or the page of a list. Each is compiled only once. */
function validatorOf(schema: object, { ajv, compiled }: typeof forBodies): ValidateFunction {
  const words = JSON.stringify(schema)
  const validate = compiled.get(words) ?? ajv.compile(schema)
  compiled.set(words, validate)
  return validate
}

const partNames: Record<string, string> = { querystring: 'query', params: 'path', headers: 'header', body: 'body' }

function invalidInput(part: string, errors: ErrorObject[]): ApiError {
  const detail = describe(partNames[part] ?? part, withAllTypes(mostTelling(errors), errors))
  return new ApiError('invalid_request', `${detail.path}: ${detail.message}`, { details: [detail] })
}

/**
 * Every branch of a union reports errors; the branch that got furthest is the one that was meant. Among those that got
 * equally far, a branch that accepts the type but not the value is most informative, then one that expects another
 * type, then one that lacks something. Among several that lack something, the one that got more of its required fields
 * wins. A different constant is least informative.
 */
function mostTelling(errors: ErrorObject[]): ErrorObject {
  // For a value of the wrong type, a closed list also complains about the word, which nobody sent.
  const isOfAnotherType = ({ instancePath, parentSchema }: Pick<ErrorObject, 'instancePath' | 'parentSchema'>) =>
    errors.some((error) => {
      return error.keyword === 'type' && error.instancePath === instancePath && error.parentSchema === parentSchema
    })
  const inside = errors.filter(
    ({ keyword, ...error }) =>
      keyword !== 'anyOf' && keyword !== 'oneOf' && (keyword === 'type' || !isOfAnotherType(error)),
  )
  const candidates = inside.length > 0 ? inside : errors
  return candidates.reduce((best, next) => {
    const further = depth(next) - depth(best)
    return further > 0 || (further === 0 && knows(next) > knows(best)) ? next : best
  })
}

function knows({ keyword, data, parentSchema }: ErrorObject): number {
  if (keyword === 'const') return 0
  if (keyword === 'type') return 1
  if (keyword !== 'required') return 2
  const { required = [] } = parentSchema as { required?: string[] }
  return required.filter((name) => Object.hasOwn(data as object, name)).length / (required.length + 1)
}

/**
 * If no branch of a union accepts values of this type, names the types that the branches accept: a single one would
 * hide the others, such as null.
 */
function withAllTypes(error: ErrorObject, errors: ErrorObject[]): ErrorObject {
  if (error.keyword !== 'type') return error
  const alike = errors.filter(({ keyword, instancePath }) => keyword === 'type' && instancePath === error.instancePath)
  return { ...error, params: { type: [...new Set(alike.flatMap(({ params }) => params.type))] } }
}

/** A missing field counts as one step further: a caller who sent an object there meant one. */
const depth = ({ instancePath, keyword }: ErrorObject) =>
  instancePath.split('/').length + (keyword === 'required' ? 1 : 0)

function describe(part: string, error: ErrorObject): ErrorDetail {
  const steps = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (error.keyword === 'required') steps.push(String(error.params.missingProperty))
  if (error.keyword === 'discriminator') steps.push(String(error.params.tag))
  return { path: [part, ...steps].join('.'), rule: error.keyword, message: sentence(error) }
}

function sentence({ keyword, params, message, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case 'pattern':
      return likeness(params.pattern, parentSchema) ?? message!
    case 'required':
      return 'is required'
    case 'type':
      return `must be ${[params.type].flat().join(' or ')}`
    case 'enum':
      return `must be one of ${params.allowedValues.join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`
    case 'maxLength':
      return `at most ${counted(params.limit, 'character')}`
    case 'minLength':
      return `at least ${counted(params.limit, 'character')}`
    case 'minimum':
    case 'maximum':
      return `must be ${params.comparison} ${params.limit}`
    case 'maxItems':
      return `at most ${counted(params.limit, 'item')}`
    case 'minItems':
      return `at least ${counted(params.limit, 'item')}`
    case 'maxProperties':
      return `at most ${counted(params.limit, 'field')}`
    case 'minProperties':
      return `at least ${counted(params.limit, 'field')}`
    case 'discriminator':
      return params.tagValue === undefined ? 'is required' : `must be one of ${kindsIn(parentSchema, params.tag)}`
    case 'format':
      return formatMessages[params.format] ?? `must be a valid ${params.format}`
    default:
      return message ?? 'is not valid'
  }
}

function kindsIn(schema: object | undefined, tag: string): string {
  const { oneOf = [] } = schema as { oneOf?: { properties: Record<string, { const?: string }> }[] }
  return oneOf.map(({ properties }) => properties[tag]?.const).join(', ')
}

/** What a pattern requires, in words for people. */
function likeness(pattern: string, schema: object = {}): string | undefined {
  if (pattern === '\\S') return 'must not be blank'
  const { examples, description } = schema as { examples?: string[]; description?: string }
  return examples ? `must be like ${examples[0]}` : description
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

const formatMessages: Record<string, string> = {
  email: 'must be an e-mail address',
  'http-url': 'must be an address that starts with http:// or https://',
  emoji: 'must be one emoji, as a character or as its code points in hex, such as 1f4c4',
  'date-time': 'must be a date and time such as 2030-01-31T12:00:00Z',
  'one-line': 'must be one line, without control characters',
}
