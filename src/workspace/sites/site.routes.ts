import { appPath } from '../../app-path.ts'
import { fieldsOf } from '../../account/forms.ts'
import { requireSession } from '../../account/who.ts'
import { pathOfPreview, previewAddress } from '../../audience/preview/preview.ts'
import type { SiteRow } from '../../db/tables.ts'
import { conflict, notFound } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { accessSite } from '../../sites/access.ts'
import { listRolesIn } from '../../sites/queries.ts'
import { changeSite, publishSite, removeSite, unpublishSite } from '../../sites/actions.ts'
import { holdStructure } from '../../sites/see.ts'
import { audiences, isVisibility } from './audiences.ts'
import { type OpenedSite, openSite, sitePath } from '../open.ts'
import { overtaken } from '../overtaken.ts'
import { refusalOf } from '../refusal.ts'
import { doneIn } from '../said.ts'
import { changing, done, showSite } from './site.show.ts'
import { stateOf } from './site.parts.ts'
import { siteTitleIn } from './site-title.ts'

/**
 * A site in the browser: publishing it and taking it offline, renaming it, changing who can read it, and deleting it.
 */
export const workspaceSite: Routes = async (app) => {
  app.get(sitePath, async (request, reply) => {
    const opened = await openSite(app, request, reply, requireSession)
    return opened ? showSite(app, reply, opened, doneIn(request, done)) : reply
  })

  app.get(`${sitePath}/preview`, async (request, reply) => {
    const opened = await openSite(app, request, reply, requireSession)
    if (!opened) return reply
    try {
      const { of, at } = request.query as { of?: unknown; at?: unknown }
      const location = await addressOfPreview(app, opened, {
        of: typeof of === 'string' ? of : undefined,
        at: typeof at === 'string' ? at : '',
      })
      return reply
        .code(303)
        .headers({ location, 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' })
        .send('')
    } catch (error) {
      const { reason, status } = refusalOf(error)
      return showSite(app, reply, opened, { error: reason }, status)
    }
  })

  app.post(`${sitePath}/publish`, async (request, reply) => {
    const { seen } = fieldsOf(request)
    return changing(app, request, reply, {
      right: 'publish',
      done: 'published',
      work: async (tx, access) => {
        const held = await holdStructure(tx, access)
        if (stateOf(held.site, held.structure) !== seen) throw isAnother()
        await publishSite(tx, held)
      },
    })
  })

  app.post(`${sitePath}/unpublish`, async (request, reply) =>
    changing(app, request, reply, {
      right: 'publish',
      done: 'offline',
      work: (tx, { site }) => unpublishSite(tx, site),
    }),
  )

  app.post(`${sitePath}/title`, async (request, reply) => {
    const { title: typed = '', seen } = fieldsOf(request)
    const title = typed.trim()
    return changing(app, request, reply, {
      right: 'edit',
      kept: { title },
      done: 'renamed',
      work: async (tx, access) => {
        if (siteTitleIn(title) === access.site.title) return
        if (access.site.title !== seen) throw overtaken(`renamed it to “${access.site.title}”`)
        await changeSite(tx, app.hosts, await holdStructure(tx, access), { title })
      },
    })
  })

  app.post(`${sitePath}/visibility`, async (request, reply) => {
    const { visibility = '', seen } = fieldsOf(request)
    return changing(app, request, reply, {
      right: 'edit',
      kept: isVisibility(visibility) ? { visibility } : {},
      done: 'read',
      work: async (tx, access) => {
        if (!isVisibility(visibility)) throw conflict('Choose who can read it.')
        if (visibility === access.site.visibility) return
        if (access.site.visibility !== seen) throw isForOthers(access.site)
        await changeSite(tx, app.hosts, await holdStructure(tx, access), { visibility })
      },
    })
  })

  app.post(`${sitePath}/delete`, async (request, reply) => {
    const { organizationId } = request.params as { organizationId: string }
    const { seen } = fieldsOf(request)
    return changing(app, request, reply, {
      right: 'edit',
      done: 'deleted',
      to: `${appPath.organization(organizationId)}/sites`,
      work: async (tx, { site }) => {
        if (String(site.published) !== seen)
          throw conflict(
            `It has been ${site.published ? 'published' : 'taken offline'} since you opened this page. Reload it.`,
          )
        await removeSite(tx, site)
      },
    })
  })
}

const isAnother = () => overtaken('changed who can read it, or what it shows,')

const isForOthers = ({ visibility }: SiteRow) =>
  conflict(
    `Somebody has changed who can read it since you opened this page: it is for ${audiences[visibility]} now. Reload the page.`,
  )

/**
 * Returns the address of a preview, with drafts, which is the default of the API. It shows one of the spaces, a path,
 * or the site from its start.
 */
async function addressOfPreview(
  app: App,
  { caller, access }: OpenedSite,
  { of, at }: { of: string | undefined; at: string },
): Promise<string> {
  const { site, membership } = await accessSite(app.db, caller, access.site.id, 'secrets')
  const snapshot = await app.audience.snapshots.get(site.id)
  if (!snapshot) throw notFound('site')
  const preview = { site: site.id, organization: site.organization_id, claims: {}, draft: true }
  const path = pathOfPreview(snapshot, of, at, await listRolesIn(app.db, membership, site.id))
  return previewAddress(app, snapshot, path, preview, caller)
}
