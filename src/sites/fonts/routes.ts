import { accessOrganization } from '../../access/caller.ts'
import { requireMatch } from '../../http/conditional.ts'
import { invalid } from '../../http/errors.ts'
import { byAge, listOf, pageOf, pageQuery, presentPage } from '../../http/paging.ts'
import { type Routes, token } from '../../http/routes.ts'
import { Nothing, refusals } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { write } from '../../http/write.ts'
import { accessFont, accessFontToChange } from './access.ts'
import { addFont, changeFont, removeFont } from './actions.ts'
import { presentFont } from './present.ts'
import { listFonts } from './queries.ts'
import { CustomFont, CustomFontChanges, NewCustomFont } from './schema.ts'
import { readHeads, takeUploads } from './uploads.ts'

const inOrganization = Type.Object({ organizationId: Type.String() })
const ofFont = Type.Object({ organizationId: Type.String(), fontId: Type.String() })
const tags = ['custom-fonts']
const reading = { policy: token('site:read', 'to be a member') }
const writing = { policy: token('site:write', 'the role create') }

export const fontRoutes: Routes = async (app) => {
  app.get(
    '/orgs/:organizationId/fonts',
    {
      config: reading,
      schema: {
        operationId: 'listCustomFonts',
        summary: 'List the fonts of an organization',
        tags,
        params: inOrganization,
        querystring: Type.Object(pageQuery),
        response: { 200: listOf(CustomFont), ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'view')
      const page = pageOf(request)
      return presentPage(request, page, await listFonts(app.db, membership.organization.id, page), byAge, (row) =>
        presentFont(row, membership, app),
      )
    },
  )

  app.put(
    '/orgs/:organizationId/fonts',
    {
      config: { ...writing, idempotent: true },
      schema: {
        operationId: 'createCustomFont',
        summary: 'Create a font from uploads',
        description: 'For the customization of sites. Files must be WOFF2 or WOFF, at most 2 MB each.',
        tags,
        params: inOrganization,
        body: NewCustomFont,
        response: { 201: CustomFont, ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'createContent')
      const organizationId = membership.organization.id
      const { fontFamily: family, fontFaces } = request.body
      requireEachOnce(fontFaces)
      const heads = await readHeads(app, organizationId, fontFaces)

      return write(request, async (tx) => {
        const faces = await takeUploads(tx, organizationId, fontFaces, heads)
        return presentFont(await addFont(tx, { organizationId, family, faces }), membership, app)
      })
    },
  )

  app.get(
    '/orgs/:organizationId/fonts/:fontId',
    {
      config: reading,
      schema: {
        operationId: 'getCustomFont',
        summary: 'Get a font of an organization',
        tags,
        params: ofFont,
        response: { 200: CustomFont, ...refusals },
      },
    },
    async (request) => {
      const { font, membership } = await accessFont(app.db, request.caller, request.params.fontId)
      return presentFont(font, membership, app)
    },
  )

  app.post(
    '/orgs/:organizationId/fonts/:fontId',
    {
      config: writing,
      schema: {
        operationId: 'updateCustomFont',
        summary: 'Rename a font, or add, replace and remove its files',
        tags,
        params: ofFont,
        body: CustomFontChanges,
        response: { 201: CustomFont, ...refusals },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const { organization } = accessOrganization(caller, 'createContent')
      const { fontFamily: family, fontFaces = [] } = body
      requireEachOnce(fontFaces)
      const heads = await readHeads(app, organization.id, fontFaces)

      return write(request, async (tx) => {
        const { font, membership } = await accessFontToChange(tx, caller, params.fontId)
        requireMatch(request, presentFont(font, membership, app))
        const faces = await takeUploads(tx, organization.id, fontFaces, heads)
        const without = fontFaces.flatMap(({ weight, storageKey }) => (storageKey === null ? weight : []))
        return presentFont(await changeFont(tx, font, { family, faces, without }), membership, app)
      })
    },
  )

  app.delete(
    '/orgs/:organizationId/fonts/:fontId',
    {
      config: writing,
      schema: {
        operationId: 'deleteCustomFont',
        summary: 'Delete a font',
        description: 'Refused while a site, or a space of a site, uses it.',
        tags,
        params: ofFont,
        response: { 204: Nothing('The font and its files were deleted'), ...refusals },
      },
    },
    async (request) => {
      await write(request, async (tx) => {
        const { font, membership } = await accessFontToChange(tx, request.caller, request.params.fontId, 'delete')
        requireMatch(request, presentFont(font, membership, app))
        await removeFont(tx, font, membership)
      })
    },
  )
}

function requireEachOnce(faces: readonly { weight: number }[]): void {
  faces.forEach(({ weight }, at) => {
    if (faces.findIndex((each) => each.weight === weight) < at)
      throw invalid(`body.fontFaces.${at}.weight`, 'unique', 'is named twice')
  })
}
