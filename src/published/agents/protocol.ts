import { version } from '../../version.ts'
import { isObject } from '../../objects.ts'

/**
 * The Model Context Protocol, as far as a server needs it that has tools and keeps no state between two calls: one
 * message in, one answer out. Until 2025, a client first states its version (`initialize`); since 2026, it does so with
 * each call, and may ask (`server/discover`). An answer for newer clients also suits older ones, which ignore what they
 * do not know. But if there is nothing to say, older clients accept only an empty result.
 */
const protocolVersions = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

/** The newest version that clients request with `initialize`. */
const newestInitialized = '2025-11-25'

export interface Tool {
  name: string
  title: string
  description: string
  inputSchema: object
}

export interface ToolResult {
  text: string
  isError?: boolean
}

/** The server that answers: its name, what it is good for, and what it can do. */
export interface Server {
  title: string
  instructions: string
  tools: readonly Tool[]
  call(name: string, input: Record<string, unknown>): Promise<ToolResult | undefined>
}

type Id = string | number

interface Failure {
  code: number
  message: string
  data?: object
}

/**
 * The status tells clients that never read the body whether the message was valid. Without a body, nothing had to be
 * answered.
 */
export interface Answered {
  status: number
  body?: object
}

export const failed = (status: number, error: Failure, id: Id | null = null): Answered => ({
  status,
  body: { jsonrpc: '2.0', id, error },
})

const codes = { parse: -32_700, request: -32_600, method: -32_601, params: -32_602, header: -32_020, version: -32_022 }

export const notJson = () => failed(400, { code: codes.parse, message: 'Send one message, as JSON.' })

/** What a client states outside of the message. */
export interface Announced {
  version: string | undefined
  method: string | undefined
}

export async function answerMessage(server: Server, message: unknown, announced: Announced): Promise<Answered> {
  if (!isObject(message) || message['jsonrpc'] !== '2.0')
    return failed(400, { code: codes.request, message: 'This is not a single JSON-RPC 2.0 message.' })
  const { id, method, params = {} } = message
  // Responses and notifications: nothing here waits for them.
  if (typeof method !== 'string' || id === undefined) return { status: 202 }
  if (typeof id !== 'string' && typeof id !== 'number')
    return failed(400, { code: codes.request, message: 'The id of a message must be a string or a number.' })
  if (!isObject(params)) return failed(400, { code: codes.params, message: '`params` must be an object.' }, id)
  if (announced.method !== undefined && announced.method !== method)
    return failed(400, { code: codes.header, message: 'The Mcp-Method header does not match the method.' }, id)

  const wanted = announced.version
  if (wanted !== undefined && !protocolVersions.includes(wanted)) {
    const data = { supported: protocolVersions, requested: wanted }
    return failed(400, { code: codes.version, message: 'This version of the protocol is not supported.', data }, id)
  }
  const result = await resultOf(server, method, params)
  if ('failure' in result) return failed(200, result.failure, id)
  const isBare = method === 'ping' && (wanted ?? '') <= newestInitialized
  return { status: 200, body: { jsonrpc: '2.0', id, result: isBare ? result : { resultType: 'complete', ...result } } }
}

async function resultOf(
  server: Server,
  method: string,
  params: Record<string, unknown>,
): Promise<object | { failure: Failure }> {
  const serverInfo = { name: 'lectern', title: server.title, version }
  const about = { capabilities: { tools: {} }, instructions: server.instructions }
  switch (method) {
    case 'initialize': {
      const asked = params['protocolVersion']
      const isSpoken = typeof asked === 'string' && asked <= newestInitialized && protocolVersions.includes(asked)
      return { ...about, serverInfo, protocolVersion: isSpoken ? asked : newestInitialized }
    }
    case 'server/discover': {
      const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo }
      return { ...about, ...shortlyKept, supportedVersions: protocolVersions, _meta }
    }
    case 'ping':
      return {}
    case 'tools/list':
      return { ...shortlyKept, tools: server.tools.map((tool) => ({ ...tool, annotations: onlyReads })) }
    case 'tools/call':
      return callTool(server, params)
    default:
      return { failure: { code: codes.method, message: `There is no method ${method}.` } }
  }
}

async function callTool(server: Server, { name, arguments: given }: Record<string, unknown>) {
  // Some clients send `null` if there are no arguments.
  const input = given ?? {}
  if (!isObject(input)) return { failure: { code: codes.params, message: '`arguments` must be an object.' } }
  const called = typeof name === 'string' ? await server.call(name, input) : undefined
  if (!called) {
    const names = server.tools.map((tool) => tool.name).join(' and ')
    return { failure: { code: codes.params, message: `There is no such tool. Available: ${names}.` } }
  }
  const { text, isError = false } = called
  return { content: [{ type: 'text', text }], isError }
}

/** The titles of a site can change, and so can what it offers. */
const shortlyKept = { ttlMs: 60_000, cacheScope: 'private' }

const onlyReads = { readOnlyHint: true, openWorldHint: false }
