import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Config } from '../config.ts'
import { answerBrokenRequest, maxUrlBytes, urlTooLong } from './broken-request.ts'
import { assumeEmptyBody, checkQuery, forgetTypeOfNothing, parseJsonBody } from './body.ts'
import { chooseForm, compress } from './compress.ts'
import { isKnown, tagAnswer } from './conditional.ts'
import { allowBrowsers, answerPreflights } from './cors.ts'
import { ApiError, answerError, notFound, sayWhen } from './errors.ts'
import { logRequest, makeLogger } from './log.ts'
import { answerUnrouted, collectRoutes } from './methods.ts'
import { answerAsPreferred } from './prefer.ts'
import { type App, successStatus } from './routes.ts'
import { compileOnFirstUse } from './validation.ts'

const maxHeaderBytes = 16 * 1024
const sweepMs = 50

/**
 * Creates a server with the conventions that apply to every route, as docs/api-design.md describes them. `refuse`
 * answers errors outside the API.
 */
export function makeServer(config: Config, refuse = answerError): App {
  const app = Fastify({
    loggerInstance: makeLogger(config),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: config.limits.bodyBytes,
    requestTimeout: config.limits.requestMs,
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    // While the server drains, requests that have already arrived are answered as usual.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    // Avoids a timer for each of a thousand routes. Nothing that is registered here waits for anything.
    pluginTimeout: 0,
    http: { maxHeaderSize: maxHeaderBytes, requireHostHeader: false },
    // No parameter is that long: the limit that counts is the one on the whole URL.
    routerOptions: { maxParamLength: maxHeaderBytes },
    rewriteUrl: (raw) => {
      routeAsGet(raw)
      return withoutOrigin(raw.url!)
    },
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => {
      // Requests that the router refuses do not pass any hooks.
      startAnswer(request, reply)
      reply.raw.on('finish', () => logRequest(request, reply))
      return (isOfApi(request) ? answerError : refuse)(error, request, reply)
    },
  }) as unknown as App

  app.decorateRequest('caller')
  app.decorateRequest('replayedStatus')
  app.decorateRequest('isToSite', false)
  app.setValidatorCompiler(compileOnFirstUse)
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJsonBody)
  app.setErrorHandler(refuse)
  app.setNotFoundHandler(answerUnrouted(refuse))
  // `100-continue` is the only expectation that we support. Others are ignored: Node would answer them with a bare 417.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))

  app.addHook('onRequest', async (request, reply) => {
    startAnswer(request, reply)
    if (request.headers.host === undefined && request.raw.httpVersion !== '1.0') {
      throw new ApiError('invalid_request', 'The request has no Host header.')
    }
    if (request.url.length > maxUrlBytes) throw urlTooLong()
    if (/%00/.test(request.url.split('?')[0]!)) throw notFound('address')
    if (isOfApi(request)) forgetTypeOfNothing(request)
  })
  app.addHook('preValidation', async (request) => {
    if (!request.routeOptions.config.takesAnyQuery) checkQuery(request)
    assumeEmptyBody(request)
  })
  // Not in `preSerialization`, which is skipped for answers without a body.
  app.addHook('onSend', async (request, reply, payload) => {
    // Every reply starts with 200. A handler that wants a different status sets it itself.
    if (reply.statusCode === 200) reply.code(request.replayedStatus ?? successStatus(request))
    sayWhen(reply)
    return payload
  })
  app.addHook('onSend', answerAsPreferred)
  app.addHook('onSend', finishAnswer)
  app.addHook('onResponse', logRequest)
  app.addHook('preClose', async () => sweepIdle(app))
  answerPreflights(app)
  app.decorate('routeAt', collectRoutes(app))
  return app
}

/**
 * Connections that are idle when a server closes are closed with it. A connection whose answer was under way at that
 * moment would be kept open for another request, which is no longer accepted.
 */
function sweepIdle({ server }: App): void {
  const sweep = setInterval(() => server.closeIdleConnections(), sweepMs).unref()
  server.once('close', () => clearInterval(sweep))
}

/**
 * The routes for GET also answer HEAD: separate routes for HEAD would be a third of all routes, at every start. Once
 * routed, the method is HEAD again, for which Node sends no body.
 */
const heads = new WeakSet<IncomingMessage>()

function routeAsGet(raw: IncomingMessage): void {
  if (raw.method !== 'HEAD') return
  heads.add(raw)
  raw.method = 'GET'
}

/** A client that uses a proxy may send the absolute URL. Everything else here expects it to start at the path. */
function withoutOrigin(url: string): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*\/?/i, '/')
}

function startAnswer(request: FastifyRequest, reply: FastifyReply): void {
  if (heads.has(request.raw)) request.raw.method = 'HEAD'
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  if (!isOfApi(request)) return
  reply.header('cache-control', 'private, no-store')
  allowBrowsers(reply)
}

/** Letters of a URL may be percent-encoded, so the route that it leads to is more reliable than its spelling. */
const isOfApi = ({ routeOptions, url }: FastifyRequest) => (routeOptions.url ?? url).startsWith('/v1')

async function finishAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  if (request.replayedStatus !== undefined) reply.header('idempotency-replayed', 'true')
  if ((typeof payload !== 'string' && !Buffer.isBuffer(payload)) || payload.length === 0) return payload
  const isSuccess = reply.statusCode >= 200 && reply.statusCode < 300
  if (isSuccess) tagAnswer(reply, payload)
  const encoding = chooseForm(request, reply, payload.length)
  if (isSuccess && isKnown(request, String(reply.getHeader('etag')))) {
    reply.code(304).removeHeader('content-type').removeHeader('content-encoding')
    // HEAD continues: its length is that of the answer that it stands for, and Node leaves the body out.
    if (request.method !== 'HEAD') return null
  }
  return encoding ? compress(payload, encoding) : payload
}
