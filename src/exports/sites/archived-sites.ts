import type { Static } from 'typebox'
import { AnId, Nullable, OneOf, Tagged, Time } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { checkAddresses } from '../../sites/customization/references.ts'
import { CustomizationOverride, NewCustomization } from '../../sites/customization/schema.ts'
import { inPlaces, inSet, readArchived, wrongIn } from '../archived.ts'
import type { Archive } from '../open-archive.ts'
import type { JsonRow } from '../queries.ts'

const text = (minLength: number, maxLength: number) => Type.String({ minLength, maxLength })
const maybe = <Schema extends Parameters<typeof Nullable>[0]>(schema: Schema) => Type.Optional(Nullable(schema))
const Address = Type.String({ format: 'http-url', maxLength: 2048 })

/**
 * Removes `$id`, the name of the schema in the API description: it belongs to a look as it is sent there, not to a part
 * of something else.
 */
const unnamed = <Schema extends object>(schema: Schema): Schema => ({ ...schema, $id: undefined })

const Site = Type.Object({
  id: AnId(),
  type: Type.Optional(Type.String()),
  title: text(2, 128),
  visibility: Type.Optional(OneOf(['public', 'unlisted', 'share-link', 'visitor-auth'] as const)),
  published: Type.Optional(Type.Boolean()),
  published_at: maybe(Time),
  basename: text(1, 100),
  hostname: maybe(Type.String()),
  proxy: maybe(text(0, 512)),
  agents_context: Type.Optional(OneOf(['excluded', 'included'] as const)),
  adaptive_enabled: Type.Optional(Type.Boolean()),
  adaptive_updated_at: maybe(Time),
  auth_backend: Type.Optional(OneOf(['custom', 'integration'] as const)),
  auth_fallback_url: maybe(Address),
  auth_logout_url: maybe(Address),
  customization: Type.Optional(unnamed(NewCustomization)),
  customization_updated_at: maybe(Time),
  version: Type.Optional(Type.Integer()),
  created_at: Type.Optional(Time),
  updated_at: Type.Optional(Time),
})

/** The columns that everything in a site has. */
const part = { site_id: AnId(), id: AnId(), created_at: Type.Optional(Time) }
const placed = { ...part, position: Type.String() }

const Group = Type.Object({ ...placed, title: text(1, 100), icon: maybe(text(0, 50)) })

const listed = {
  ...placed,
  group_id: maybe(AnId()),
  title: text(2, 128),
  description: maybe(text(0, 256)),
  icon: maybe(text(0, 50)),
  condition: maybe(text(1, 1024)),
}

const Section = Type.Object({
  ...listed,
  path: text(1, 100),
  is_default: Type.Optional(Type.Boolean()),
  draft: Type.Optional(Type.Boolean()),
})

/** Only web addresses: nothing that a browser would execute. */
const ExternalLink = Type.Object({ ...listed, url: Address, draft: Type.Optional(Type.Boolean()) })

const SiteSpace = Type.Object({
  ...placed,
  section_id: maybe(AnId()),
  space_id: AnId(),
  title: maybe(text(1, 128)),
  path: text(1, 100),
  condition: maybe(text(1, 1024)),
  is_default: Type.Optional(Type.Boolean()),
  customization: maybe(unnamed(CustomizationOverride)),
  draft: Type.Optional(Type.Boolean()),
})

/**
 * A former path of a space: empty for the address of the site itself. A letter may become two in lower case, as `İ`
 * does.
 */
const FormerPath = Type.Object({
  site_id: AnId(),
  path: text(0, 402),
  site_space_id: AnId(),
  moved_at: Type.Optional(Time),
})

