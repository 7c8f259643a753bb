import { appPath } from '../../../app-path.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Fields, fieldsOf } from '../../../account/forms.ts'
import { lockTree } from '../../../collections/tree.ts'
import type { Transaction } from '../../../db/transaction.ts'
import { conflict } from '../../../http/errors.ts'
import type { App, Routes } from '../../../http/routes.ts'
import { changeSite } from '../../../sites/actions.ts'
import { type HeldSite, holdStructure } from '../../../sites/see.ts'
import { changeSection } from '../../../sites/structure/sections.actions.ts'
import {
  addSiteSpace,
  changeSiteSpace,
  duplicateSiteSpace,
  removeSiteSpace,
} from '../../../sites/structure/site-spaces.actions.ts'
import { moveToNewSection, takeOutOfSections } from '../../../sites/structure/moving.ts'
import { accessSpaceToShow } from '../../../sites/structure/space-access.ts'
import type { ShownSection, ShownSpace } from '../../../sites/structure/structure.ts'
import { conditionIn } from '../conditions.ts'
import { changesIn, isElsewhere, keptIn } from '../naming.ts'
import { noSection, ownSection } from './moving.page.ts'
import { moveBeside } from './neighbours.ts'
import { sectionPath, sitePath } from '../../open.ts'
import { overtaken, requireFirst, wantedIn } from '../../overtaken.ts'
import { changingSection, sectionIn } from './sections.show.ts'
import type { KeptOfSpaces } from '../site.parts.ts'
import { type Form, changing } from '../site.show.ts'
import { pathIn, spaceTitleIn, versionTitleIn } from '../site-title.ts'

/** Which spaces a site shows, their order, titles and paths, who sees them, and which one is shown first. */
export const workspaceSiteSpaces: Routes = async (app) => {
  for (const path of [sitePath, sectionPath]) {
    app.post(`${path}/spaces`, async (request, reply) => {
      const { space: spaceId = '' } = fieldsOf(request)
      return changingLevel(app, request, reply, {
        kept: { space: spaceId },
        done: 'added',
        once: true,
        work: async (tx, access, caller) => {
          const held = await holdStructure(tx, access)
          const { section } = levelIn(held, request)
          const space = await accessSpaceToShow(tx, caller, access.site.organization_id, spaceId, 'space')
          if (held.structure.siteSpaces.some(({ space_id }) => space_id === space.id))
            throw conflict('This space is already in the site.')
          await addSiteSpace(tx, held, space, section?.id ?? null)
        },
      })
    })

    app.post(`${path}/spaces/first`, async (request, reply) =>
      changingLevel(app, request, reply, {
        done: 'first',
        work: async (tx, access) => {
          const held = await holdStructure(tx, access)
          const { section, spaces } = levelIn(held, request)
          const row = rowIn(spaces, fieldsOf(request))
          if (row.isDefault) return
          requireFirst(spaces, fieldsOf(request))
          const first = { defaultSiteSpace: row.id }
          await (section ? changeSection(tx, held, section, first) : changeSite(tx, app.hosts, held, first))
        },
      }),
    )

    app.post(`${path}/spaces/move`, async (request, reply) => {
      const { at: id = '' } = fieldsOf(request)
      return changingLevel(app, request, reply, {
        done: 'moved',
        part: id,
        once: true,
        work: async (tx, access) => {
          const held = await holdStructure(tx, access)
          rowIn(levelIn(held, request).spaces, fieldsOf(request))
          await moveBeside(tx, held, { type: 'site-space', id }, fieldsOf(request))
        },
      })
    })

    app.post(`${path}/spaces/section`, async (request, reply) => {
      const fields = fieldsOf(request)
      const { at = '', to = '', path: typed = '', seenPath } = fields
      return changingLevel(app, request, reply, {
        kept: { moving: { of: at, to, path: typed.trim() } },
        done: 'elsewhere',
        ...pageOf(request, to),
        once: true,
        work: async (tx, access) => {
          const held = await holdStructure(tx, access)
          const row = rowIn(levelIn(held, request).spaces, fields)
          const path = wantedIn(typed.trim(), { seen: seenPath, now: row.path, isNow: isElsewhere })
          const named = path === undefined ? {} : { path: pathIn(path) }
          if (to !== ownSection && to !== noSection) return moveToSection(tx, held, row, { ...named, to })
          if (path !== undefined) await changeSiteSpace(tx, held, row, named)
          const now = await holdStructure(tx, access)
          await (to === ownSection ? moveToNewSection(tx, now, row, {}) : takeOutOfSections(tx, now))
        },
      })
    })

    app.post(`${path}/spaces/title`, async (request, reply) => {
      const fields = fieldsOf(request)
      return changingLevel(app, request, reply, {
        kept: { named: { of: fields.at ?? '', ...keptIn(fields) } },
        done: 'named',
        work: async (tx, access) => {
          const held = await holdStructure(tx, access)
          const row = rowIn(levelIn(held, request).spaces, fields)
          const changes = changesIn(fields, { title: row.title ?? '', path: row.path }, spaceTitleIn)
          if (Object.keys(changes).length > 0) await changeSiteSpace(tx, held, row, changes)
        },
      })
    })

    app.post(`${path}/spaces/condition`, async (request, reply) => {
      const fields = fieldsOf(request)
      return changingLevel(app, request, reply, {
        kept: { seenBy: { of: fields.at ?? '', condition: fields.condition ?? '' } },
        done: 'for-some',
        work: async (tx, access) => {
          const held = await holdStructure(tx, access)
          const row = rowIn(levelIn(held, request).spaces, fields)
          const condition = conditionIn(fields, row.condition)
          if (condition !== undefined) await changeSiteSpace(tx, held, row, { condition })
        },
      })
    })

    app.post(`${path}/spaces/draft`, async (request, reply) => {
      const draft = fieldsOf(request).draft === 'on'
      return changingLevel(app, request, reply, {
        done: draft ? 'hidden' : 'shown',
        work: async (tx, access) => {
          const held = await holdStructure(tx, access)
          const row = rowIn(levelIn(held, request).spaces, fieldsOf(request))
          if (row.draft !== draft) await changeSiteSpace(tx, held, row, { draft })
        },
      })
    })

    app.post(`${path}/spaces/copy`, async (request, reply) => {
      const { at = '', title: typed = '', shown } = fieldsOf(request)
      const version = { of: at, title: typed.trim(), shown: shown === 'on' }
      return changingLevel(app, request, reply, {
        kept: { version },
        done: version.shown ? 'version' : 'version-draft',
        once: true,
        before: (tx, organizationId) => lockTree(tx, organizationId),
        work: async (tx, access, caller) => {
          const title = versionTitleIn(version.title)
          const held = await holdStructure(tx, access)
          const row = rowIn(levelIn(held, request).spaces, fieldsOf(request))
          await duplicateSiteSpace(tx, caller, held, row, { title, draft: !version.shown })
        },
      })
    })

    app.post(`${path}/spaces/remove`, async (request, reply) =>
      changingLevel(app, request, reply, {
        done: 'removed',
        once: true,
        work: async (tx, access) => {
          const held = await holdStructure(tx, access)
          await removeSiteSpace(tx, held, rowIn(levelIn(held, request).spaces, fieldsOf(request)))
        },
      }),
    )
  }
}

