import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns'
import { type LookupFunction, isIP } from 'node:net'
import { Agent, buildConnector } from 'undici'
import type { Addresses } from './addresses.ts'
import { FetchFailure } from './failure.ts'

/** Resolves names to addresses, by the operating system or by a test. */
export type Lookup = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void

/**
 * Connects only to allowed addresses. A hook on name lookups alone is not enough: it is not called for literal
 * addresses (127.0.0.1, [::1], 2130706433). So a literal is checked before the connection, names are checked as they
 * resolve, and finally the address that was reached is checked.
 */
export function guardedAgent(addresses: Addresses, timeoutMs: number, lookup: Lookup = systemLookup): Agent {
  const connect = buildConnector({ timeout: timeoutMs, lookup: guardedLookup(addresses, lookup) })
  return new Agent({
    // No connection outlives its request: none is reused, and none keeps the process running.
    pipelining: 0,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect(options, callback) {
      const literal = options.hostname.replace(/^\[|\]$/g, '')
      if (isIP(literal) !== 0 && !addresses.may(literal)) {
        callback(new FetchFailure('private-address'), null)
        return
      }
      connect(options, (error, socket) => {
        if (error) callback(error, null)
        else if (socket.remoteAddress !== undefined && addresses.may(socket.remoteAddress)) callback(null, socket)
        else {
          socket.destroy()
          callback(new FetchFailure('private-address'), null)
        }
      })
    },
  })
}

/** Returns only the allowed addresses of a name. */
function guardedLookup(addresses: Addresses, lookup: Lookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const allowed = error ? [] : found.filter(({ address }) => addresses.may(address))
      const [first] = allowed
      if (error) callback(error, '', 0)
      else if (!first) callback(new FetchFailure('private-address'), '', 0)
      else if (options.all) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
  }
}
