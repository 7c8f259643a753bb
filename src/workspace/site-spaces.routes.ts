import { type Fields, fieldsOf } from '../account/forms.ts'
import { conflict } from '../http/errors.ts'
import type { Routes } from '../http/routes.ts'
import { changeSite } from '../sites/actions.ts'
import { type HeldSite, holdStructure } from '../sites/see.ts'
import { addSiteSpace, changeSiteSpace, removeSiteSpace, sectionFor } from '../sites/structure/site-spaces.actions.ts'
import { accessSpaceToShow } from '../sites/structure/space-access.ts'
import type { ShownSpace } from '../sites/structure/structure.ts'
import { sitePath } from './open.ts'
import { longestPath } from './site-spaces.page.ts'
import { changing } from './site.show.ts'

/** Which spaces a site shows, under which path, and which of them first. */
export const workspaceSiteSpaces: Routes = async (app) => {
  app.post(`${sitePath}/spaces`, async (request, reply) => {
    const { space: spaceId = '' } = fieldsOf(request)
    return changing(app, request, reply, {
      right: 'edit',
      kept: { space: spaceId },
      done: 'added',
      once: true,
      work: async (tx, access, caller) => {
        const held = await holdStructure(tx, access)
        const space = await accessSpaceToShow(tx, caller, access.site.organization_id, spaceId, 'space')
        if (held.structure.siteSpaces.some(({ space_id }) => space_id === space.id))
          throw conflict('This space is in the site already.')
        await addSiteSpace(tx, held, space, sectionFor(held))
      },
    })
  })

  app.post(`${sitePath}/spaces/first`, async (request, reply) =>
    changing(app, request, reply, {
      right: 'edit',
      done: 'first',
      work: async (tx, access) => {
        const held = await holdStructure(tx, access)
        const { id, section_id: section } = rowIn(held, fieldsOf(request))
        const first = { defaultSiteSpace: id, ...(section !== null && { defaultSiteSection: section }) }
        await changeSite(tx, app.hosts, held, first)
      },
    }),
  )

  app.post(`${sitePath}/spaces/path`, async (request, reply) => {
    const fields = fieldsOf(request)
    const path = (fields.path ?? '').trim()
    return changing(app, request, reply, {
      right: 'edit',
      kept: { moved: { of: fields.at ?? '', text: path } },
      done: 'moved',
      work: async (tx, access) => {
        const held = await holdStructure(tx, access)
        const row = rowIn(held, fields)
        if (path === row.path) return
        if (row.path !== fields.seen)
          throw conflict(`Somebody has changed its path to “${row.path}” since you opened this page.`)
        if (path === '' || [...path].length > longestPath) throw conflict(`A path has 1 to ${longestPath} characters.`)
        await changeSiteSpace(tx, held, row, { path })
      },
    })
  })

  app.post(`${sitePath}/spaces/remove`, async (request, reply) =>
    changing(app, request, reply, {
      right: 'edit',
      done: 'removed',
      once: true,
      work: async (tx, access) => {
        const held = await holdStructure(tx, access)
        await removeSiteSpace(tx, held, rowIn(held, fieldsOf(request)))
      },
    }),
  )
}

/** What a form is about, as long as the same space stands there. */
function rowIn({ structure }: HeldSite, { at, space }: Fields): ShownSpace {
  const row = structure.siteSpaces.find(({ id, space_id }) => id === at && space_id === space)
  if (!row) throw conflict('This space does not stand there any more. Look again.')
  return row
}