/** Makes the change that a form on the page of a site or of a section asks for. */
const changingLevel = (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  form: Omit<Form, 'right' | 'kept'> & { kept?: KeptOfSpaces },
) =>
  sectionOf(request) === undefined
    ? changing(app, request, reply, { right: 'edit', ...form })
    : changingSection(app, request, reply, form)

/** The page on which the space is after the move. */
function pageOf(request: FastifyRequest, to: string): Pick<Form, 'to' | 'below'> {
  const { organizationId, siteId } = request.params as { organizationId: string; siteId: string }
  if (to === noSection) return { to: appPath.site(organizationId, siteId) }
  return { below: to === ownSection ? 'sections' : `sections/${to}` }
}

async function moveToSection(
  tx: Transaction,
  held: HeldSite,
  row: ShownSpace,
  { to, ...named }: { to: string; path?: string },
): Promise<void> {
  const section = held.structure.sections.find(({ id }) => id === to)
  if (!section) throw conflict('Choose an existing section.')
  await changeSiteSpace(tx, held, row, { ...named, sectionId: section.id })
}

const sectionOf = (request: FastifyRequest) => (request.params as { sectionId?: string }).sectionId

interface Level {
  section?: ShownSection
  spaces: ShownSpace[]
}

/** Returns the list of spaces that a form is about. Throws if the structure of the site has changed. */
function levelIn(held: HeldSite, request: FastifyRequest): Level {
  if (sectionOf(request) === undefined) {
    const { inSections, root } = held.structure
    if (inSections) throw overtaken('created sections')
    return { spaces: root }
  }
  const section = sectionIn(held, request)
  return { section, spaces: section.siteSpaces }
}

/** Returns the row that a form is about. Throws unless the same space is still there. */
function rowIn(spaces: ShownSpace[], { at, space }: Fields): ShownSpace {
  const row = spaces.find(({ id, space_id }) => id === at && space_id === space)
  if (!row) throw conflict('This space is no longer there. Reload the page.')
  return row
}
