import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerPage, leadTo } from '../../account/answer.ts'
import { fieldsOf, withLineFeeds } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import { flawOfVariableName } from '../../editing/metadata.ts'
import { placeOf } from '../../front/place.ts'
import { conflict, notFound } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import type { Revision } from '../../revisions/revision.ts'
import { isNew } from '../../workspace/overtaken.ts'
import { type Said, doneIn } from '../../workspace/said.ts'
import { changePath, refusalIn } from '../open.ts'
import { aroundOf } from '../within.ts'
import { type Written, change, requireStill, writing } from '../write.ts'
import { listVariables } from './variables.load.ts'
import { type Variable, longestValue, variablesPage } from './variables.page.ts'

const mostListed = 500

/** Messages about what was just done. */
const done = {
  added: 'Variable added in this change request.',
  set: 'Value changed in this change request.',
  deleted: 'Variable deleted in this change request.',
}

const listPath = `${changePath}/~/variables`
const variablePath = `${listPath}/:name`

/** The variables of a change request. */
export const variablePages: Routes = async (app) => {
  app.get(listPath, async (request, reply) =>
    writing(app, request, reply, requireSession, async (written) => show(app, reply, written, doneIn(request, done))),
  )

  app.post(listPath, async (request, reply) =>
    writing(app, request, reply, requireSessionForm, async (written) => {
      const { name: typed = '', value: text = '' } = fieldsOf(request)
      const [name, value] = [typed.trim(), withLineFeeds(text)]
      try {
        requireName(name)
        requireValue(value)
        const known = await find(app, written.head, name)
        // On a double click, the first click has already added it.
        if (known && known.value !== value) throw conflict(`A variable ${name} already exists: change its value below.`)
        if (!known) await set(app, request, written, name, value)
        return leadTo(app, reply, `${written.opened.path}/~/variables`, { done: 'added' })
      } catch (error) {
        const { reason, status } = refusalIn(error)
        return show(app, reply, written, { error: reason, typed: { name, value, isNew: true } }, status)
      }
    }),
  )

  app.post(variablePath, async (request, reply) =>
    writing(app, request, reply, requireSessionForm, async (written) => {
      const { value: text = '', seen = '' } = fieldsOf(request)
      const { name, value: now } = await named(app, written.head, request)
      const wanted = withLineFeeds(text)
      try {
        requireValue(wanted)
        if (isNew({ seen: withLineFeeds(seen) }, { now, wanted })) await set(app, request, written, name, wanted)
        return leadTo(app, reply, `${written.opened.path}/~/variables`, { done: 'set' })
      } catch (error) {
        const { reason, status } = refusalIn(error)
        return show(app, reply, written, { error: reason, typed: { name, value: wanted, isNew: false } }, status)
      }
    }),
  )

  app.post(`${variablePath}/delete`, async (request, reply) =>
    writing(app, request, reply, requireSessionForm, async (written) => {
      const { name } = await named(app, written.head, request)
      try {
        await set(app, request, written, name, null)
        return leadTo(app, reply, `${written.opened.path}/~/variables`, { done: 'deleted' })
      } catch (error) {
        const { reason, status } = refusalIn(error)
        return show(app, reply, written, { error: reason }, status)
      }
    }),
  )
}

function requireName(name: string): void {
  const flaw = flawOfVariableName(name)
  if (flaw !== undefined) throw conflict(`The name ${flaw}.`)
}

function requireValue(value: string): void {
  if ([...value].length > longestValue) throw conflict(`A value has at most ${longestValue} characters.`)
}

const find = async (app: App, head: Revision, name: string): Promise<Variable | undefined> =>
  (await listVariables(app, head)).find((each) => each.name === name)

async function named(app: App, head: Revision, { params }: FastifyRequest): Promise<Variable> {
  const found = await find(app, head, (params as { name: string }).name)
  if (!found) throw notFound('variable')
  return found
}

/** null deletes it. */
const set = (app: App, request: FastifyRequest, written: Written, name: string, value: string | null) =>
  change(app, request, written, { operation: 'update_variables', variables: { [name]: value } }, requireStill(written))

async function show(
  app: App,
  reply: FastifyReply,
  written: Written,
  { typed, ...said }: Said & { typed?: Variable & { isNew: boolean } },
  status = 200,
): Promise<FastifyReply> {
  const all = await listVariables(app, written.head)
  const variables = all.slice(0, mostListed)
  const listed = { variables, more: all.length - variables.length, ...(typed && { typed }) }
  return answerPage(reply, variablesPage(placeOf(app), aroundOf(app, written, said), listed), status)
}
