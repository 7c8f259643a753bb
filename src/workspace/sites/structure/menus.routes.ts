import type { FastifyRequest } from 'fastify'
import { fieldsOf } from '../../../account/forms.ts'
import { conflict, notFound } from '../../../http/errors.ts'
import type { Routes } from '../../../http/routes.ts'
import { type HeldSite, holdStructure } from '../../../sites/see.ts'
import { addGroup, changeGroup, removeGroup } from '../../../sites/structure/section-groups.actions.ts'
import type { LinkRow, ShownGroup, ShownSection } from '../../../sites/structure/structure.ts'
import { chosenIn } from '../../choices.ts'
import { choiceOf } from './menus.page.ts'
import { isRenamed } from '../naming.ts'
import { moveBeside } from './neighbours.ts'
import { menuPath, sitePath } from '../../open.ts'
import { wantedIn } from '../../overtaken.ts'
import { changingSections } from './sections.show.ts'
import { menuTitleIn } from '../site-title.ts'

const onSections = { config: { page: `${sitePath}/sections` } }

/** The menus among the sections of a site: creating, renaming, moving and removing them. */
export const workspaceMenus: Routes = async (app) => {
  app.post(`${sitePath}/menus`, onSections, async (request, reply) => {
    const fields = fieldsOf(request)
    const title = (fields.title ?? '').trim()
    const chosen = chosenIn(fields, choiceOf)
    return changingSections(app, request, reply, {
      kept: { menu: { title, chosen } },
      done: 'menu',
      once: true,
      work: async (tx, access) => {
        const held = await holdStructure(tx, access)
        const children = chosen.map((id) => looseIn(held, id))
        await addGroup(tx, held, { title: menuTitleIn(title), icon: null, children })
      },
    })
  })

  app.post(`${menuPath}/title`, onSections, async (request, reply) => {
    const { menuId } = request.params as { menuId: string }
    const { title: typed = '', seen } = fieldsOf(request)
    const title = typed.trim()
    return changingSections(app, request, reply, {
      kept: { renamed: { of: menuId, title } },
      done: 'renamed',
      work: async (tx, access) => {
        const held = await holdStructure(tx, access)
        const menu = menuIn(held, request)
        const wanted = wantedIn(title, { seen, now: menu.title, isNow: isRenamed })
        if (wanted !== undefined) await changeGroup(tx, held, menu, { title: menuTitleIn(wanted) })
      },
    })
  })

  app.post(`${menuPath}/move`, onSections, async (request, reply) => {
    const { menuId: id } = request.params as { menuId: string }
    return changingSections(app, request, reply, {
      done: 'moved',
      part: id,
      once: true,
      work: async (tx, access) => {
        const held = await holdStructure(tx, access)
        menuIn(held, request)
        await moveBeside(tx, held, { type: 'site-section-group', id }, fieldsOf(request))
      },
    })
  })

  app.post(`${menuPath}/remove`, onSections, async (request, reply) =>
    changingSections(app, request, reply, {
      done: 'no-menu',
      once: true,
      work: async (tx, access) => {
        const held = await holdStructure(tx, access)
        await removeGroup(tx, held, menuIn(held, request))
      },
    }),
  )
}

/**
 * Returns a section or a link that is in no menu, as the user saw it when they chose it. Throws if it is in one by now.
 */
function looseIn({ structure: { sections, links } }: HeldSite, id: string): ShownSection | LinkRow {
  const chosen = [...sections, ...links].find((each) => each.id === id)
  if (!chosen) throw notFound('section')
  if (chosen.group_id !== null)
    throw conflict(`“${chosen.title}” has been added to a menu in the meantime. Reload the page.`)
  return chosen
}

function menuIn({ structure }: HeldSite, request: FastifyRequest): ShownGroup {
  const { menuId } = request.params as { menuId: string }
  const menu = structure.groups.find(({ id }) => id === menuId)
  if (!menu) throw notFound('menu')
  return menu
}
