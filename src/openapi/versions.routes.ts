import { buffer } from 'node:stream/consumers'
import type { Static } from 'typebox'
import type { OpenAPIVersionRow } from '../db/tables.ts'
import { notFound } from '../http/errors.ts'
import { byAge, listOf, pageOf, pageQuery, presentPage } from '../http/paging.ts'
import { type App, type Routes, token } from '../http/routes.ts'
import { refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { BlobMissing } from '../storage/store.ts'
import { accessSpec, accessVersion } from './access.ts'
import { downloadUrl } from './downloads.ts'
import { presentVersion } from './present.ts'
import { OpenAPISpecContent, OpenAPISpecText, OpenAPISpecVersion } from './schema.ts'
import { listVersions } from './versions.queries.ts'

const ofSpec = { organizationId: Type.String(), specSlug: Type.String() }
const tags = ['openapi-versions']
const config = { policy: token('openapi:read', 'the role read') }
const base = '/orgs/:organizationId/openapi/:specSlug/versions'

export const specVersionRoutes: Routes = async (app) => {
  app.get(
    base,
    {
      config,
      schema: {
        operationId: 'listOpenAPISpecVersions',
        summary: 'List the versions of an OpenAPI specification, newest first',
        tags,
        params: Type.Object(ofSpec),
        querystring: Type.Object(pageQuery),
        response: { 200: listOf(OpenAPISpecVersion), ...refusals },
      },
    },
    async (request) => {
      const { spec } = await accessSpec(app.db, request.caller, request.params.specSlug)
      const page = pageOf(request)
      const list = await listVersions(app.db, spec, page)
      return presentPage(request, page, list, byAge, (row) => presentVersion(app, spec, row))
    },
  )

  for (const { path, params, words, operations } of ways) {
    app.get(
      `${base}/${path}`,
      {
        config,
        schema: {
          operationId: operations.version,
          summary: `Get ${words} of an OpenAPI specification`,
          tags,
          params,
          response: { 200: OpenAPISpecVersion, ...refusals },
        },
      },
      async (request) => {
        const { spec, version } = await accessVersion(app.db, request.caller, request.params)
        return presentVersion(app, spec, version)
      },
    )

    app.get(
      `${base}/${path}/content`,
      {
        config,
        schema: {
          operationId: operations.content,
          summary: `Get the content of ${words} of an OpenAPI specification`,
          tags,
          params,
          response: { 200: OpenAPISpecContent, ...refusals },
        },
      },
      async (request, reply) => {
        const { version } = await accessVersion(app.db, request.caller, request.params)
        reply.type('application/json; charset=utf-8')
        // These are the bytes that the schema describes: the stored JSON is put together without parsing it.
        return (await contentOf(app, version)) as unknown as Static<typeof OpenAPISpecContent>
      },
    )
  }

  app.get(
    `${base}/latest/content/raw`,
    {
      config,
      schema: {
        operationId: 'getLatestOpenAPISpecVersionContentRaw',
        summary: 'Get the text of the latest version of an OpenAPI specification',
        tags,
        params: Type.Object(ofSpec),
        response: { 200: OpenAPISpecText, ...refusals },
      },
    },
    async (request) => {
      const { version } = await accessVersion(app.db, request.caller, request.params)
      const text = await read(app, version, version.source_blob)
      return { text: text.toString(), format: version.format }
    },
  )
}

/** A version is addressed by its id, or as the latest one. */
const ways = [
  {
    path: 'latest',
    params: Type.Object(ofSpec),
    words: 'the latest version',
    operations: { version: 'getLatestOpenAPISpecVersion', content: 'getLatestOpenAPISpecVersionContent' },
  },
  {
    path: ':versionId',
    params: Type.Object({ ...ofSpec, versionId: Type.String() }),
    words: 'a version',
    operations: { version: 'getOpenAPISpecVersionById', content: 'getOpenAPISpecVersionContentById' },
  },
]

/** Can be several megabytes, so it is put together from the stored JSON without parsing it. */
async function contentOf(app: App, version: OpenAPIVersionRow): Promise<Buffer> {
  const { document_blob, externals_blob, externals: references } = version
  const [document, externals] = await Promise.all([
    read(app, version, document_blob),
    externals_blob === null ? undefined : read(app, version, externals_blob),
  ])
  const entry = JSON.stringify({ filename: 'openapi.json', dir: '.', isEntrypoint: true, references })
  return Buffer.concat([
    Buffer.from(`{"filesystem":{"openapi.json":${entry.slice(0, -1)},"specification":`),
    document,
    // The external documents are an object of their own: its members are added without its braces.
    ...(externals ? [Buffer.from('},'), externals.subarray(1, -1)] : [Buffer.from('}')]),
    Buffer.from(`},"url":${JSON.stringify(downloadUrl(app, version))}}`),
  ])
}

async function read(
  { store }: App,
  { organization_id: organizationId }: OpenAPIVersionRow,
  hash: string,
): Promise<Buffer> {
  try {
    return await buffer(await store.get({ organizationId, hash }))
  } catch (error) {
    throw error instanceof BlobMissing ? notFound('version') : error
  }
}
