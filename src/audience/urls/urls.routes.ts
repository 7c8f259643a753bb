import { notFound } from '../../http/errors.ts'
import { type App, type Routes, markDeprecated, token } from '../../http/routes.ts'
import { refusals } from '../../http/schemas.ts'
import { findContentOfUrl } from './content-url.ts'
import { type Question, lookUp } from '../lookup.ts'
import { ContentOfUrl, ContentUrlQuery, Lookup, ResolveQuery, ToResolve } from './urls.schema.ts'

const tags = ['urls']
const published = { policy: token('site:read', 'nothing else; only what the visitor can see is found') }

export const urlRoutes: Routes = async (app) => {
  app.post(
    '/urls/published',
    {
      config: published,
      schema: {
        operationId: 'resolvePublishedContentByUrl',
        summary: 'Resolve a URL of a published site',
        description: 'Returns the site, space and page that a visitor finds at this URL, or the URL to redirect to.',
        tags,
        body: ToResolve,
        response: { 200: Lookup, ...refusals },
      },
    },
    async (request) => {
      const { url, redirectOnError = false, visitor = {} } = request.body
      const { jwtToken, unsignedClaims } = visitor
      return answer(app, { url: new URL(url), token: jwtToken, unsigned: unsignedClaims, redirectOnError })
    },
  )

  app.get(
    '/urls/published',
    {
      config: published,
      schema: {
        operationId: 'getPublishedContentByUrl',
        summary: 'Resolve a URL of a published site, given in the query',
        description: 'The same as resolvePublishedContentByUrl.',
        deprecated: true,
        tags,
        querystring: ResolveQuery,
        response: { 200: Lookup, ...refusals },
      },
    },
    async (request, reply) => {
      markDeprecated(reply)
      const { url, visitorAuthToken, redirectOnError = false } = request.query
      return answer(app, { url: new URL(url), token: visitorAuthToken, unsigned: undefined, redirectOnError })
    },
  )

  app.get(
    '/urls/content',
    {
      config: { policy: token('space:read', 'to see what the URL points to') },
      schema: {
        operationId: 'getContentByUrl',
        summary: 'Resolve a URL of the app',
        description: 'Returns the collection, or the space with its change request and page, that the URL points to.',
        tags,
        querystring: ContentUrlQuery,
        response: { 200: ContentOfUrl, ...refusals },
      },
    },
    async (request) => findContentOfUrl(app, request.caller, request.query.url),
  )
}

async function answer(app: App, question: Question) {
  const found = await lookUp(app, question)
  if (!found) throw notFound('published content')
  return found
}
