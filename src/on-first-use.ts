import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Loads a package when it is first needed, because it is heavy and most processes never use it. */
export function packageOnFirstUse<Package>(name: string): () => Package {
  let loaded: Package | undefined
  return () => (loaded ??= require(name) as Package)
}
