import type { Remote } from '../../git/remote/address.ts'

/**
 * For the two most common hosts, it is known where people view files and commits. Sites link there if they are
 * configured to.
 */
const hosts = {
  'github.com': { provider: 'github', below: '' },
  'gitlab.com': { provider: 'gitlab', below: '/-' },
} as const

/** The limit of the API. */
const longestAddress = 2048

export function lookedAt({ url, ref, projectDirectory }: Remote) {
  const { hostname, pathname } = new URL(url)
  if (!isKnown(hostname)) return {}
  const { provider, below } = hosts[hostname]
  const repository = `https://${hostname}${pathname.replace(/\/*$/, '').replace(/\.git$/, '')}${below}`
  const steps = `${ref.replace('refs/heads/', '')}/${projectDirectory}`.split('/').filter(Boolean)
  const tree = `${repository}/tree/${steps.map(encodeURIComponent).join('/')}/`
  if (tree.length > longestAddress) return {}
  return {
    repoTreeURL: tree,
    repoCommitURL: `${repository}/commit/`,
    gitInfo: { provider },
  }
}

const isKnown = (hostname: string): hostname is keyof typeof hosts => Object.hasOwn(hosts, hostname)
