import { Refused } from './failure.ts'
import type { ReadSpec, Work } from './messages.ts'
import { type JsonObject, Measure, parseDocument } from './parse.ts'
import { type External, bundleReferences } from './references.ts'
import { placeServers } from './servers.ts'
import { makeReady } from './swagger.ts'
import { checkOperations, checkSpecification, versionOf } from './specification.ts'

/** Converts the text of a specification to the stored format. `load` gets the documents it refers to. */
export async function readText(
  { bytes, url, limits }: Work,
  load: (url: string) => Promise<Uint8Array>,
): Promise<ReadSpec> {
  try {
    const measure = new Measure(limits)
    const { document, format } = await parseDocument(bytes, measure)
    const checked = checkSpecification(document, limits)
    const { document: bundled, externals } = await bundleReferences(checked, { url, limits, measure, load })
    const current = await upgraded(bundled, url)
    checkOperations(current, limits)
    if (url !== undefined) placeServers(current, url)
    return {
      document: new TextEncoder().encode(JSON.stringify(current)),
      externals: externals.length === 0 ? undefined : writeExternals(externals),
      format,
    }
  } catch (error) {
    // The stack overflowed.
    if (error instanceof RangeError) throw new Refused('is nested too deeply')
    throw error
  }
}

/** Upgrades older versions to 3.1. The library is only loaded if needed. */
async function upgraded(document: JsonObject, url: string | undefined): Promise<JsonObject> {
  if (/^3\.[12]/.test(versionOf(document))) return document
  const { upgrade } = await import('@scalar/openapi-parser')
  if (document['swagger'] !== undefined) makeReady(document, url)
  return upgrade(document).specification as unknown as JsonObject
}

function writeExternals(externals: readonly External[]): NonNullable<ReadSpec['externals']> {
  const files = externals.map(({ url, json, references }) => {
    const about = JSON.stringify({ filename: url, dir: '.', isEntrypoint: false, references })
    return `${JSON.stringify(url)}:${about.slice(0, -1)},"specification":${json}}`
  })
  return { names: externals.map(({ url }) => url), json: new TextEncoder().encode(`{${files.join(',')}}`) }
}
