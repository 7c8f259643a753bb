import { fileURLToPath } from 'node:url'
import type { Config } from '../config.ts'
import { sql } from '../db/sql.ts'
import type { OrganizationRow, SiteRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { decodeText, oidOf } from '../git/content/texts.ts'
import { openFolder } from '../git/folder.ts'
import { writeImport } from '../git/import.ts'
import { planImport } from '../git/plan-import.ts'
import type { OpenRepository } from '../git/repository.ts'
import { changeOrganization } from '../organizations/actions.ts'
import type { Secrets } from '../secrets.ts'
import { siteColumns } from '../sites/access.ts'
import { changeSite, createSite, publishSite } from '../sites/actions.ts'
import { changeAdaptiveSchema } from '../sites/adaptive/actions.ts'
import type { ClaimsSchema } from '../sites/adaptive/claims.ts'
import { arrange } from '../sites/structure/structure.ts'
import { findSkeleton } from '../sites/structure/queries.ts'
import { createSpace } from '../spaces/actions.ts'
import { version } from '../version.ts'

/** What a page of the sample asks about its reader. */
const claims: ClaimsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    unsigned: {
      type: 'object',
      description: 'What a link may say about its reader.',
      additionalProperties: false,
      properties: { isBeta: { type: 'boolean', description: 'Whether to show what is new.' } },
    },
  },
}

export interface SampleOwner {
  organization: OrganizationRow
  adminId: string
  config: Config
  secrets: Secrets
}

/**
 * Creates the documentation of Lectern itself and publishes it, so that the first thing a user sees in the browser is
 * the product working. It is a repository beside this file, imported like any other.
 */
export async function loadSample(tx: Transaction, owner: SampleOwner): Promise<void> {
  const { organization, adminId, config, secrets } = owner
  const organizationId = organization.id
  const title = 'Lectern docs'
  const draft = { parent: { organizationId, id: null }, title, emoji: '1f4d8', empty: true, creatorId: adminId }
  const spaceId = await createSpace(tx, draft)
  await fillSpace(tx, { organizationId, spaceId, url: addressOf(config) })

  const siteId = await createSite(tx, secrets, {
    organizationId,
    creatorId: adminId,
    type: 'basic',
    title: 'Lectern',
    visibility: 'public',
    spaces: [{ id: spaceId, title }],
  })
  const site = await tx.one(sql<SiteRow>`
    select ${siteColumns} from sites s where s.organization_id = ${organizationId} and s.id = ${siteId}`)
  const skeleton = await findSkeleton(tx, site)
  const held = { skeleton, structure: arrange(skeleton, () => true) }
  const adaptive = await changeAdaptiveSchema(tx, site, claims)
  const hosts = { url: addressOf(config), sitesHost: config.sitesHost }
  await changeSite(tx, hosts, { ...held, site: adaptive }, { adaptiveContent: { enabled: true } })
  await publishSite(tx, { ...held, site: { ...adaptive, adaptive_enabled: true } })
  await changeOrganization(tx, organization, { defaultContent: { type: 'site', site: siteId } })
}

const addressOf = ({ url, host, port }: Config) => url ?? `http://${host}:${port}`

async function fillSpace(
  tx: Transaction,
  space: { organizationId: string; spaceId: string; url: string },
): Promise<void> {
  const repository = withVersion(await openFolder(fileURLToPath(new URL('pages', import.meta.url))))
  const plan = await planImport(tx, space, repository)
  // The sample contains no files, and nobody will want its original table of contents back.
  const nothing = { files: [], kept: [], unkept: [], incoming: [], problems: [] }
  const options = { force: false, standalone: false, mayWriteMain: () => true, commit: undefined }
  await writeImport(tx, plan, nothing, options)
}

/** The pages mention the running version. */
function withVersion(repository: OpenRepository): OpenRepository {
  const path = '.gitbook/vars.yaml'
  const bytes = Buffer.from(`version: ${JSON.stringify(version)}\n`)
  const files = new Map([...repository.files, [path, { oid: oidOf(bytes), size: bytes.length }]])
  const textOf = (each: string) => (each === path ? decodeText(bytes) : repository.textOf(each))
  return { ...repository, files, textOf }
}
