import { fieldsOf } from '../../../account/forms.ts'
import { requireSession } from '../../../account/who.ts'
import { conflict } from '../../../http/errors.ts'
import type { Routes } from '../../../http/routes.ts'
import { changeSite } from '../../../sites/actions.ts'
import { holdStructure } from '../../../sites/see.ts'
import { putIntoGroup, takeOutOfGroup } from '../../../sites/structure/section-groups.actions.ts'
import { addSection, changeSection, removeSection } from '../../../sites/structure/sections.actions.ts'
import { accessSpaceToShow } from '../../../sites/structure/space-access.ts'
import { conditionIn } from '../conditions.ts'
import { changesIn, keptIn } from '../naming.ts'
import { moveBeside } from './neighbours.ts'
import { openSite, sectionPath, sitePath } from '../../open.ts'
import { overtaken, requireFirst, wantedIn } from '../../overtaken.ts'
import { doneIn } from '../../said.ts'
import { contentOf } from './section.page.ts'
import { changingSection, changingSections, done, sectionIn, showSection, showSections } from './sections.show.ts'
import { iconIn, pathIn, sectionTitleIn } from '../site-title.ts'

/** The sections of a site: which ones there are, their order, their titles, and which one is shown first. */
export const workspaceSections: Routes = async (app) => {
  app.get(`${sitePath}/sections`, async (request, reply) => {
    const opened = await openSite(app, request, reply, requireSession)
    return opened ? showSections(app, reply, opened, doneIn(request, done)) : reply
  })

  app.get(sectionPath, async (request, reply) => {
    const { sectionId } = request.params as { sectionId: string }
    const opened = await openSite(app, request, reply, requireSession)
    return opened ? showSection(app, reply, opened, sectionId, doneIn(request, done)) : reply
  })

  app.post(`${sitePath}/sections`, async (request, reply) => {
    const { space: spaceId = '', ...typed } = fieldsOf(request)
    const [title, path] = [(typed.title ?? '').trim(), (typed.path ?? '').trim()]
    const draft = typed.draft === 'on'
    return changingSections(app, request, reply, {
      kept: { draft: { space: spaceId, title, path, draft } },
      done: draft ? 'made-draft' : 'made',
      once: true,
      work: async (tx, access, caller) => {
        const held = await holdStructure(tx, access)
        const space = await accessSpaceToShow(tx, caller, access.site.organization_id, spaceId, 'space')
        if (held.structure.siteSpaces.some(({ space_id }) => space_id === space.id))
          throw conflict('This space is already in the site.')
        const id = await addSection(tx, held, { space, title: title === '' ? null : sectionTitleIn(title), draft })
        if (path === '') return
        const { structure, ...now } = await holdStructure(tx, access)
        const section = structure.sections.find((each) => each.id === id)!
        await changeSection(tx, { ...now, structure }, section, { path: pathIn(path) })
      },
    })
  })

  app.post(`${sectionPath}/move`, async (request, reply) => {
    const { sectionId: id } = request.params as { sectionId: string }
    return changingSections(app, request, reply, {
      done: 'moved',
      part: id,
      once: true,
      work: async (tx, access) => {
        const held = await holdStructure(tx, access)
        sectionIn(held, request)
        await moveBeside(tx, held, { type: 'site-section', id }, fieldsOf(request))
      },
    })
  })

  app.post(`${sectionPath}/first`, async (request, reply) =>
    changingSections(app, request, reply, {
      done: 'first',
      work: async (tx, access) => {
        const held = await holdStructure(tx, access)
        const { id, isDefault } = sectionIn(held, request)
        if (isDefault) return
        requireFirst(held.structure.sections, fieldsOf(request))
        await changeSite(tx, app.hosts, held, { defaultSiteSection: id })
      },
    }),
  )

  app.post(`${sectionPath}/title`, async (request, reply) => {
    const fields = fieldsOf(request)
    return changingSection(app, request, reply, {
      kept: { called: keptIn(fields) },
      done: 'named',
      work: async (tx, access) => {
        const held = await holdStructure(tx, access)
        const section = sectionIn(held, request)
        const changes = changesIn(fields, section, sectionTitleIn)
        if (Object.keys(changes).length > 0) await changeSection(tx, held, section, changes)
      },
    })
  })

  app.post(`${sectionPath}/icon`, async (request, reply) => {
    const { icon: typed = '', seen } = fieldsOf(request)
    const icon = typed.trim()
    return changingSection(app, request, reply, {
      kept: { icon },
      done: 'icon',
      work: async (tx, access) => {
        const held = await holdStructure(tx, access)
        const section = sectionIn(held, request)
        const wanted = wantedIn(icon, { seen, now: section.icon ?? '', isNow: hasIcon })
        if (wanted !== undefined) await changeSection(tx, held, section, { icon: iconIn(wanted) })
      },
    })
  })

  app.post(`${sectionPath}/condition`, async (request, reply) => {
    const fields = fieldsOf(request)
    return changingSection(app, request, reply, {
      kept: { condition: fields.condition ?? '' },
      done: 'for-some',
      work: async (tx, access) => {
        const held = await holdStructure(tx, access)
        const section = sectionIn(held, request)
        const condition = conditionIn(fields, section.condition)
        if (condition !== undefined) await changeSection(tx, held, section, { condition })
      },
    })
  })

  app.post(`${sectionPath}/draft`, async (request, reply) => {
    const draft = fieldsOf(request).draft === 'on'
    return changingSection(app, request, reply, {
      done: draft ? 'hidden' : 'shown',
      work: async (tx, access) => {
        const held = await holdStructure(tx, access)
        const section = sectionIn(held, request)
        if (section.draft !== draft) await changeSection(tx, held, section, { draft })
      },
    })
  })

  app.post(`${sectionPath}/menu`, async (request, reply) => {
    const { menu = '', seen } = fieldsOf(request)
    return changingSection(app, request, reply, {
      kept: { menu },
      done: 'in-menu',
      work: async (tx, access) => {
        const held = await holdStructure(tx, access)
        const section = sectionIn(held, request)
        const wanted = wantedIn(menu, { seen, now: section.group_id ?? '', isNow: isInMenu })
        if (wanted === undefined) return
        const { groups } = held.structure
        const [from, to] = [section.group_id, wanted].map((each) => groups.find(({ id }) => id === each))
        if (wanted !== '' && !to) throw conflict('This menu no longer exists. Reload the page.')
        await (to ? putIntoGroup(tx, held, to, section) : takeOutOfGroup(tx, held, from!, section))
      },
    })
  })

  app.post(`${sectionPath}/remove`, async (request, reply) =>
    changingSection(app, request, reply, {
      done: 'gone',
      below: 'sections',
      once: true,
      work: async (tx, access) => {
        const held = await holdStructure(tx, access)
        const section = sectionIn(held, request)
        if (contentOf(section) !== fieldsOf(request).seen) throw overtaken('changed what is in it')
        await removeSection(tx, held, section)
      },
    }),
  )
}

const hasIcon = (now: string) => (now === '' ? 'removed its icon' : `changed its icon to “${now}”`)

const isInMenu = (now: string) => (now === '' ? 'removed it from its menu' : 'moved it to another menu')
