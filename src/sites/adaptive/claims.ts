/**
 * The information a site has about its visitors: claims by name, each of a declared type. Signed claims are taken as
 * they are. Claims that anybody can put into an address or a cookie are in `unsigned`, and only those that are declared
 * are read.
 */
export type Claim =
  | { type: 'boolean'; description?: string }
  | { type: 'string'; description?: string; enum?: string[] }
  | { type: 'number'; description?: string }
  | { type: 'array'; description?: string; items: Primitive }
  | { type: 'object'; description?: string; properties: Claims; additionalProperties?: false }

export type Primitive = Extract<Claim, { type: 'boolean' | 'string' | 'number' }>

export type Claims = Record<string, Claim>

export interface ClaimsSchema {
  $schema?: string
  description?: string
  type: 'object'
  properties: Claims
  additionalProperties?: false
}

export const noClaims: ClaimsSchema = { type: 'object', properties: {}, additionalProperties: false }

/** The schema that was set, or one that declares nothing. It was checked when it was written. */
export const schemaOf = (site: { adaptive_schema: unknown }): ClaimsSchema =>
  (site.adaptive_schema as ClaimsSchema | null) ?? noClaims

export type ClaimValues = Record<string, unknown>

const maxTextLength = 1024
const maxItems = 100

/**
 * Returns signed claims as they are, with one exception: where a list is declared, many identity providers send a
 * single value without a list. In a string, `includes` would search for a part, and find the group "doctors" in
 * "no-doctors".
 */
export function withLists({ properties }: { properties: Claims }, signed: ClaimValues): ClaimValues {
  return Object.fromEntries(
    Object.entries(signed).map(([name, value]) => [name, asDeclared(ownClaim(properties, name), value)]),
  )
}

function asDeclared(claim: Claim | undefined, value: unknown): unknown {
  if (claim?.type === 'array') return ['string', 'number', 'boolean'].includes(typeof value) ? [value] : value
  const holds = claim?.type === 'object' && typeof value === 'object' && value !== null && !Array.isArray(value)
  return holds ? withLists(claim, value as ClaimValues) : value
}

/** Keeps the unsigned claims that the schema declares and that have the declared type. */
export function declaredUnsigned(schema: ClaimsSchema, given: unknown): ClaimValues {
  const unsigned = ownClaim(schema.properties, 'unsigned')
  return unsigned?.type === 'object' ? declaredIn(unsigned.properties, given) : {}
}

/**
 * The same for claims in an address: `visitor.plan=pro`, `visitor.profile.beta=true`, and a list as several values with
 * the same name. `given` has no `visitor.` prefix.
 */
export function unsignedFromText(schema: ClaimsSchema, given: Iterable<readonly [string, string]>): ClaimValues {
  const unsigned = ownClaim(schema.properties, 'unsigned')
  if (unsigned?.type !== 'object') return {}
  const values: ClaimValues = {}
  for (const [name, text] of given) put(values, unsigned, name.split('.'), text)
  return declaredIn(unsigned.properties, values)
}

function put(values: ClaimValues, claim: Claim, [name = '', ...below]: string[], text: string): void {
  if (claim.type !== 'object') return
  const next = ownClaim(claim.properties, name)
  if (!next) return
  // A claim may be called `toString`: the property that all objects have must not be mistaken for a value that was put
  // here.
  const held = Object.hasOwn(values, name) ? values[name] : undefined
  if (next.type === 'object') {
    const inner = (values[name] = (held ?? {}) as ClaimValues)
    if (below.length > 0) put(inner, next, below, text)
  } else if (below.length > 0) return
  else if (next.type !== 'array') values[name] = fromText(next, text)
  else values[name] = [...((held ?? []) as unknown[]), fromText(next.items, text)]
}

function fromText({ type }: Primitive, text: string): unknown {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined
  if (type === 'number') return text.trim() === '' ? undefined : Number(text)
  return text
}

function declaredIn(claims: Claims, given: unknown): ClaimValues {
  const values: ClaimValues = {}
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return values
  for (const [name, claim] of Object.entries(claims)) {
    const value = Object.hasOwn(given, name) ? declared(claim, (given as ClaimValues)[name]) : undefined
    if (value !== undefined) values[name] = value
  }
  return values
}

/** Returns the parts of the value that have this type, or undefined if it has another type. */
function declared(claim: Claim, value: unknown): unknown {
  switch (claim.type) {
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
    case 'number':
      return Number.isFinite(value) ? value : undefined
    case 'string': {
      const fits = typeof value === 'string' && value.length <= maxTextLength
      return fits && (claim.enum === undefined || claim.enum.includes(value)) ? value : undefined
    }
    case 'array':
      if (!Array.isArray(value)) return undefined
      return value.slice(0, maxItems).filter((item) => declared(claim.items, item) !== undefined)
    case 'object':
      return typeof value === 'object' && value !== null ? declaredIn(claim.properties, value) : undefined
  }
}

const ownClaim = (claims: Claims, name: string): Claim | undefined =>
  Object.hasOwn(claims, name) ? claims[name] : undefined

export interface TemplateCondition {
  description: string
  condition: string
}

/** Returns conditions that can be derived from the claims alone, one for each known value of a claim. */
export function templateConditions(schema: ClaimsSchema): TemplateCondition[] {
  return templatesIn(schema.properties, 'visitor.claims', [])
}

function templatesIn(claims: Claims, path: string, above: string[]): TemplateCondition[] {
  return Object.entries(claims).flatMap(([name, claim]) =>
    templatesOf(claim, path + accessTo(name), [...above, name], claim.description ?? ''),
  )
}

function templatesOf(claim: Claim, path: string, names: string[], about: string): TemplateCondition[] {
  const described = (what: string) => `${names.join('.')} ${what}${about === '' ? '' : `: ${about}`}`
  switch (claim.type) {
    case 'boolean':
      return [true, false].map((value) => ({
        description: described(`is ${value}`),
        condition: `${path} === ${value}`,
      }))
    case 'string':
      return (claim.enum ?? []).map((value) => ({
        description: described(`is ${JSON.stringify(value)}`),
        condition: `${path} === ${textOf(value)}`,
      }))
    case 'array':
      return (claim.items.type === 'string' ? (claim.items.enum ?? []) : []).map((value) => ({
        description: described(`holds ${JSON.stringify(value)}`),
        condition: `${path}.includes(${textOf(value)})`,
      }))
    case 'object':
      return templatesIn(claim.properties, path, names)
    // No values are known for numbers or free text.
    case 'number':
      return []
  }
}

const accessTo = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${textOf(name)}]`)

const textOf = (text: string) => JSON.stringify(text)
