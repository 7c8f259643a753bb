import { type JsonObject, at, isObject, isTrue, listAt, objectAt, textAt } from './json.ts'
import { type Words, fill } from '../../published/words/words.ts'
import type { Operation, Spec } from './spec.ts'

/** One way to authenticate. */
export interface Scheme {
  title: (words: Words) => string
  description: string | undefined
  isDeprecated: boolean
  /** Where to get a token. The names are those that the specification uses for the addresses. */
  addresses: { name: string; url: string }[]
  scopes: { name: string; about: string | undefined }[]
  /** Where a request carries the credentials, for samples. */
  carries: { in: 'header' | 'query' | 'cookie'; name: string; value: string } | undefined
}

export interface Security {
  /** Any one of these is enough. Each may need several schemes at once. */
  choices: Scheme[][]
  /** Whether the operation also works without authentication. */
  isOptional: boolean
}

const mostChoices = 10
const mostSchemes = 10
const mostFlows = 10
const mostScopes = 200

/** Returns the security of an operation. Its own takes precedence over that of the whole specification. */
export function securityOf(spec: Spec, { operation, isWebhook }: Operation): Security {
  const own = at(operation, 'security')
  const all = Array.isArray(own) ? own : isWebhook ? [] : listAt(spec.document, 'security')
  const requirements = all.filter(isObject)
  const choices = requirements.filter((each) => Object.keys(each).length > 0)
  return {
    choices: choices.slice(0, mostChoices).map((each) => {
      const names = Object.keys(each).slice(0, mostSchemes)
      return names.map((name) => schemeOf(spec, name, listAt(each, name).slice(0, mostScopes)))
    }),
    isOptional: choices.length < requirements.length,
  }
}

function schemeOf(spec: Spec, name: string, scopes: readonly unknown[]): Scheme {
  const { value } = spec.resolve(objectAt(objectAt(spec.document, 'components'), 'securitySchemes')[name])
  const common = {
    description: textAt(value, 'description'),
    isDeprecated: isTrue(value, 'deprecated'),
    addresses: addressesOf(value),
    scopes: scopes
      .filter((scope) => typeof scope === 'string')
      .map((scope) => ({ name: scope, about: aboutScope(value, scope) })),
  }
  switch (textAt(value, 'type')) {
    case 'http':
      return { ...common, ...ofHttp(value) }
    case 'apiKey':
      return { ...common, ...ofKey(value) }
    case 'oauth2':
      return { ...common, title: () => 'OAuth 2', carries: bearer('YOUR_ACCESS_TOKEN') }
    case 'openIdConnect':
      return { ...common, title: () => 'OpenID Connect', carries: bearer('YOUR_ACCESS_TOKEN') }
    case 'mutualTLS':
      return { ...common, title: ({ certificate }) => certificate, carries: undefined }
    default:
      return { ...common, title: () => name, carries: undefined }
  }
}

/** Lists an address that several flows share only once. */
function addressesOf(scheme: JsonObject): Scheme['addresses'] {
  const holders = [scheme, ...flowsOf(scheme)]
  const names = ['openIdConnectUrl', 'authorizationUrl', 'deviceAuthorizationUrl', 'tokenUrl', 'refreshUrl']
  return names.flatMap((name) => {
    const urls = holders.flatMap((holder) => textAt(holder, name) ?? [])
    return [...new Set(urls)].map((url) => ({ name, url }))
  })
}

/** Returns the description that a flow has for the scope. */
function aboutScope(scheme: JsonObject, scope: string): string | undefined {
  return flowsOf(scheme)
    .map((flow) => textAt(objectAt(flow, 'scopes'), scope))
    .find((about) => about !== undefined)
}

const flowsOf = (scheme: JsonObject) => Object.values(objectAt(scheme, 'flows')).slice(0, mostFlows)

const bearer = (token: string) => ({ in: 'header' as const, name: 'Authorization', value: `Bearer ${token}` })

function ofHttp(value: JsonObject): Pick<Scheme, 'title' | 'carries'> {
  const scheme = (textAt(value, 'scheme') ?? 'bearer').toLowerCase()
  if (scheme === 'bearer') return { title: (words) => words.bearer, carries: bearer('YOUR_TOKEN') }
  const word = scheme.charAt(0).toUpperCase() + scheme.slice(1)
  const title = ({ basic }: Words) => (scheme === 'basic' ? basic : `HTTP ${word}`)
  return { title, carries: { in: 'header', name: 'Authorization', value: `${word} YOUR_CREDENTIALS` } }
}

function ofKey(value: JsonObject): Pick<Scheme, 'title' | 'carries'> {
  const name = textAt(value, 'name') ?? 'key'
  const place = at(value, 'in')
  const where = place === 'query' || place === 'cookie' ? place : 'header'
  const title = ({ keyInHeader, keyInQuery, keyInCookie }: Words) =>
    fill({ header: keyInHeader, query: keyInQuery, cookie: keyInCookie }[where], name)
  return { title, carries: { in: where, name, value: 'YOUR_API_KEY' } }
}
