import type { App } from '../http/routes.ts'
import { loadAssets } from './assets.ts'
import type { Place } from './layout.ts'

let loaded: ReturnType<typeof loadAssets> | undefined

/** The assets of our own pages, loaded once. */
export function assetsOfPages(): ReturnType<typeof loadAssets> {
  return (loaded ??= loadAssets())
}

/** Returns where our own pages are, and how they link to each other. The address is known once the server listens. */
export function placeOf({ url }: Pick<App, 'url'>): Place {
  const below = new URL(url).pathname.replace(/\/$/, '')
  return { url, link: (path) => below + path, asset: (name) => below + assetsOfPages().pathOf(name) }
}
