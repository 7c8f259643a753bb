import { type Entry, top } from '../../content/merge/entry.ts'
import type { RedirectDestination, SiteRow } from '../../db/tables.ts'
import { type PageData, asData } from '../../pages/entry-data.ts'
import { PageTree } from '../../pages/tree.ts'
import { matchOf } from '../../sites/redirects/match.ts'
import type { SpacePages } from '../pages.ts'
import type { Sources } from '../resolve.ts'
import { type SiteSnapshot, makeSnapshot } from '../snapshots/snapshot.ts'
import type { SiteRows } from '../snapshots/snapshot.queries.ts'

/** A page of an example space. Its slug is also its id and its title. */
export type Sketch = Partial<PageData> & { slug: string; pages?: Sketch[] }

export interface VariantSketch {
  path: string
  isDefault?: boolean
  condition?: string
  inTrash?: boolean
  pages?: Sketch[]
}

export interface SiteSketch {
  site?: Partial<SiteRow>
  root?: VariantSketch[]
  sections?: { path: string; isDefault?: boolean; condition?: string; variants: VariantSketch[] }[]
  redirects?: { source: string; to: RedirectDestination; capture?: boolean; permanent?: boolean; draft?: boolean }[]
  /** Former paths: `<variant> <path>` → the page that was there. */
  former?: Record<string, string>
}

export interface Sketched {
  snapshot: SiteSnapshot
  sources: Sources
}

/** Creates a site in memory. Ids are paths: that of a variant is `section/variant`, or its own path at the root. */
export function sketchSite(sketch: SiteSketch): Sketched {
  const trees = new Map<string, SpacePages>()
  const rows: SiteRows = {
    site: { ...plainSite, ...sketch.site },
    organization: { hostname: 'acme', title: 'Acme' },
    groups: [],
    sections: [],
    links: [],
    siteSpaces: [],
    redirects: (sketch.redirects ?? []).map(({ source, to, capture = false, permanent = false, draft = false }) => ({
      id: source,
      source,
      match: matchOf(source)!,
      destination: to,
      draft,
      capture_wildcard: capture,
      permanent,
    })),
    shareKeys: [],
    lockedKeys: [],
    shareKeysHoldMs: null,
    hasFormerPlaces: false,
    pictures: [],
    fonts: [],
  }
  const addVariant = (sectionId: string | null, variant: VariantSketch, at: number) => {
    const id = sectionId === null ? variant.path : `${sectionId}/${variant.path}`
    trees.set(id, pagesOf(id, variant.pages ?? []))
    rows.siteSpaces.push({
      organization_id: 'org',
      site_id: 'site',
      id,
      section_id: sectionId,
      space_id: `space of ${id}`,
      title: null,
      path: variant.path,
      condition: variant.condition ?? null,
      draft: false,
      position: `a${at}`,
      is_default: variant.isDefault ?? at === 0,
      customization: null,
      space_title: id,
      space_emoji: null,
      space_icon: null,
      space_language: null,
      in_trash: variant.inTrash ?? false,
      line_id: id,
      head_seq: 1,
      head_id: id,
    })
  }
  for (const [at, variant] of (sketch.root ?? []).entries()) addVariant(null, variant, at)
  for (const [at, section] of (sketch.sections ?? []).entries()) {
    rows.sections.push({
      organization_id: 'org',
      site_id: 'site',
      id: section.path,
      group_id: null,
      title: section.path,
      description: null,
      icon: null,
      path: section.path,
      condition: section.condition ?? null,
      draft: false,
      position: `a${at}`,
      is_default: section.isDefault ?? at === 0,
    })
    for (const [index, variant] of section.variants.entries()) addVariant(section.path, variant, index)
  }
  return {
    snapshot: makeSnapshot(rows),
    sources: {
      pages: async (at) => trees.get(at.id)!,
      formerPlaces: async () => [],
      async formerPath({ row }, path) {
        const slugs = path.split('/')
        for (let length = slugs.length; length > 0; length--) {
          const entry = sketch.former?.[`${row.id} ${slugs.slice(0, length).join('/')}`]
          if (entry) return { entry, rest: slugs.slice(length).join('/') }
        }
        return undefined
      },
    },
  }
}

function pagesOf(id: string, pages: Sketch[]): SpacePages {
  const entries: Entry[] = []
  const add = (list: Sketch[], parent: string) => {
    for (const [at, { slug, pages = [], ...data }] of list.entries()) {
      entries.push({
        entry: slug,
        kind: 1,
        state: 0,
        parent,
        slug,
        position: `a${at}`,
        doc: null,
        refs: null,
        data: asData({ type: 'document', title: slug, createdAt: '', updatedAt: '', ...data }),
      })
      add(pages, slug)
    }
  }
  add(pages, top)
  const at = { organizationId: 'org', lineId: id, seq: 1, id, base: undefined }
  return { at, tree: PageTree.of(entries), variables: { edition: 'big' } }
}

const now = new Date(0)

const plainSite: SiteRow = {
  organization_id: 'org',
  id: 'site',
  type: 'basic',
  title: 'Site',
  visibility: 'public',
  published: true,
  published_at: now,
  basename: 'docs',
  hostname: null,
  proxy: null,
  agents_context: 'included',
  adaptive_enabled: true,
  adaptive_schema: null,
  adaptive_updated_at: null,
  auth_backend: 'custom',
  auth_key: Buffer.alloc(0),
  auth_fallback_url: null,
  auth_logout_url: null,
  customization: {},
  customization_updated_at: null,
  version: 1,
  created_by: null,
  created_at: now,
  updated_at: now,
}
