import type { Static } from 'typebox'
import type { SiteRow } from '../../db/tables.ts'
import { type Hosts, mayBeHostOfSite } from '../addresses.ts'
import type { CustomHostname } from './schema.ts'

export function presentHostname(
  { id, published }: SiteRow,
  hostname: string,
  hosts: Hosts,
): Static<typeof CustomHostname> {
  return {
    object: 'custom-hostname',
    hostname,
    target: { type: 'site', site: id },
    // The app itself may have moved to this hostname after the site got it.
    isActive: published && mayBeHostOfSite(hosts, hostname),
    urls: { location: `${hosts.url}/v1/custom-hostnames/${hostname}` },
  }
}
