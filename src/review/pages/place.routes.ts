import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { specRights } from '../../access/rights.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { fieldsOf, takeForms } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import { type Entry, top } from '../../content/merge/entry.ts'
import { baseOf } from '../../change-requests/merging/outcome.ts'
import { prepareBatch } from '../../editing/prepare.ts'
import type { ChangeOf } from '../../editing/schema.ts'
import { placeOf } from '../../front/place.ts'
import { conflict, notFound } from '../../http/errors.ts'
import { formats } from '../../http/formats.ts'
import type { App, Routes } from '../../http/routes.ts'
import { accessSpec } from '../../openapi/access.ts'
import { listSpecs } from '../../openapi/queries.ts'
import { pageData } from '../../pages/entry-data.ts'
import type { PageTree } from '../../pages/tree.ts'
import { listEntries } from '../../revisions/entries.ts'
import { leadToList } from './list.ts'
import { leftPage } from './copy.page.ts'
import { firstPages, pagesWithin, withChosen } from './first-pages.ts'
import { subjectOfNew } from '../begin.ts'
import { changePath, refusalIn } from '../open.ts'
import {
  type Listed,
  type ListedSpecs,
  type Named,
  type NewPage,
  type Spot,
  deletePage,
  hasAddress,
  kinds,
  longestAddress,
  longestSlug,
  longestFormer,
  longestTitle,
  newPage,
  type At,
  placePage,
  spots,
  titlePage,
} from './place.page.ts'
import { findStarts, startFrom } from './starts.ts'
import { soughtIn } from './tree.page.ts'
import { aroundOf } from '../within.ts'
import { type Written, addWith, change, isDeletedBy, pageIn, requireStill, writing } from '../write.ts'

/** A list to choose from may be longer than a list to read. */
const mostChoices = 2000
const mostSpecs = 200

/** A character of an address can take nine bytes in a form, and the other fields need a little room. */
const mostBytes = 10 * longestAddress

const pagePath = `${changePath}/pages/:pageId`

