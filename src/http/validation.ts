import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { ApiError, type ErrorDetail } from './errors.ts'
import { formats } from './formats.ts'

// Bodies are taken as they are. What comes in an address is text: it becomes the declared type, and a single value
// where a list is declared becomes a list of one.
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
    // They are ours, and a test looks them over: that takes as long as compiling them. So nobody asks for the schema of schemas.
    validateSchema: false,
    meta: false,
    // With each error the schema that it comes from: its examples say more than a pattern.
    verbose: true,
  })
  for (const [name, check] of Object.entries(formats)) ajv.addFormat(name, check)
  return ajv
}

/** Compiles a validator when it is first needed: most routes of a process are never called. */
export const compileOnFirstUse: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  let validate: ValidateFunction | undefined
  return (value: unknown) => {
    validate ??= validatorOf(schema, httpPart === 'body' ? forBodies : forAddresses)
    if (validate(value)) return { value }
    return { error: invalidInput(httpPart ?? 'body', validate.errors ?? []) }
  }
}

/** What a page makes of a form, held against the schema of the operation that programs send the same to. */
export function asBody<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  const validate = validatorOf(schema, forBodies)
  if (!validate(value)) throw invalidInput('body', validate.errors ?? [])
  return value as Static<Schema>
}

/** Many routes ask for the same in the same words, `spaceId` or a page of a list: these are compiled once. */
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
 * Of a union every branch complains; the branch that got furthest is the one that was meant. Of two that got equally far,
 * the one that takes such values, but not this one, knows most of what was sent, then the one that wants another type, and
 * least the one that lacks something; of two that lack something, the one that got more of what it asks for.
 */
function mostTelling(errors: ErrorObject[]): ErrorObject {
  // Beside its type, a closed list complains of the word, which nobody sent.
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

/** Where no branch of a union takes such a value, what each of them takes: one alone would hide the others, such as null. */
function withAllTypes(error: ErrorObject, errors: ErrorObject[]): ErrorObject {
  if (error.keyword !== 'type') return error
  const alike = errors.filter(({ keyword, instancePath }) => keyword === 'type' && instancePath === error.instancePath)
  return { ...error, params: { type: [...new Set(alike.flatMap(({ params }) => params.type))] } }
}

/** What is missing counts as one step further: whoever sent an object there meant one. */
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

/** What a pattern asks for, in words that people read. */
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
