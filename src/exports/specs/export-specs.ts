import type { Db } from '../../db/connect.ts'
import { sql } from '../../db/sql.ts'
import { portableName } from '../../git/layout/paths.ts'
import type { OpenAPISpecRow, OpenAPIVersionRow } from '../../db/tables.ts'
import { type BlobStore, getIfThere } from '../../storage/store.ts'
import type { Item } from '../archive.ts'

/** An OpenAPI specification in an archive. Fields for bytes contain their path in the archive. */
export interface ExportedSpec {
  id: string
  slug: string
  visibility: OpenAPISpecRow['visibility']
  url: string | null
  text: string | null
  /** The last version that could be read. Pages show it even if it can no longer be fetched. */
  version: ExportedVersion | null
}

export interface ExportedVersion {
  format: OpenAPIVersionRow['format']
  document: string
  source: string
  externals: string | null
  externalNames: string[]
}

export const specsPath = 'specifications.json'

type Found = Pick<OpenAPISpecRow, 'id' | 'slug' | 'visibility' | 'source_url' | 'source_blob'> & {
  version: Pick<OpenAPIVersionRow, 'format' | 'document_blob' | 'source_blob' | 'externals_blob' | 'externals'> | null
}

/** The specifications of an organization, each with its newest version. */
export async function* specItems(db: Db, store: BlobStore, organizationId: string): AsyncGenerator<Item> {
  const specs: ExportedSpec[] = []
  for (const spec of await listSpecsToExport(db, organizationId)) {
    const { id, slug, visibility, source_url: url, source_blob, version } = spec
    const folder = `specifications/${portableName(slug)}/`
    const places = new Map<string, string>()
    if (version) {
      places.set(`${folder}openapi.json`, version.document_blob)
      places.set(`${folder}source.${version.format}`, version.source_blob)
      if (version.externals_blob !== null) places.set(`${folder}externals.json`, version.externals_blob)
    }
    if (source_blob !== null) places.set(`${folder}text.txt`, source_blob)
    for (const [path, hash] of places) {
      const content = await getIfThere(store, { organizationId, hash })
      if (content) yield { path, content }
    }
    specs.push({
      id,
      slug,
      visibility,
      url,
      text: source_blob === null ? null : `${folder}text.txt`,
      version: version && {
        format: version.format,
        document: `${folder}openapi.json`,
        source: `${folder}source.${version.format}`,
        externals: version.externals_blob === null ? null : `${folder}externals.json`,
        externalNames: version.externals,
      },
    })
  }
  yield { path: specsPath, content: `${JSON.stringify(specs, null, 2)}\n` }
}

async function listSpecsToExport(db: Db, organizationId: string): Promise<Found[]> {
  return db.all(
    sql<Found>`
    select s.id, s.slug, s.visibility, s.source_url, s.source_blob,
      case when v.id is not null then jsonb_build_object('format', v.format, 'document_blob', v.document_blob,
        'source_blob', v.source_blob, 'externals_blob', v.externals_blob, 'externals', v.externals) end as version
    from openapi_specs s left join openapi_spec_versions v
      on v.organization_id = s.organization_id and v.spec_id = s.id and v.id = s.last_version
    where s.organization_id = ${organizationId} order by s.created_at, s.id`.asSlow(),
  )
}