/** Adds, edits, moves and deletes pages of a change request. */
export const placePages: Routes = async (app) => {
  takeForms(app, mostBytes)

  app.get(`${changePath}/pages/new`, async (request, reply) =>
    writing(app, request, reply, requireSession, async (written) => {
      const asked = { title: '', kind: 'document', address: '', spec: '', below: '', start: '' }
      return showNew(app, reply, written, asked)
    }),
  )

  app.post(`${changePath}/pages`, async (request, reply) =>
    writing(app, request, reply, requireSessionForm, async (written) => {
      const { title = '', kind = 'document', address = '', spec = '', below = '', start = '' } = fieldsOf(request)
      const asked = { title: title.trim(), kind, address: address.trim(), spec, below, start }
      try {
        if (kind === 'computed') await requireSpec(app, written, spec)
        // An invalid title is refused in both cases below.
        const insertion = insertionOf(asked)
        const { prepared, left } =
          start === ''
            ? { prepared: await prepareBatch(app, [insertion]), left: [] }
            : await startFrom(app, written, asked)
        // What is created along with the page comes before it.
        const called = [subjectOfNew(), subjectOfNew(asked.title)] as const
        const made = (await addWith(app, request, written, prepared, { called })).at(-1)
        const { path } = written.opened
        if (left.length > 0) {
          const next = { label: 'Edit it', path: `${path}/pages/${made}` }
          return answerPage(reply, leftPage(placeOf(app), { title: 'Added', left, next }))
        }
        if (kind === 'document') return leadTo(app, reply, `${path}/pages/${made}`)
        return leadToList(app, reply, { path, page: made }, 'added')
      } catch (error) {
        const { reason, status } = refusalIn(error)
        return showNew(app, reply, written, asked, { error: reason, status })
      }
    }),
  )

  app.get(`${pagePath}/title`, async (request, reply) =>
    writing(app, request, reply, requireSession, async (written) => {
      const page = titled(await app.content.tree(written.head), request)
      return showTitle(app, reply, written, page, calledNow(page), stateOfTitle(page))
    }),
  )

  app.post(`${pagePath}/title`, async (request, reply) =>
    writing(app, request, reply, requireSessionForm, async (written) => {
      const { title = '', address = '', seen = '' } = fieldsOf(request)
      const page = titled(await app.content.tree(written.head), request)
      const asked = { title: title.trim(), address: calledNow(page).address === undefined ? undefined : address.trim() }
      try {
        if (seen !== stateOfTitle(page))
          throw conflict('Somebody has changed it since you opened this page. Reload it.')
        await change(app, request, written, renamingOf(page, asked), requireStill(written))
        return leadToList(app, reply, { path: written.opened.path, page: page.entry }, 'renamed')
      } catch (error) {
        const { reason, status } = refusalIn(error)
        return showTitle(app, reply, written, page, asked, seen, { error: reason, status })
      }
    }),
  )

  app.get(`${pagePath}/place`, async (request, reply) =>
    writing(app, request, reply, requireSession, async (written) => {
      const tree = await app.content.tree(written.head)
      const page = named(tree, request)
      return showPlace(app, reply, written, tree, page, placeNow(tree, page))
    }),
  )

  app.post(`${pagePath}/place`, async (request, reply) =>
    writing(app, request, reply, requireSessionForm, async (written) => {
      const { spot = '', near = '' } = fieldsOf(request)
      const tree = await app.content.tree(written.head)
      const page = named(tree, request)
      try {
        await change(app, request, written, moveOf(tree, page, spot, near), requireStill(written))
        return leadToList(app, reply, { path: written.opened.path, page: page.entry }, 'moved')
      } catch (error) {
        const { reason, status } = refusalIn(error)
        return showPlace(app, reply, written, tree, page, { spot, near }, { error: reason, status })
      }
    }),
  )

  app.post(`${pagePath}/address`, async (request, reply) =>
    writing(app, request, reply, requireSessionForm, async (written) => {
      const { slug: asked = '', seen = '' } = fieldsOf(request)
      const slug = asked.trim()
      const tree = await app.content.tree(written.head)
      const page = named(tree, request)
      try {
        if (!hasAddress(page)) throw conflict('A link has no address on the site.')
        if ([...slug].length > longestSlug) throw conflict(`An address has at most ${longestSlug} characters here.`)
        if (page.slug !== seen && page.slug !== slug)
          throw conflict('Somebody has changed it since you opened this page. Reload it.')
        const asWanted: ChangeOf<'update_page'> = { operation: 'update_page', page: page.entry, metadata: { slug } }
        await change(app, request, written, asWanted, requireStill(written))
        return leadToList(app, reply, { path: written.opened.path, page: page.entry }, 'addressed')
      } catch (error) {
        const { reason, status } = refusalIn(error)
        return showPlace(app, reply, written, tree, page, { ...placeNow(tree, page), slug }, { error: reason, status })
      }
    }),
  )

  app.get(`${pagePath}/delete`, async (request, reply) =>
    writing(app, request, reply, requireSession, async (written) => {
      const tree = await app.content.tree(written.head)
      return showQuestion(app, reply, written, tree, named(tree, request))
    }),
  )

  app.post(`${pagePath}/delete`, async (request, reply) =>
    writing(app, request, reply, requireSessionForm, async (written) => {
      const { pageId } = request.params as { pageId: string }
      const leadOn = () => leadToList(app, reply, { path: written.opened.path, page: undefined }, 'deleted')
      if (await isDeletedBy(app, written, pageId)) return leadOn()
      const tree = await app.content.tree(written.head)
      const page = pageIn(tree, pageId)
      try {
        if (fieldsOf(request).seen !== stateOf(pagesWithin(tree, page)))
          throw conflict('The pages below it have changed in the meantime. Check again.')
        await change(app, request, written, { operation: 'delete_page', page: page.entry }, requireStill(written))
        return leadOn()
      } catch (error) {
        if (await isDeletedBy(app, written, pageId)) return leadOn()
        const { reason, status } = refusalIn(error)
        return showQuestion(app, reply, written, tree, page, { error: reason, status })
      }
    }),
  )
}

const named = (tree: PageTree, { params }: FastifyRequest) => pageIn(tree, (params as { pageId: string }).pageId)

/**
 * Only groups and links are edited here: a page has its title in its text, and a generated page has none of its own.
 */
function titled(tree: PageTree, request: FastifyRequest): Entry {
  const page = named(tree, request)
  if (!['group', 'link'].includes(pageData(page).type)) throw notFound('group or link')
  return page
}

/** A link that leads to a page has no address to enter. */
function calledNow(page: Entry): Named {
  const { title, target } = pageData(page)
  return { title, address: typeof target?.url === 'string' ? target.url : undefined }
}

const stateOfTitle = (page: Entry) => hash('sha256', JSON.stringify(calledNow(page)), 'base64url')

function renamingOf(page: Entry, { title, address }: Named): ChangeOf<'update_page'> {
  requireTitle(title, longestFormer)
  const renamed = { operation: 'update_page', page: page.entry, metadata: { title } } as const
  return address === undefined ? renamed : { ...renamed, target: targetAt(address) }
}

function requireTitle(title: string, most = longestTitle): void {
  if (title === '' || [...title].length > most) throw conflict(`A page needs a title of at most ${most} characters.`)
}

function targetAt(url: string) {
  if (!formats['http-url']!(url) || url.length > longestAddress)
    throw conflict('A link needs the whole address that it leads to, like https://example.com/page.')
  return { kind: 'url', url } as const
}

/** Requires a specification that the user may see. One that they may not see must not appear on their pages. */
async function requireSpec(app: App, { opened: { caller } }: Written, spec: string): Promise<void> {
  if (spec === '') throw conflict('Choose the specification that the API reference is made from.')
  await accessSpec(app.db, caller, spec)
}

