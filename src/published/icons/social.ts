import type { Look } from '../../sites/customization/schema.ts'
import type { SocialLink } from '../frame/view.ts'
import type { SocialIcon } from './social-icons.ts'

interface Platform {
  name: string
  host: string
}

/** A handle is a name on its platform; some platforms have no such address. */
const platforms: Record<Exclude<SocialIcon, 'mastodon'>, Platform> = {
  twitter: { name: 'X', host: 'x.com/' },
  instagram: { name: 'Instagram', host: 'instagram.com/' },
  facebook: { name: 'Facebook', host: 'facebook.com/' },
  linkedin: { name: 'LinkedIn', host: 'linkedin.com/' },
  github: { name: 'GitHub', host: 'github.com/' },
  discord: { name: 'Discord', host: 'discord.gg/' },
  youtube: { name: 'YouTube', host: 'youtube.com/' },
  tiktok: { name: 'TikTok', host: 'tiktok.com/@' },
  reddit: { name: 'Reddit', host: 'reddit.com/' },
  bluesky: { name: 'Bluesky', host: 'bsky.app/profile/' },
  threads: { name: 'Threads', host: 'threads.net/@' },
  medium: { name: 'Medium', host: 'medium.com/@' },
}

/** Returns the accounts that are shown in the header or the footer. */
export function socialLinks({ socialAccounts }: Look, place: 'header' | 'footer'): SocialLink[] {
  return socialAccounts.flatMap(({ platform, handle, display }) => {
    const account = display[place] ? accountAt(platform, handle) : undefined
    return account ? [account] : []
  })
}

function accountAt(platform: string, handle: string): SocialLink | undefined {
  const [, at, name] = /^(@?)(.*)$/s.exec(handle)!
  if (platform === 'mastodon') return onMastodon(name!)
  if (!isKnown(platform) || !/^[\w./-]+$/.test(name!)) return undefined
  const { name: title, host } = platforms[platform]
  // On YouTube, a name with an @ and a path such as `channel/…` are different things.
  return { title, href: `https://${host}${platform === 'youtube' ? at : ''}${name}`, icon: platform }
}

/** Mastodon has no address of its own: a handle contains the server that the account is on (`@name@server`). */
function onMastodon(handle: string): SocialLink | undefined {
  const [, name, host] = /^(\w+(?:[.-]\w+)*)@([a-z\d-]+(?:\.[a-z\d-]+)+)$/i.exec(handle) ?? []
  if (name === undefined || host === undefined) return undefined
  return { title: 'Mastodon', href: `https://${host}/@${name}`, icon: 'mastodon' }
}

const isKnown = (platform: string): platform is keyof typeof platforms => Object.hasOwn(platforms, platform)
