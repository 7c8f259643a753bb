import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { accessOrganization } from '../access/caller.ts'
import { accessSpace } from '../access/content.ts'
import { slug } from '../content/sections.ts'
import type { OrganizationRow, SpaceRow } from '../db/tables.ts'
import { namedAs } from '../files/send.ts'
import { type App, type Routes, token } from '../http/routes.ts'
import { refusals } from '../http/schemas.ts'
import { firstCharacters } from '../shortened.ts'
import Type from '../http/type.ts'
import type { Progress } from './archive.ts'
import { type Exported, trackExport } from './runs/runs.ts'

const archive = Type.Unsafe<Readable>({
  type: 'string',
  contentMediaType: 'application/zip',
  description: 'A ZIP archive, streamed while it is created. Its last file, `manifest.json`, lists all others.',
})

export const exportRoutes: Routes = async (app) => {
  app.get(
    '/spaces/:spaceId/export',
    {
      config: { policy: token(null, 'the role create in the space') },
      schema: {
        operationId: 'exportSpace',
        summary: 'Export a space',
        description:
          'Contains the main content as Markdown files with their assets, the comments and the settings. The header `Lectern-Export` ' +
          'has the id of the export: `…/exports/{exportId}` of the organization shows its progress.',
        tags: ['spaces'],
        params: Type.Object({ spaceId: Type.String() }),
        response: { 200: archive, ...refusals },
      },
    },
    async (request, reply) => {
      const { space } = await accessSpace(app.db, request.caller, request.params.spaceId, 'admin')
      return sendSpaceArchive(app, request, reply, space)
    },
  )

  app.get(
    '/orgs/:organizationId/export',
    {
      config: { policy: token(null, 'the role admin') },
      schema: {
        operationId: 'exportOrganization',
        summary: 'Export an organization',
        description: 'Contains all spaces, collections, sites, members and teams. Contains no secrets.',
        tags: ['organizations'],
        params: Type.Object({ organizationId: Type.String() }),
        response: { 200: archive, ...refusals },
      },
    },
    async (request, reply) => {
      const { organization } = accessOrganization(request.caller, 'admin')
      return sendOrganizationArchive(app, request, reply, organization)
    },
  )
}

export async function sendOrganizationArchive(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { id, title }: Pick<OrganizationRow, 'id' | 'title'>,
) {
  const of = { organizationId: id, spaceId: undefined, title }
  // Imported only when needed, also below: archives are made rarely.
  const { exportOrganizationArchive } = await import('./export.ts')
  return sendArchive(app, request, reply, of, (progress) => exportOrganizationArchive(app, id, progress))
}

export async function sendSpaceArchive(app: App, request: FastifyRequest, reply: FastifyReply, space: SpaceRow) {
  const of = { organizationId: space.organization_id, spaceId: space.id, title: space.title }
  const { exportSpaceArchive } = await import('./export.ts')
  return sendArchive(app, request, reply, of, (progress) => exportSpaceArchive(app, space, progress))
}

async function sendArchive(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { title, ...exported }: Exported & { title: string },
  make: (progress: Progress) => Readable,
) {
  reply.type('application/zip')
  const name = firstCharacters(slug(title), 80)
  reply.header('content-disposition', `attachment; ${namedAs(`${name}.zip`)}`)
  // An empty stream: the archive is not created only for its headers.
  if (request.method === 'HEAD') return reply.send(Readable.from([]))
  const { id, archive } = await trackExport(app, request, exported, make)
  return reply.header('lectern-export', id).send(archive)
}