function insertionOf({ title, kind, address, spec, below }: NewPage): ChangeOf<'insert_page'> {
  requireTitle(title)
  if (!Object.hasOwn(kinds, kind)) throw conflict('Choose a type.')
  const where = { into: below === '' ? null : below }
  if (kind === 'document')
    return { operation: 'insert_page', ...where, document: { markdown: '' }, metadata: { title } }
  if (kind === 'group') return { operation: 'insert_page', ...where, type: 'group', metadata: { title } }
  if (kind === 'computed')
    return { operation: 'insert_page', ...where, type: 'computed', metadata: { title }, computed: referenceTo(spec) }
  return { operation: 'insert_page', ...where, type: 'link', metadata: { title }, target: targetAt(address) }
}

const referenceTo = (spec: string) => ({
  type: 'builtin:openapi',
  dependencies: { spec: { ref: { kind: 'openapi', spec } } },
})

/** Forms name a neighbour, but changes need a parent and an index. */
function moveOf(tree: PageTree, page: Entry, spot: string, nearId: string): ChangeOf<'update_page'> {
  if (!isSpot(spot)) throw conflict('Choose a position.')
  const near = pageIn(tree, nearId)
  if (near === page) throw conflict('A page cannot be placed next to or below itself. Choose another one.')
  const parent = spot === 'first' || spot === 'last' ? near.entry : near.parent
  const siblings = tree.childrenOf(parent).filter((each) => each !== page)
  const beside = siblings.indexOf(near)
  const at = { first: 0, last: siblings.length, before: beside, after: beside + 1 }[spot]
  return { operation: 'update_page', page: page.entry, into: parent === top ? null : parent, at }
}

const isSpot = (spot: string): spot is Spot => Object.hasOwn(spots, spot)

/** The current place, so that submitting the form unchanged moves nothing. */
function placeNow(tree: PageTree, page: Entry): { spot: Spot; near: string } {
  const siblings = tree.childrenOf(page.parent)
  const at = siblings.indexOf(page)
  if (at > 0) return { spot: 'after', near: siblings[at - 1]!.entry }
  if (page.parent !== top) return { spot: 'first', near: page.parent }
  return { spot: 'before', near: siblings[1]?.entry ?? '' }
}

const stateOf = (pages: readonly Entry[]) => hash('sha256', pages.map(({ entry }) => entry).join(' '), 'base64url')

interface Refusal {
  error?: string
  status?: number
}

async function showNew(app: App, reply: FastifyReply, written: Written, asked: NewPage, refusal: Refusal = {}) {
  const [tree, specs, starts] = await Promise.all([
    app.content.tree(written.head),
    listedSpecs(app, written),
    findStarts(app, written),
  ])
  const pages = withChosen(firstPages(tree, { most: mostChoices }), tree.byId.get(asked.below))
  const shown = newPage(placeOf(app), aroundOf(app, written, refusal), pages, specs, starts, asked)
  return answerPage(reply, shown, refusal.status)
}

/** Guests see no specifications. */
async function listedSpecs(app: App, { opened: { caller } }: Written): Promise<ListedSpecs> {
  const { organization, role } = caller.membership
  if (!specRights(role).view) return { names: [], more: 0 }
  const { rows, count } = await listSpecs(app.db, organization.id, { limit: mostSpecs, after: undefined })
  const names = rows.slice(0, mostSpecs).map(({ slug }) => slug)
  return { names, more: count - names.length }
}

function showTitle(
  app: App,
  reply: FastifyReply,
  written: Written,
  page: Entry,
  asked: Named,
  seen: string,
  refusal: Refusal = {},
) {
  return answerPage(
    reply,
    titlePage(placeOf(app), listedOf(app, reply, written, refusal), page, asked, seen),
    refusal.status,
  )
}

function showPlace(
  app: App,
  reply: FastifyReply,
  written: Written,
  tree: PageTree,
  page: Entry,
  at: At,
  refusal: Refusal = {},
) {
  const pages = withChosen(firstPages(tree, { most: mostChoices, without: page }), tree.byId.get(at.near))
  const shown = placePage(placeOf(app), listedOf(app, reply, written, refusal), page, pages, at)
  return answerPage(reply, shown, refusal.status)
}

async function showQuestion(
  app: App,
  reply: FastifyReply,
  written: Written,
  tree: PageTree,
  page: Entry,
  refusal: Refusal = {},
) {
  const all = pagesWithin(tree, page)
  const ids = all.map(({ entry }) => entry)
  const isNew = (await listEntries(app.db, baseOf(written.head), ids)).length === 0
  const question = { page, below: all.slice(1), seen: stateOf(all), isNew }
  const shown = deletePage(placeOf(app), listedOf(app, reply, written, refusal), question)
  return answerPage(reply, shown, refusal.status)
}

const listedOf = (app: App, { request }: FastifyReply, written: Written, refusal: Refusal): Listed => ({
  ...aroundOf(app, written, refusal),
  sought: soughtIn(request),
})
