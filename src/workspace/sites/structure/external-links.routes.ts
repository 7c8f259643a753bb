import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerPage } from '../../../account/answer.ts'
import { fieldsOf } from '../../../account/forms.ts'
import { requireSession } from '../../../account/who.ts'
import { placeOf } from '../../../front/place.ts'
import { notFound } from '../../../http/errors.ts'
import type { App, Routes } from '../../../http/routes.ts'
import { asBody } from '../../../http/validation.ts'
import { type HeldSite, holdStructure } from '../../../sites/see.ts'
import { addLink, changeLink, removeLink } from '../../../sites/structure/external-links.actions.ts'
import { ExternalLinkChanges, NewExternalLink } from '../../../sites/structure/schema.ts'
import type { LinkRow } from '../../../sites/structure/structure.ts'
import { type OpenedSite, answerNothing, openSite, sitePath } from '../../open.ts'
import { overtaken } from '../../overtaken.ts'
import { naming } from '../../refusal.ts'
import { type Said, doneIn } from '../../said.ts'
import { conditionIn } from '../conditions.ts'
import { type TypedLink, asTyped, stateOfLink, typedIn } from './external-link-fields.ts'
import { type KeptOfLink, externalLinkPage } from './external-link.page.ts'
import { moveBeside } from './neighbours.ts'
import { changingSections, done, showSections } from './sections.show.ts'
import { changing, findParts } from '../site.show.ts'
import { iconIn, linkTitleIn } from '../site-title.ts'

const linkPath = `${sitePath}/external-links/:linkId(^[0-9a-f-]{36}$)`

/** Links that lead out of a site, among its sections: creating, changing, moving and removing them. */
export const workspaceExternalLinks: Routes = async (app) => {
  app.post(`${sitePath}/external-links`, async (request, reply) => {
    const { title, url, draft } = typedIn(fieldsOf(request))
    return changingSections(app, request, reply, {
      kept: { link: { title, url, draft } },
      done: draft ? 'link-draft' : 'link',
      once: true,
      say: inWords,
      work: async (tx, access) => {
        const body = asBody(NewExternalLink, { title: linkTitleIn(title), url, draft })
        await addLink(tx, await holdStructure(tx, access), body)
      },
    })
  })

  app.get(linkPath, async (request, reply) => {
    const opened = await openSite(app, request, reply, requireSession)
    return opened ? showLink(app, reply, opened, idIn(request), doneIn(request, done)) : reply
  })

  app.post(linkPath, async (request, reply) => {
    const fields = fieldsOf(request)
    const typed = typedIn(fields)
    return changing(app, request, reply, {
      right: 'edit',
      done: 'link-saved',
      below: `external-links/${idIn(request)}`,
      say: inWords,
      refused: (opened, said, status) => showLink(app, reply, opened, idIn(request), { ...said, typed }, status),
      work: async (tx, access) => {
        const held = await holdStructure(tx, access)
        const link = linkIn(held, request)
        if (stateOfLink(link) !== fields.state) throw overtaken('changed this link')
        const condition = conditionIn(fields, link.condition)
        const changes = { ...changesIn(typed, asTyped(link)), ...(condition !== undefined && { condition }) }
        if (Object.keys(changes).length > 0) await changeLink(tx, held, link, asBody(ExternalLinkChanges, changes))
      },
    })
  })

  app.post(`${linkPath}/move`, async (request, reply) =>
    changingSections(app, request, reply, {
      done: 'moved',
      part: idIn(request),
      once: true,
      work: async (tx, access) => {
        const held = await holdStructure(tx, access)
        const { id } = linkIn(held, request)
        await moveBeside(tx, held, { type: 'site-external-link', id }, fieldsOf(request))
      },
    }),
  )

  app.post(`${linkPath}/remove`, async (request, reply) =>
    changingSections(app, request, reply, {
      done: 'no-link',
      once: true,
      work: async (tx, access) => {
        const held = await holdStructure(tx, access)
        await removeLink(tx, held, linkIn(held, request))
      },
    }),
  )
}

/** Returns the changes, without what the user left as it was. */
function changesIn(typed: TypedLink, now: TypedLink) {
  const { title, url, description, icon, menu, draft } = typed
  return {
    ...(title !== now.title && { title: linkTitleIn(title) }),
    ...(url !== now.url && { url }),
    ...(description !== now.description && { description }),
    ...(icon !== now.icon && { icon: iconIn(icon) }),
    ...(menu !== now.menu && { parent: menu || null }),
    ...(draft !== now.draft && { draft }),
  }
}

const names: Record<string, string> = {
  'body.url': 'Where it leads',
  'body.description': 'The description',
  'body.parent': 'The menu',
  'body.condition': 'The condition',
}

const inWords = naming((path) => names[path])

const idIn = ({ params }: FastifyRequest) => (params as { linkId: string }).linkId

/** Returns the link that a form is about. Throws if it no longer exists. */
function linkIn({ structure }: HeldSite, request: FastifyRequest): LinkRow {
  const link = structure.links.find(({ id }) => id === idIn(request))
  if (!link) throw isGone()
  return link
}

const isGone = () => notFound('link')

/** Shows the link, or the sections of the site if it no longer exists. */
async function showLink(
  app: App,
  reply: FastifyReply,
  opened: OpenedSite,
  id: string,
  more: Said & KeptOfLink,
  status = 200,
): Promise<FastifyReply> {
  const parts = await findParts(app, opened)
  if (!parts) return answerNothing(app, reply)
  const link = parts.seen.structure.links.find((each) => each.id === id)
  if (link) return answerPage(reply, externalLinkPage(placeOf(app), { ...parts, ...more, link }), status)
  const { error } = more
  return error === undefined
    ? showSections(app, reply, opened, { error: isGone().message }, isGone().status)
    : showSections(app, reply, opened, { error }, status)
}
