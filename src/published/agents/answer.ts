import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Asked } from '../../audience/resolve.ts'
import { type Presented, type Visitor, opens } from '../../audience/visitors/visitor.ts'
import { readError } from '../../http/errors.ts'
import type { App } from '../../http/routes.ts'
import { describePage } from '../sending/headers.ts'
import { nothingHere, showNotice } from '../notices/notices.ts'
import { readSent, requireOurs } from '../sent.ts'
import { tokenParameter } from '../sign-in.ts'
import { type Visit, publicBase } from '../visit.ts'
import { takesMessages } from './address.ts'
import { type Announced, type Answered, answerMessage, failed, notJson } from './protocol.ts'
import { serverOf } from './tools.ts'

/**
 * Whether a request to the site comes from an assistant. Clients that cannot send cookies have the share key in the
 * address.
 */
export function asksForAgents({ snapshot, path }: Visit, { segments }: Asked): { shareKey?: string } | undefined {
  if (!takesMessages(path)) return undefined
  const [key] = segments
  if (segments.length === 2) return {}
  return segments.length === 3 && opens(snapshot, key) ? { shareKey: key } : undefined
}

const json = 'application/json; charset=utf-8'
const unkept = { isShared: false, isIndexed: false }

/** Authenticates the client, checks what it may do, reads its message and answers it. */
export async function answerAgents(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
  { shareKey, preview }: { shareKey?: string; preview: Visitor | undefined },
): Promise<FastifyReply> {
  const { snapshot } = visit
  if (snapshot.site.agents_context === 'excluded') return showNotice(reply, nothingHere)
  const presented = presentedBy(request, visit, shareKey)
  const admission = preview ? { visitor: preview } : await app.audience.admit(snapshot, presented)
  if ('refused' in admission) {
    if (admission.refused === 'hidden') return showNotice(reply, nothingHere)
    const message = 'This site requires signing in: send a visitor token as the bearer token.'
    return send(reply.header('www-authenticate', 'Bearer'), failed(401, { code: -32_001, message }))
  }
  if (request.method !== 'POST') return describe(reply)

  try {
    app.limit?.count(request, reply)
    requireOurs(app, request)
    const message = await readMessage(request)
    if (message === undefined) return send(reply, notJson())
    const base = publicBase(visit, preview !== undefined)
    const bases = [app.audience.canonicalAddress(snapshot), base] as const
    const server = serverOf(app, { snapshot, visitor: admission.visitor, bases })
    return send(reply, await answerMessage(server, message, announcedBy(request.raw)))
  } catch (error) {
    const { status, headers, message } = readError(error, request)
    return send(reply.headers(headers), failed(status, { code: -32_000, message }))
  }
}

/** Programs send their credentials with each call, and have no cookies. */
function presentedBy({ headers }: FastifyRequest, { presented, query }: Visit, shareKey?: string): Presented {
  const [, bearer] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  const token = bearer ?? query.get(tokenParameter) ?? presented.token
  return { ...presented, token, ...(shareKey !== undefined && { shareKey }) }
}

function send(reply: FastifyReply, { status, body }: Answered): FastifyReply {
  return describePage(reply.code(status), unkept, json).send(body === undefined ? '' : JSON.stringify(body))
}

/** For people who open the address, and for programs that want to be notified of later events: there are none. */
function describe(reply: FastifyReply): FastifyReply {
  const text = 'This URL is for AI assistants. Add it to yours as a Model Context Protocol (MCP) server.\n'
  return describePage(reply.code(405).header('allow', 'POST'), unkept, 'text/plain; charset=utf-8').send(text)
}

const announcedBy = ({ headers }: IncomingMessage): Announced => ({
  version: headers['mcp-protocol-version'] as string | undefined,
  method: headers['mcp-method'] as string | undefined,
})

const longestMessage = 256 * 1024

/** Undefined if it is not JSON. */
async function readMessage(request: FastifyRequest): Promise<unknown> {
  const sent = await readSent(request, { name: 'JSON', type: 'application/json', longest: longestMessage })
  try {
    return JSON.parse(sent)
  } catch {
    return undefined
  }
}