const Redirect = Type.Object({
  ...part,
  source: text(1, 512),
  match: Type.String(),
  destination: Tagged('kind', [
    Type.Object({ kind: Type.Literal('site-section'), siteSectionId: Type.String() }),
    Type.Object({ kind: Type.Literal('site-space'), siteSpaceId: Type.String() }),
    Type.Object({ kind: Type.Literal('site-page'), siteSpaceId: Type.String(), pageId: Type.String() }),
    Type.Object({ kind: Type.Literal('external'), url: Address }),
  ]),
  capture_wildcard: Type.Optional(Type.Boolean()),
  permanent: Type.Optional(Type.Boolean()),
  draft: Type.Optional(Type.Boolean()),
  updated_at: Type.Optional(Time),
})

const Picture = Type.Object({ ...part, name: text(0, 256), blob: Type.String() })

const rowsOf = <Schema extends Parameters<typeof Type.Array>[0]>(schema: Schema) => Type.Optional(Type.Array(schema))

/** Rows as they are in the database. Archives of earlier versions lack columns added since then. */
const ArchivedSites = Type.Object({
  sites: rowsOf(Site),
  site_section_groups: rowsOf(Group),
  site_sections: rowsOf(Section),
  site_external_links: rowsOf(ExternalLink),
  site_spaces: rowsOf(SiteSpace),
  former_site_paths: rowsOf(FormerPath),
  site_redirects: rowsOf(Redirect),
  site_pictures: rowsOf(Picture),
})

type Tables = Static<typeof ArchivedSites>

export async function readSites(archive: Archive): Promise<Record<string, JsonRow[]>> {
  return readArchived(archive, 'sites.json', ArchivedSites, (tables) => {
    checkReferences(tables)
    for (const table of inOrder) inPlaces(tables[table] ?? [], table)
    checkLooks(tables)
  })
}

const inOrder = ['site_section_groups', 'site_sections', 'site_external_links', 'site_spaces'] as const
const partsOfSite = [...inOrder, ...(['site_redirects', 'site_pictures'] as const)]

/** Checks that each row is in a site of the archive, and in a section or group of the same site. */
function checkReferences({ sites = [], former_site_paths = [], ...tables }: Tables): void {
  const ids = inSet(sites, 'sites', 'id', ({ id }) => id)
  const known = new Map<keyof Tables, Set<string>>()
  for (const table of partsOfSite) {
    const rows: { site_id: string; id: string }[] = tables[table] ?? []
    known.set(
      table,
      inSet(rows, table, 'id', ({ site_id, id }) => `${site_id} ${id}`),
    )
    refer(rows, table, 'site_id', ({ site_id }) => ids.has(site_id))
  }
  const isIn = (table: keyof Tables, siteId: string, id: string | null | undefined) =>
    id === null || id === undefined || known.get(table)!.has(`${siteId} ${id}`)
  const { site_sections = [], site_external_links = [], site_spaces = [] } = tables
  refer(site_sections, 'site_sections', 'group_id', (row) => isIn('site_section_groups', row.site_id, row.group_id))
  refer(site_external_links, 'site_external_links', 'group_id', (row) =>
    isIn('site_section_groups', row.site_id, row.group_id),
  )
  refer(site_spaces, 'site_spaces', 'section_id', (row) => isIn('site_sections', row.site_id, row.section_id))
  inSet(former_site_paths, 'former_site_paths', 'path', (row) => `${row.site_id} ${row.site_space_id} ${row.path}`)
  refer(former_site_paths, 'former_site_paths', 'site_space_id', (row) =>
    isIn('site_spaces', row.site_id, row.site_space_id),
  )
}

function refer<Row>(rows: readonly Row[], table: string, field: string, isThere: (row: Row) => boolean): void {
  const index = rows.findIndex((row) => !isThere(row))
  if (index !== -1) throw wrongIn(table, index, field, 'names something that is not in the archive')
}

/** Checks the links in looks, which the schema does not cover. */
function checkLooks({ sites = [], site_spaces = [] }: Tables): void {
  const check = (rows: readonly { customization?: unknown }[], table: string) => {
    for (const [index, { customization }] of rows.entries())
      if (customization) checkAddresses(customization, `body.${table}.${index}.customization`)
  }
  check(sites, 'sites')
  check(site_spaces, 'site_spaces')
}
