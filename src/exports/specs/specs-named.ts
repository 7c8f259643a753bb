import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { specsShownIn } from '../../openapi/named.ts'
import { pageData } from '../../pages/entry-data.ts'
import { type Row, page } from '../../revisions/entries.ts'

/** Content that was read from an archive. */
interface Content {
  rows: readonly Row[]
  bodies: ReadonlyMap<string, string>
}

/** The OpenAPI specifications that these spaces show and their organization does not have: slugs or URLs. */
export async function listMissingSpecs(tx: Transaction, organizationId: string, spaces: readonly Content[]) {
  const names = [...new Set(spaces.flatMap(namesIn))]
  if (names.length === 0) return []
  const here = await tx.all(sql<{ slug: string; source_url: string | null }>`
    select slug, source_url from openapi_specs
    where organization_id = ${organizationId} and (slug = any (${names}::text[]) or source_url = any (${names}::text[]))`)
  const known = new Set(here.flatMap(({ slug, source_url }) => [slug, source_url]))
  return names.filter((name) => !known.has(name)).toSorted()
}

function namesIn({ rows, bodies }: Content): string[] {
  const made = rows.flatMap((row) => {
    const ref = row.kind === page ? pageData(row).computed?.dependencies?.['spec']?.ref : undefined
    return typeof ref?.['spec'] === 'string' ? ref['spec'] : []
  })
  return [...made, ...[...bodies.values()].flatMap(specsShownIn)]
}
