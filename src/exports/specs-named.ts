import { everyBlock } from '../content/blocks.ts'
import { parse } from '../content/parse.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { pageData } from '../pages/entry-data.ts'
import { type Row, page } from '../revisions/entries.ts'

/** Content that was read from an archive. */
interface Content {
  rows: readonly Row[]
  bodies: ReadonlyMap<string, string>
}

/** The OpenAPI specifications that these spaces show and their organization does not have. */
export async function listMissingSpecs(tx: Transaction, organizationId: string, spaces: readonly Content[]) {
  const slugs = [...new Set(spaces.flatMap(slugsIn))]
  if (slugs.length === 0) return []
  const here = await tx.all(sql<{ slug: string }>`
    select slug from openapi_specs where organization_id = ${organizationId} and slug = any (${slugs}::text[])`)
  const known = new Set(here.map(({ slug }) => slug))
  return slugs.filter((slug) => !known.has(slug)).toSorted()
}

function slugsIn({ rows, bodies }: Content): string[] {
  const made = rows.flatMap((row) => {
    const ref = row.kind === page ? pageData(row).computed?.dependencies?.['spec']?.ref : undefined
    return typeof ref?.['spec'] === 'string' ? ref['spec'] : []
  })
  // Most pages show none: only those that may are read.
  const shown = [...bodies.values()].filter((body) => body.includes('openapi-')).flatMap(slugsShownIn)
  return [...made, ...shown]
}

function slugsShownIn(body: string): string[] {
  return [...everyBlock(parse(body).blocks)].flatMap((block) => {
    const isOne =
      block.type === 'openapi-operation' || block.type === 'openapi-schemas' || block.type === 'openapi-webhook'
    return isOne ? (block.spec ?? []) : []
  })
}
