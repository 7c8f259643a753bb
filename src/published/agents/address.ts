import type { SiteSnapshot } from '../../audience/snapshots/snapshot.ts'
import type { App } from '../../http/routes.ts'

/** Where assistants ask a site. The second is where they know such sites to have it. */
const agentsPath = /(?:^|\/)(?:~|%7e)(?:gitbook)?\/mcp$/i

/** Whether a message may be sent here. */
export const takesMessages = (path: string) => agentsPath.test(path)

/** For everybody's assistant, without more than its address: where a site is open to all. */
export function openToAgents(app: App, snapshot: SiteSnapshot): string | undefined {
  const { visibility, agents_context } = snapshot.site
  const isOpen = (visibility === 'public' || visibility === 'unlisted') && agents_context === 'included'
  return isOpen ? `${app.audience.canonicalAddress(snapshot)}~/mcp` : undefined
}
