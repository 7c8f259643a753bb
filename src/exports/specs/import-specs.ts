import { recordChange } from '../../changes/record.ts'
import type { Config } from '../../config.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { type Incoming, discard, keepBlob, receiveBlob } from '../../files/blobs.ts'
import { AnId, Nullable, OneOf } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { newId } from '../../ids.ts'
import { about } from '../../openapi/actions.ts'
import { findSpec, insertSpec } from '../../openapi/queries.ts'
import { SpecSlug, formats, visibilities } from '../../openapi/schema.ts'
import { findVersionById, insertVersion } from '../../openapi/versions.queries.ts'
import type { BlobStore } from '../../storage/store.ts'
import { type ExportedSpec, type ExportedVersion, specsPath } from './export-specs.ts'
import { readArchived } from '../archived.ts'
import { freeId } from '../new-ids.ts'
import type { Archive } from '../open-archive.ts'

/** A specification that was read from an archive, with its bytes on the disk. */
export interface ReadSpec {
  was: ExportedSpec
  text: Incoming | undefined
  version: ReadVersion | undefined
}

interface ReadVersion extends Pick<ExportedVersion, 'format' | 'externalNames'> {
  document: Incoming
  source: Incoming
  externals: Incoming | undefined
}

const path = Nullable(Type.String())

const ArchivedSpecs = Type.Array(
  Type.Object({
    id: AnId(),
    slug: SpecSlug,
    visibility: OneOf(visibilities),
    url: Nullable(Type.String({ format: 'http-url', maxLength: 2048 })),
    text: path,
    version: Nullable(
      Type.Object({
        format: OneOf(formats),
        document: Type.String(),
        source: Type.String(),
        externals: path,
        externalNames: Type.Array(Type.String()),
      }),
    ),
  }),
)

/** Older archives contain no specifications. */
export async function readSpecs(config: Config, archive: Archive): Promise<ReadSpec[]> {
  if (!archive.has(specsPath)) return []
  const specs: ReadSpec[] = []
  const received: Incoming[] = []
  const receive = async (path: string | null): Promise<Incoming | undefined> => {
    if (path === null || !archive.has(path)) return undefined
    const maxBytes = archive.manifest.files[path]!.size
    const declared = path.endsWith('.txt') ? 'text/plain' : 'application/json'
    const incoming = await receiveBlob(config, archive.read(path), { name: path, declared, maxBytes })
    received.push(incoming)
    return incoming
  }
  try {
    for (const was of await readArchived(archive, specsPath, ArchivedSpecs)) {
      const [text, version] = [await receive(was.text), was.version]
      const [document, source] = [await receive(version?.document ?? null), await receive(version?.source ?? null)]
      const externals = await receive(version?.externals ?? null)
      const isWhole = document && source && (version?.externals === null || externals !== undefined)
      specs.push({ was, text, version: isWhole ? { ...version!, document, source, externals } : undefined })
    }
    return specs
  } catch (error) {
    await discard(received)
    throw error
  }
}

export const bytesOfSpecs = (specs: readonly ReadSpec[]): Incoming[] =>
  specs.flatMap(({ text, version }) => [text, version?.document, version?.source, version?.externals]).filter(isThere)

const isThere = (incoming: Incoming | undefined): incoming is Incoming => incoming !== undefined

/**
 * Restores specifications. Pages refer to a specification by its slug, so there can be only one: if the organization
 * has it already, that one stays. A restored one is shown as it was last read, and the job reads it again. Returns how
 * many were restored.
 */
export async function importSpecs(
  tx: Transaction,
  store: BlobStore,
  { organizationId, problems }: { organizationId: string; problems: string[] },
  specs: readonly ReadSpec[],
): Promise<number> {
  let count = 0
  for (const spec of specs) {
    const { was, text, version } = spec
    const name = JSON.stringify(was.slug)
    if (was.url === null && text === undefined) {
      problems.push(`The OpenAPI specification ${name} was left out: its text is not in the archive.`)
      continue
    }
    for (const each of bytesOfSpecs([spec])) await keepBlob(tx, store, organizationId, each)
    const id = await freeId(tx, sql`openapi_specs`, was.id)
    const source = was.url === null ? { blob: text!.blob.hash } : { url: was.url }
    if (!(await insertSpec(tx, { organizationId, id, slug: was.slug, source }))) {
      if (!(await isTheSame(tx, organizationId, spec))) {
        problems.push(
          `The OpenAPI specification ${name} was left out: another one already exists here, which pages show now.`,
        )
      }
      continue
    }
    await settle(tx, organizationId, id, was.visibility, version)
    recordChange(tx, { ...about({ organization_id: organizationId, id }), action: 'openapi-spec.created' })
    count += 1
  }
  return count
}

async function isTheSame(tx: Transaction, organizationId: string, { was, version, text }: ReadSpec): Promise<boolean> {
  const here = (await findSpec(tx, organizationId, was.slug))!
  if (here.id === was.id) return true
  if (was.url !== null && here.source_url === was.url) return true
  if (text !== undefined && here.source_blob === text.blob.hash) return true
  const newest = here.last_version === null ? undefined : await findVersionById(tx, organizationId, here.last_version)
  return newest !== undefined && newest.document_blob === version?.document.blob.hash
}

async function settle(
  tx: Transaction,
  organizationId: string,
  specId: string,
  visibility: ExportedSpec['visibility'],
  version: ReadVersion | undefined,
): Promise<void> {
  const versionId = version ? newId() : null
  if (version) {
    await insertVersion(tx, {
      organization_id: organizationId,
      spec_id: specId,
      id: versionId!,
      document_blob: version.document.blob.hash,
      externals_blob: version.externals?.blob.hash ?? null,
      externals: version.externalNames,
      source_blob: version.source.blob.hash,
      format: version.format,
    })
  }
  await tx.run(sql`
    update openapi_specs set visibility = ${visibility}, last_version = ${versionId}
    where organization_id = ${organizationId} and id = ${specId}`)
}
