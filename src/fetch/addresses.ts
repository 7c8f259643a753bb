import { BlockList, isIP } from 'node:net'
import { Explained } from '../explained.ts'

/** All IPv4 ranges that are not public unicast (IANA's registry of special-purpose addresses). */
const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/**
 * Contains all public unicast addresses of IPv6. Loopback, `::/96`, NAT64, link-local, unique local and multicast are
 * outside.
 */
const global6 = ['2000::/3']

/** Special ranges within it: Teredo and its neighbours, documentation, 6to4. */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const mapped = listOf(['::ffff:0:0/96'])
const refused4 = listOf(special4)
const public6 = listOf(global6)
const refused6 = listOf(special6)

/** The addresses that our servers may connect to: public ones, and those that the operator allowed. */
export class Addresses {
  readonly #allowed: BlockList

  constructor(allowed: string[]) {
    this.#allowed = listOf(allowed, 'LECTERN_FETCH_ALLOW')
  }

  /** `address` is an IP address as the operating system writes it. */
  may(address: string): boolean {
    const version = isIP(address)
    if (version === 0) return false
    const family = version === 4 ? 'ipv4' : 'ipv6'
    // A list of IPv4 ranges also matches IPv4 addresses that are mapped into IPv6.
    if (this.#allowed.check(address, family)) return true
    if (version === 4 || mapped.check(address, 'ipv6')) return !refused4.check(address, family)
    return public6.check(address, 'ipv6') && !refused6.check(address, 'ipv6')
  }
}

function listOf(ranges: string[], setting?: string): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    try {
      add(list, range)
    } catch {
      throw new Explained(
        `${setting} must list addresses such as 10.1.2.3 or ranges such as 10.0.0.0/8, not "${range}".`,
      )
    }
  }
  return list
}

function add(list: BlockList, range: string): void {
  const [address = '', prefix] = range.split('/')
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
  if (prefix === undefined) list.addAddress(address, family)
  else if (/^\d{1,3}$/.test(prefix)) list.addSubnet(address, Number(prefix), family)
  else throw new TypeError(range)
}
