import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** A package that is loaded when it is first needed: it is heavy, and most starts of a process do without it. */
export function packageOnFirstUse<Package>(name: string): () => Package {
  let loaded: Package | undefined
  return () => (loaded ??= require(name) as Package)
}
