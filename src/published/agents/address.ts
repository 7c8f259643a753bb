import type { SiteSnapshot } from '../../audience/snapshots/snapshot.ts'
import type { App } from '../../http/routes.ts'

/**
 * Where assistants connect to a site. The second form, `~gitbook/mcp`, is the one that they know from sites of this
 * kind.
 */
const agentsPath = /(?:^|\/)(?:~|%7e)(?:gitbook)?\/mcp$/i

/** Whether messages can be sent to this path. */
export const takesMessages = (path: string) => agentsPath.test(path)

/** Returns the address for assistants of a site that is open to all: nobody needs more than this address. */
export function openToAgents(app: App, snapshot: SiteSnapshot): string | undefined {
  const { visibility, agents_context } = snapshot.site
  const isOpen = (visibility === 'public' || visibility === 'unlisted') && agents_context === 'included'
  return isOpen ? `${app.audience.canonicalAddress(snapshot)}~/mcp` : undefined
}
