import { isDeepStrictEqual } from 'node:util'
import type { FastifyReply } from 'fastify'
import { siteRights } from '../../access/rights.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { fieldsOf, takeForms } from '../../account/forms.ts'
import { requireSession } from '../../account/who.ts'
import { placeOf } from '../../front/place.ts'
import { conflict } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { changeSite } from '../../sites/actions.ts'
import { changeAdaptiveSchema } from '../../sites/adaptive/actions.ts'
import type { ClaimsSchema } from '../../sites/adaptive/claims.ts'
import { readClaimsSchema } from '../../sites/adaptive/read-claims.ts'
import { holdStructure } from '../../sites/see.ts'
import { seeBelowSite } from './below-site.ts'
import { claimsOf, claimsPage } from './claims.page.ts'
import { type OpenedSite, answerNothing, openSite, sitePath } from '../open.ts'
import { overtaken } from '../overtaken.ts'
import { naming } from '../refusal.ts'
import { type Said, doneIn } from '../said.ts'
import { changing } from './site.show.ts'

const done = {
  on: 'Conditions turned on.',
  off: 'Conditions turned off. Anything that has one is hidden from everyone.',
  claims: 'Claims saved. Conditions can now use them.',
}

/** Many characters of JSON take three bytes in an encoded form. */
const mostBytes = 256 * 1024

/** What only some readers of a site see: what the site knows about them, and whether conditions apply. */
export const workspaceClaims: Routes = async (app) => {
  takeForms(app, mostBytes)

  app.get(`${sitePath}/claims`, async (request, reply) => {
    const opened = await openSite(app, request, reply, requireSession)
    if (!opened) return reply
    if (!siteRights(opened.access.role).edit) return leadTo(app, reply, opened.path)
    return show(app, reply, opened, doneIn(request, done))
  })

  app.post(`${sitePath}/claims/switch`, async (request, reply) => {
    const { conditions } = fieldsOf(request)
    return changing(app, request, reply, {
      right: 'edit',
      done: conditions === 'on' ? 'on' : 'off',
      below: 'claims',
      refused: (opened, said, status) => show(app, reply, opened, said, status),
      work: async (tx, access) => {
        if (conditions !== 'on' && conditions !== 'off') throw conflict('Choose whether conditions are on or off.')
        const enabled = conditions === 'on'
        if (enabled === access.site.adaptive_enabled) return
        await changeSite(tx, app.hosts, await holdStructure(tx, access), { adaptiveContent: { enabled } })
      },
    })
  })

  app.post(`${sitePath}/claims`, async (request, reply) => {
    const { claims: typed = '', seen } = fieldsOf(request)
    return changing(app, request, reply, {
      right: 'edit',
      done: 'claims',
      below: 'claims',
      say: naming(whereIn),
      refused: (opened, said, status) => show(app, reply, opened, { ...said, typed }, status),
      work: async (tx, { site }) => {
        const schema = schemaIn(typed)
        if (isDeepStrictEqual(schema, site.adaptive_schema)) return
        if (claimsOf(site) !== seen) throw overtaken('changed the claims')
        await changeAdaptiveSchema(tx, site, schema)
      },
    })
  })
}

const field = 'claims'

/** Returns the schema that the user typed. Throws if claims cannot be declared that way. */
function schemaIn(typed: string): ClaimsSchema {
  if (typed.trim() === '') throw conflict('Declare the claims as in the example.')
  return readClaimsSchema(parsed(typed), field)
}

function parsed(typed: string): unknown {
  try {
    return JSON.parse(typed)
  } catch (error) {
    throw conflict(`This is not valid JSON: ${(error as Error).message}.`)
  }
}

/** Names the place of an error in what was typed, for people. */
const whereIn = (path: string) =>
  path === field ? 'The declaration' : path.startsWith(`${field}.`) ? `“${path.slice(field.length + 1)}”` : undefined

async function show(
  app: App,
  reply: FastifyReply,
  opened: OpenedSite,
  more: Said & { typed?: string },
  status = 200,
): Promise<FastifyReply> {
  const below = await seeBelowSite(app, opened)
  if (!below) return answerNothing(app, reply)
  return answerPage(reply, claimsPage(placeOf(app), { ...below, ...more }), status)
}
