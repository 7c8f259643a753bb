import { accessOrganization } from '../access/caller.ts'
import { specRights } from '../access/rights.ts'
import { requireMatch, requireNoMatch } from '../http/conditional.ts'
import { taken } from '../http/errors.ts'
import { byAge, listOf, pageOf, pageQuery, presentPage } from '../http/paging.ts'
import { type Routes, token } from '../http/routes.ts'
import { Nothing, refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { accessSpec, accessSpecToChange } from './access.ts'
import { changeVisibility, createSpec, putSpec, removeSpec } from './actions.ts'
import { presentSpec } from './present.ts'
import { listSpecs } from './queries.ts'
import { NewOpenAPISpec, OpenAPISpec, OpenAPISpecChanges, OpenAPISpecSource } from './schema.ts'
import { bodyLimit, withSource } from './source.ts'

const inOrganization = Type.Object({ organizationId: Type.String() })
const ofSpec = Type.Object({ organizationId: Type.String(), specSlug: Type.String() })
const tags = ['openapi']

export const specRoutes: Routes = async (app) => {
  app.get(
    '/orgs/:organizationId/openapi',
    {
      config: { policy: token('openapi:read', 'to be a member; guests get an empty list') },
      schema: {
        operationId: 'listOpenAPISpecs',
        summary: 'List the OpenAPI specifications of an organization',
        tags,
        params: inOrganization,
        querystring: Type.Object(pageQuery),
        response: { 200: listOf(OpenAPISpec), ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'view')
      const page = pageOf(request)
      const { view } = specRights(membership.role)
      const list = view ? await listSpecs(app.db, membership.organization.id, page) : { rows: [], count: 0 }
      return presentPage(request, page, list, byAge, (row) => presentSpec(row, membership, app.url))
    },
  )

  app.post(
    '/orgs/:organizationId/openapi',
    {
      bodyLimit: bodyLimit(app),
      config: { policy: token('openapi:write', 'the role create') },
      schema: {
        operationId: 'createOpenAPISpec',
        summary: 'Create an OpenAPI specification',
        description: 'Processed in the background: `processingState` shows the progress.',
        tags,
        params: inOrganization,
        body: NewOpenAPISpec,
        response: { 201: OpenAPISpec, ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'createOpenAPISpec')
      const organizationId = membership.organization.id
      const { slug } = request.body

      return withSource(app, organizationId, request.body.source, (source) =>
        write(request, async (tx) => {
          const spec = await createSpec(tx, { organizationId, slug, source })
          if (!spec) throw slugTaken()
          tx.afterCommit(() => app.openapi.wake())
          return presentSpec(spec, membership, app.url)
        }),
      )
    },
  )

  app.get(
    '/orgs/:organizationId/openapi/:specSlug',
    {
      config: { policy: token('openapi:read', 'the role read') },
      schema: {
        operationId: 'getOpenAPISpecBySlug',
        summary: 'Get an OpenAPI specification',
        tags,
        params: ofSpec,
        response: { 200: OpenAPISpec, ...refusals },
      },
    },
    async (request) => {
      const { spec, membership } = await accessSpec(app.db, request.caller, request.params.specSlug)
      return presentSpec(spec, membership, app.url)
    },
  )

  app.put(
    '/orgs/:organizationId/openapi/:specSlug',
    {
      bodyLimit: bodyLimit(app),
      config: { policy: token('openapi:write', 'the role create') },
      schema: {
        operationId: 'createOrUpdateOpenAPISpecBySlug',
        summary: 'Create an OpenAPI specification, or change where it comes from',
        description: 'With the same source, it is fetched again. The previous version stays until that is done.',
        tags,
        params: ofSpec,
        body: OpenAPISpecSource,
        response: { 200: OpenAPISpec, ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'createOpenAPISpec')
      const organizationId = membership.organization.id
      const { specSlug: slug } = request.params

      return withSource(app, organizationId, request.body.source, (source) =>
        write(request, async (tx) => {
          const spec = await putSpec(tx, { organizationId, slug, source }, (known) => {
            if (known) requireMatch(request, presentSpec(known, membership, app.url))
            else requireNoMatch(request, 'specification')
          })
          tx.afterCommit(() => app.openapi.wake())
          return presentSpec(spec, membership, app.url)
        }),
      )
    },
  )

  app.patch(
    '/orgs/:organizationId/openapi/:specSlug',
    {
      config: { policy: token('openapi:write', 'the role create') },
      schema: {
        operationId: 'updateOpenAPISpecBySlug',
        summary: 'Change who can download an OpenAPI specification',
        tags,
        params: ofSpec,
        body: OpenAPISpecChanges,
        response: { 200: OpenAPISpec, ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'view')
      const { visibility } = request.body

      return write(request, async (tx) => {
        const spec = await accessSpecToChange(tx, membership, request.params.specSlug)
        requireMatch(request, presentSpec(spec, membership, app.url))
        return presentSpec(await changeVisibility(tx, spec, visibility), membership, app.url)
      })
    },
  )

  app.delete(
    '/orgs/:organizationId/openapi/:specSlug',
    {
      config: { policy: token('openapi:write', 'the role create') },
      schema: {
        operationId: 'deleteOpenAPISpecBySlug',
        summary: 'Delete an OpenAPI specification and all its versions',
        tags,
        params: ofSpec,
        response: {
          205: Nothing('The specification was deleted; pages generated from it stay, but show nothing'),
          ...refusals,
        },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'view')

      await write(request, async (tx) => {
        const spec = await accessSpecToChange(tx, membership, request.params.specSlug)
        requireMatch(request, presentSpec(spec, membership, app.url))
        await removeSpec(tx, spec)
      })
    },
  )
}

const slugTaken = () =>
  taken('body.slug', 'There already is a specification with this slug. Choose another, or use PUT to change it.')
