import type { App } from '../http/routes.ts'
import { loadAssets } from './assets.ts'
import type { Place } from './layout.ts'

let loaded: ReturnType<typeof loadAssets> | undefined

/** The files of our own pages, read once. */
export function assetsOfPages(): ReturnType<typeof loadAssets> {
  return (loaded ??= loadAssets())
}

/** For a page of ours: where it is, and how it links to others. The address is known once the server listens. */
export function placeOf({ url }: Pick<App, 'url'>): Place {
  const below = new URL(url).pathname.replace(/\/$/, '')
  return { url, link: (path) => below + path, asset: (name) => below + assetsOfPages().pathOf(name) }
}
