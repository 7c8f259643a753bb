import type { Remote } from '../../git/remote/address.ts'

/** Of the two hosts that most use it is known where people look at files and commits; sites lead there, if told to. */
const hosts = {
  'github.com': { provider: 'github', below: '' },
  'gitlab.com': { provider: 'gitlab', below: '/-' },
} as const

/** As the API takes it. */
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
