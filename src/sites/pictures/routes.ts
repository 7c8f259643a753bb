import { requireMatch } from '../../http/conditional.ts'
import { notFound } from '../../http/errors.ts'
import { byAge, listOf, pageOf, pageQuery, presentPage } from '../../http/paging.ts'
import { type Routes, token } from '../../http/routes.ts'
import { Nothing, refusals } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { write } from '../../http/write.ts'
import { isId } from '../../ids.ts'
import { accessSite, accessSiteToChange } from '../access.ts'
import { addUploadedPicture, removePicture } from './actions.ts'
import { presentPicture } from './present.ts'
import { findPicture, listPictures } from './queries.ts'
import { NewSitePicture, SitePicture } from './schema.ts'

const ofSite = Type.Object({ organizationId: Type.String(), siteId: Type.String() })
const ofPicture = Type.Object({ organizationId: Type.String(), siteId: Type.String(), pictureId: Type.String() })
const tags = ['site-pictures']
const reading = { policy: token('site:read', 'the role create on the site') }
const writing = { policy: token('site:write', 'the role create on the site') }

export const pictureRoutes: Routes = async (app) => {
  app.get(
    '/orgs/:organizationId/sites/:siteId/pictures',
    {
      config: reading,
      schema: {
        operationId: 'listSitePictures',
        summary: 'List the uploaded pictures of a site',
        tags,
        params: ofSite,
        querystring: Type.Object(pageQuery),
        response: { 200: listOf(SitePicture), ...refusals },
      },
    },
    async (request) => {
      const { site } = await accessSite(app.db, request.caller, request.params.siteId, 'edit')
      const page = pageOf(request)
      return presentPage(request, page, await listPictures(app.db, site, page), byAge, (row) =>
        presentPicture(row, app),
      )
    },
  )

  app.post(
    '/orgs/:organizationId/sites/:siteId/pictures',
    {
      config: writing,
      schema: {
        operationId: 'createSitePicture',
        summary: 'Create a logo or an icon from an upload',
        description: 'Use its `url` in the customization of the site. Pictures can be at most 2 MB.',
        tags,
        params: ofSite,
        body: NewSitePicture,
        response: { 201: SitePicture, ...refusals },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      await accessSite(app.db, caller, params.siteId, 'edit')

      return write(request, async (tx) => {
        const { site } = await accessSiteToChange(tx, caller, params.siteId)
        return presentPicture(await addUploadedPicture(tx, site, body.key), app)
      })
    },
  )

  app.delete(
    '/orgs/:organizationId/sites/:siteId/pictures/:pictureId',
    {
      config: writing,
      schema: {
        operationId: 'deleteSitePictureById',
        summary: 'Delete a picture of a site',
        tags,
        params: ofPicture,
        response: { 204: Nothing('The picture was deleted'), ...refusals },
      },
    },
    async (request) => {
      const { siteId, pictureId } = request.params

      await write(request, async (tx) => {
        const { site } = await accessSiteToChange(tx, request.caller, siteId)
        const row = isId(pictureId) ? await findPicture(tx, site, pictureId) : undefined
        if (!row) throw notFound('picture')
        requireMatch(request, presentPicture(row, app))
        await removePicture(tx, site, row)
      })
    },
  )
}
