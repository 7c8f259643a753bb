import type { SiteSnapshot } from '../snapshots/snapshot.ts'

/**
 * Returns the address of the site's own sign-in, with the place to come back to: a path below the site, without a
 * leading slash.
 */
export function signInUrl({ site }: SiteSnapshot, path: string): string | undefined {
  const { auth_fallback_url: address } = site
  if (address === null || !URL.canParse(address)) return undefined
  const url = new URL(address)
  url.searchParams.set('location', path)
  return url.href
}
