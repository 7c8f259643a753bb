import type { SiteSnapshot } from '../audience/snapshots/snapshot.ts'
import type { Place } from '../audience/snapshots/structure.ts'
import type { Entry } from '../content/merge/entry.ts'
import type { Db } from '../db/connect.ts'
import { pageData } from '../pages/entry-data.ts'
import { lookOf } from '../sites/customization/customization.ts'
import { findTreeUrl } from './queries.ts'

/**
 * Returns the URL at which the file of a page can be edited, if the site shows it and the repository of the space can
 * be viewed.
 */
export async function editAddress(
  db: Db,
  { snapshot, place, page }: { snapshot: SiteSnapshot; place: Place; page: Pick<Entry, 'data'> },
): Promise<string | undefined> {
  const { git, pageActions } = lookOf(snapshot.site.customization, place.variant.customization)
  const file = pageData(page).git
  if (!file || !(git.showEditLink || pageActions.items.includes('git'))) return undefined
  const treeUrl = await findTreeUrl(db, snapshot.organization.id, place.variant.space.id)
  return treeUrl === undefined ? undefined : fileAddress(treeUrl, file.path)
}

/**
 * Returns the URL of a file below the URL of a folder: in the editor for GitHub and GitLab (`/tree/`, `/-/tree/`, on
 * any host), otherwise as the URL is given. Undefined for URLs to which no browser should be sent.
 */
export function fileAddress(treeUrl: string, path: string): string | undefined {
  const url = URL.parse(treeUrl)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const folder = url.pathname.replace(/\/+$/, '').replace(/^((?:\/[^/]+)+?(?:\/-)?)\/tree\//, '$1/edit/')
  return `${url.origin}${folder}/${path.split('/').map(encodeURIComponent).join('/')}`
}
