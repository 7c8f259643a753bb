import { appPath } from '../../app-path.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerPage, leadTo } from '../../account/answer.ts'
import { fieldsOf, formToken } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import { type Entry, top } from '../../content/merge/entry.ts'
import type { Edit } from '../../editing/actions.ts'
import { copyPages } from '../../editing/copying/copy-pages.ts'
import type { Copying } from '../../editing/copying/copying.ts'
import { numbered } from '../../editing/slugs.ts'
import { placeOf } from '../../front/place.ts'
import { asNone } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { pageData } from '../../pages/entry-data.ts'
import type { PageTree } from '../../pages/tree.ts'
import { shortened } from '../../shortened.ts'
import { answerNothing, spacePath } from '../../workspace/open.ts'
import { beginWith } from '../begin.ts'
import { changePath, refusalIn } from '../open.ts'
import { listUnderWay } from '../space/under-way.load.ts'
import { requireStill } from '../write.ts'
import { type Source, type Target, accessTarget, listReadable, openSource, seesSpec } from './copy.load.ts'
import { type AskedCopy, copyPage, leftPage } from './copy.page.ts'
import { firstPages, pagesWithin, withChosen } from './first-pages.ts'

/** A list to choose from may be longer than a list to read. */
const mostChoices = 2000
const longestTitle = 500

/** Copies pages that the user may read, in the main content or in a change request, to where they may write. */
export const copyingPages: Routes = async (app) => {
  for (const path of [`${changePath}/pages/:pageId/copy`, `${spacePath}/~/pages/:pageId/copy`]) {
    app.get(path, async (request, reply) => {
      const source = await openSource(app, request, reply, requireSession)
      if (!source) return reply
      const page = pageNamed(source, request)
      if (!page) return answerNothing(app, reply)
      const { to } = request.query as { to?: unknown }
      return show(app, reply, source, page, placeNow(source, page, typeof to === 'string' ? to : undefined))
    })

    app.post(path, async (request, reply) => {
      const source = await openSource(app, request, reply, requireSessionForm)
      if (!source) return reply
      const page = pageNamed(source, request)
      if (!page) return answerNothing(app, reply)
      const { to = '', change = '', below = '', whole } = fieldsOf(request)
      const asked = { to, change, below, whole: whole !== undefined }
      try {
        const target = await accessTarget(app, source, asked)
        const { number, left } = await copy(app, request, source, target, page, asked)
        const there = appPath.change(target.space.organization_id, target.space.id, number)
        if (left.length === 0) return leadTo(app, reply, there, { done: 'copied' })
        const next = { label: 'To the change request', path: there }
        return answerPage(reply, leftPage(placeOf(app), { title: 'Copied', left, next }))
      } catch (error) {
        const { reason, status } = refusalIn(error)
        return show(app, reply, source, page, asked, { error: reason, status })
      }
    })
  }
}

const pageNamed = ({ tree }: Source, { params }: FastifyRequest) => tree.byId.get((params as { pageId: string }).pageId)

/**
 * The default target: beside the page itself, in the change request in which it is read. In another space, nothing is
 * preselected.
 */
function placeNow({ space, own }: Source, { parent }: Entry, to = space.id): AskedCopy {
  if (to !== space.id) return { to, change: '', below: '', whole: true }
  return { to, change: own ? String(own.number) : '', below: parent === top ? '' : parent, whole: true }
}

/**
 * Creates one revision of a change request, which is created with it if there was none. Either everything is done, or
 * nothing.
 */
async function copy(
  app: App,
  request: FastifyRequest,
  source: Source,
  target: Target,
  page: Entry,
  { below, whole }: AskedCopy,
): Promise<{ number: number; left: readonly string[] }> {
  const { caller, tree } = source
  const pages = [page, ...(whole ? pagesWithin(tree, page).slice(1) : [])] as const
  const first = firstOf(source, target, page, below)
  const copying: Copying = { caller, from: source, to: target, pages, first, maySeeSpec: seesSpec(app, caller) }
  const { prepared, left } = await copyPages(app, copying)
  const edit: Edit = {
    prepared,
    caller,
    store: app.store,
    url: app.url,
    requireHead: requireStill({ head: target.at }),
  }
  const subject = `Copy ${pageData(page).title}`
  const number = await beginWith(request, target.access.space, edit, { subject, change: target.change })
  return { number, left }
}

/**
 * Within its own space, a copy says so in its title, and comes right after the original if both have the same parent.
 */
function firstOf(source: Source, { space, tree }: Target, page: Entry, below: string): Copying['first'] {
  const { title } = pageData(page)
  const into = below === '' ? null : below
  const siblings = tree.childrenOf(into ?? top)
  if (space.id === source.space.id) {
    const beside = siblings.findIndex(({ entry }) => entry === page.entry)
    const called = `${shortened(title, longestTitle - ' (copy)'.length)} (copy)`
    return { title: called, into, ...(beside !== -1 && { at: beside + 1 }) }
  }
  const taken = new Set(siblings.map(({ slug }) => slug))
  let slug = page.slug!
  for (let number = 1; taken.has(slug); number++) slug = numbered(page.slug!, number)
  return { title, slug, into }
}

const choicesIn = (tree: PageTree, chosen: string) =>
  withChosen(firstPages(tree, { most: mostChoices }), tree.byId.get(chosen))

interface Refusal {
  error?: string
  status?: number
}

async function show(
  app: App,
  reply: FastifyReply,
  source: Source,
  page: Entry,
  wanted: AskedCopy,
  refusal: Refusal = {},
): Promise<FastifyReply> {
  const { caller, session, path, pagesPath, name, tree, own } = source
  const spaces = (await listReadable(app, caller)).filter(({ mayWrite }) => mayWrite).map(({ space }) => space)
  // A user who may not write in the space of the page can still read it there, and chooses among the other spaces.
  const isThere = spaces.some(({ id }) => id === wanted.to)
  const asked = isThere ? wanted : placeNow(source, page, spaces[0]?.id ?? '')
  const change = asked.to === source.space.id ? asked.change : ''
  const at = (change: string) => accessTarget(app, source, { ...asked, change }).catch(asNone)
  const target = (await at(change)) ?? (await at(''))
  const changes = target ? (await listUnderWay(app, target.access.space)).changes : []
  const isOwn = own !== undefined && asked.to === source.space.id
  const parts = {
    page,
    below: pagesWithin(tree, page).length - 1,
    spaces: target ? spaces : [],
    changes: isOwn && !changes.some(({ id }) => id === own.id) ? [own, ...changes] : changes,
    pages: target ? choicesIn(target.tree, asked.below) : { shown: [], more: 0 },
    asked,
  }
  const around = {
    path,
    name,
    form: formToken(app, { session }),
    ...(refusal.error !== undefined && { error: refusal.error }),
  }
  const action = `${pagesPath}/${page.entry}/copy`
  return answerPage(reply, copyPage(placeOf(app), around, action, parts), refusal.status)
}
