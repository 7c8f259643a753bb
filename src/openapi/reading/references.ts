import { shortened } from '../../shortened.ts'
import { Refused } from './failure.ts'
import type { ReadingLimits } from './limits.ts'
import { type JsonObject, type Measure, parseDocument } from './parse.ts'
import { eachReference, hideSaid, showSaid } from './said.ts'

/** Another document, as it was fetched. */
export interface External {
  url: string
  json: string
  references: string[]
}

interface Around {
  url: string | undefined
  limits: ReadingLimits
  measure: Measure
  load: (url: string) => Promise<Uint8Array>
}

/**
 * Copies everything that a specification refers to elsewhere into it, below `x-ext`, so that every reference in it
 * leads to another place in it. `load` is the only access to the outside: files are never read.
 */
export async function bundleReferences(
  document: JsonObject,
  around: Around,
): Promise<{ document: JsonObject; externals: External[] }> {
  if (externalReferences(document).length === 0) return { document, externals: [] }
  const { bundle } = await import('@scalar/json-magic/bundle')
  const documents = new Documents(around)
  documents.follow(document, around.url, 0)
  hideSaid(document)
  const bundled = await bundle(document, {
    treeShake: false,
    // Without an address, a relative reference resolves to a path, which is refused.
    origin: around.url ?? '/',
    plugins: [{ type: 'loader', validate: () => true, exec: (url: string) => documents.read(url) }],
  })
  showSaid(bundled)
  return { document: bundled as JsonObject, externals: documents.externals }
}

class Documents {
  readonly externals: External[] = []
  readonly #around: Around
  /** How many references away each document is. */
  readonly #depths = new Map<string, number>()

  constructor(around: Around) {
    this.#around = around
  }

  async read(url: string): Promise<{ ok: true; data: JsonObject; raw: string }> {
    const { limits, measure, load } = this.#around
    if (!/^https?:/i.test(url)) throw new Refused(this.#unreachable(url))
    if (this.externals.length >= limits.documents) {
      throw new Refused(`refers to more than ${limits.documents} other documents`)
    }
    const depth = this.#depths.get(withoutAnchor(url)) ?? 1
    if (depth > limits.referenceDepth) {
      throw new Refused(`refers to documents that are more than ${limits.referenceDepth} references away`)
    }
    const data = await parseExternal(url, await load(url), measure)
    // Written before its own references are changed to lead into the whole.
    const json = JSON.stringify(data)
    this.externals.push({ url, json, references: externalReferences(data) })
    this.follow(data, url, depth)
    hideSaid(data)
    return { ok: true, data, raw: json }
  }

  follow(document: JsonObject, url: string | undefined, depth: number): void {
    for (const reference of externalReferences(document)) {
      if (!URL.canParse(reference, url)) continue
      const target = withoutAnchor(new URL(reference, url).href)
      if (!this.#depths.has(target)) this.#depths.set(target, depth + 1)
    }
  }

  #unreachable(url: string): string {
    const what = `refers to "${shortened(url, 200)}"`
    const isRelative = this.#around.url === undefined && !/^[a-z][a-z0-9+.-]*:/i.test(url)
    return isRelative
      ? `${what}, and a text has no address from which that could be found`
      : `${what}, which is not an http or https address`
  }
}

const withoutAnchor = (url: string) => url.replace(/#.*$/s, '')

async function parseExternal(url: string, bytes: Uint8Array, measure: Measure): Promise<JsonObject> {
  try {
    return (await parseDocument(bytes, measure)).document
  } catch (error) {
    if (error instanceof Refused) throw new Refused(`refers to ${shortened(url, 200)}, which ${error.message}`)
    throw error
  }
}

/** Returns the parts of references before the `#`, without duplicates. */
function externalReferences(document: unknown): string[] {
  const found = new Set<string>()
  eachReference(document, ({ $ref: reference }, isSaid) => {
    if (!isSaid && !reference.startsWith('#')) found.add(withoutAnchor(reference))
  })
  return [...found]
}
