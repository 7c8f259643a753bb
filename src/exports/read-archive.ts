import type { Static } from 'typebox'
import type { Config } from '../config.ts'
import type { Incoming } from '../files/blobs.ts'
import { readCollections } from './archived-collections.ts'
import { readArchived } from './archived.ts'
import type { Archive } from './open-archive.ts'
import { ArchivedOrganization, GrantsOfOrganization } from './people/archived-people.ts'
import type { JsonRow } from './queries.ts'
import { type ReadSpace, readSpace } from './read-space.ts'
import { readSites } from './sites/archived-sites.ts'
import { type ReadFonts, readFonts } from './sites/fonts.ts'
import { readPictures } from './sites/pictures.ts'
import { type ReadSpec, bytesOfSpecs, readSpecs } from './specs/import-specs.ts'
import { type ExportedTranslation, readTranslations } from './translations.ts'

/** Everything in an archive, with its bytes on the disk and nothing in the database yet. */
export interface ReadArchive extends OfOrganization {
  spaces: ReadSpace[]
  grants: Static<typeof GrantsOfOrganization>
  translations: ExportedTranslation[]
  /** What cannot be restored, as far as the archive itself shows. */
  problems: string[]
}

/** The parts that only the archive of an organization has. */
interface OfOrganization {
  organization: Partial<Static<typeof ArchivedOrganization>>
  collections: JsonRow[]
  sites: Record<string, JsonRow[]> | undefined
  specs: ReadSpec[]
  pictures: Incoming[]
  fonts: ReadFonts
}

/** The caller discards the files in `received`, even if reading fails. */
export async function readArchive(config: Config, archive: Archive, received: Incoming[]): Promise<ReadArchive> {
  const isWhole = archive.manifest.kind === 'organization'
  const ofOrganization = isWhole ? await readOrganization(config, archive, received) : nothingBeside
  const spaces: ReadSpace[] = []
  const problems: string[] = []
  for (const folder of isWhole ? foldersIn(archive) : ['']) {
    const space = await readSpace(config, archive, folder, problems)
    received.push(...space.incoming)
    spaces.push(space)
  }
  return {
    ...ofOrganization,
    spaces,
    grants: await readGrants(archive),
    translations: await readTranslations(archive),
    problems,
  }
}

const nothingBeside: OfOrganization = {
  organization: {},
  collections: [],
  sites: undefined,
  specs: [],
  pictures: [],
  fonts: { tables: {}, incoming: [] },
}

async function readOrganization(config: Config, archive: Archive, received: Incoming[]): Promise<OfOrganization> {
  const specs = await readSpecs(config, archive)
  received.push(...bytesOfSpecs(specs))
  const pictures = await readPictures(config, archive)
  received.push(...pictures)
  const fonts = await readFonts(config, archive)
  received.push(...fonts.incoming)
  const collections = await readCollections(archive)
  const sites = await readSites(archive)
  const organization = await readArchived(archive, 'organization.json', ArchivedOrganization)
  return { organization, collections, sites, specs, pictures, fonts }
}

async function readGrants(archive: Archive): Promise<Static<typeof GrantsOfOrganization>> {
  return archive.has('grants.json')
    ? readArchived(archive, 'grants.json', GrantsOfOrganization)
    : { collections: {}, sites: {} }
}

function foldersIn(archive: Archive): string[] {
  return archive.paths().flatMap((path) => /^(spaces\/[^/]+\/)space\.json$/.exec(path)?.[1] ?? [])
}
