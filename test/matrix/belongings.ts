import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../../src/ids.ts'
import { petstore } from '../../src/openapi/testing/petstore.ts'
import type { TestApp } from '../app.ts'
import { newPage } from '../editing.ts'
import { png } from '../every-content.ts'
import { type TestOrganization, aPerson } from '../factories.ts'
import { nobody, transaction } from '../../src/db/transaction.ts'
import { addMember } from '../../src/organizations/members.actions.ts'
import { openSession } from '../../src/sessions/open.ts'
import { createToken } from '../../src/tokens/actions.ts'
import { regular } from '../fonts.ts'
import { type Sent, send } from './send.ts'

/** One of every kind of thing: its id, by the name that paths use for it. */
export type Ids = Record<string, string>

/** A word in every page: a search for it finds everything that the caller may read. */
export const searched = 'zebra'

/** Creates things as an administrator. */
export class Maker {
  readonly #app: TestApp
  readonly #authorization: string

  constructor(app: TestApp, token: string) {
    this.#app = app
    this.#authorization = `Bearer ${token}`
  }

  ask(method: string, url: string, body?: unknown): Promise<Sent> {
    return send(this.#app.app, { method, url, body, authorization: this.#authorization })
  }

  async do(method: string, url: string, body?: unknown): Promise<any> {
    const sent = await this.ask(method, url, body)
    assert.ok(sent.status < 300, `${method} ${url} → ${sent.status} ${sent.text}`)
    return sent.text === '' ? undefined : sent.json
  }

  get = (url: string) => this.do('GET', url)
  post = (url: string, body?: unknown) => this.do('POST', url, body)
  patch = (url: string, body?: unknown) => this.do('PATCH', url, body)
  put = (url: string, body?: unknown) => this.do('PUT', url, body)
  delete = (url: string) => this.do('DELETE', url)

  /** Uploads a picture and returns its key. */
  upload = (organizationId: string) => this.#upload(organizationId, Buffer.from(png, 'base64'), 'organization_file')

  /** Uploads a font and returns its key. */
  uploadFont = (organizationId: string) => this.#upload(organizationId, regular, 'customization_font')

  async #upload(organizationId: string, payload: Buffer, kind: string): Promise<string> {
    const file = { name: 'a', type: 'application/octet-stream', size: payload.length }
    const body = { file, kind }
    const { url, key } = await this.post(`/v1/orgs/${organizationId}/storage/upload`, body)
    const { pathname, search } = new URL(url)
    const { statusCode } = await this.#app.app.inject({ method: 'PUT', url: pathname + search, payload })
    assert.equal(statusCode, 200)
    return key
  }
}

/** Creates a space with one of everything in it. `word` is on main, `draft` only in its change request. */
export async function fillSpace(
  who: Maker,
  organizationId: string,
  word: string,
  draft: string,
  more: object = {},
): Promise<Ids> {
  const { id: spaceId } = await who.post(`/v1/orgs/${organizationId}/spaces`, {
    title: `Space ${word}`,
    editMode: 'live',
    empty: true,
    ...more,
  })
  const space = `/v1/spaces/${spaceId}`
  const main = await who.post(`${space}/content`, { changes: contentOf(word) })
  const { id: changeRequestId } = await who.post(`${space}/change-requests`, { subject: `Change ${draft}` })
  const request = `${space}/change-requests/${changeRequestId}`
  const branch = await who.post(`${request}/content?compat=false`, { changes: contentOf(draft) })
  const comment = await who.post(`${space}/comments`, { body: { markdown: `Comment ${word}` } })
  const reply = await who.post(`${space}/comments/${comment.id}/replies`, { body: { markdown: `Reply ${word}` } })
  const requestComment = await who.post(`${request}/comments`, { body: { markdown: `Comment ${draft}` } })
  const requestReply = await who.post(`${request}/comments/${requestComment.id}/replies`, { body: { markdown: draft } })
  const review = await who.post(`${request}/reviews`, { status: 'approved' })
  const { revision } = await who.get(space)
  const made = idsOfContent(main)
  const drafted = idsOfContent(branch)
  const page = await who.get(`${space}/content/page/${made.page}`)
  const draftPage = await who.get(`${request}/content/page/${drafted.page}`)
  return {
    organizationId,
    spaceId,
    revisionId: revision,
    changeRequestId,
    pageId: made.page,
    fileId: made.file,
    reusableContentId: made.reusable,
    documentId: page.documentId,
    '*': page.path,
    commentId: comment.id,
    commentReplyId: reply.id,
    requestCommentId: requestComment.id,
    requestReplyId: requestReply.id,
    reviewId: review.id,
    draftPageId: drafted.page,
    draftFileId: drafted.file,
    draftReusableId: drafted.reusable,
    draftDocumentId: draftPage.documentId,
    draftPath: draftPage.path,
  }
}

const contentOf = (word: string) => [
  newPage(`Page ${word} ${searched}`),
  { operation: 'insert_files', files: [{ name: `${word}.png`, base64: png, contentType: 'image/png' }] },
  { operation: 'insert_reusable_content', title: `Snippet ${word}`, document: { markdown: `Text ${word}` } },
]

function idsOfContent({ changes, insertedFiles }: any) {
  const page = changes.find((change: any) => change.page)?.page
  return {
    page: page.id ?? page,
    file: insertedFiles[0].id ?? insertedFiles[0],
    reusable: changes.find((change: any) => change.reusableContent)?.reusableContent,
  }
}

/** Creates a page, a file and a piece of reusable content on main. */
export async function newContent(who: Maker, space: string, word: string): Promise<Ids> {
  const { page, file, reusable } = idsOfContent(await who.post(`${space}/content`, { changes: contentOf(word) }))
  const { path, documentId } = await who.get(`${space}/content/page/${page}`)
  return { pageId: page, fileId: file, reusableContentId: reusable, '*': path, documentId }
}

/** Creates the same on main, and deletes it again. */
export async function deletedContent(who: Maker, space: string): Promise<Ids> {
  const { documentId: _, ...made } = await newContent(who, space, 'deleted')
  await who.post(`${space}/content`, {
    changes: [
      { operation: 'delete_page', page: made.pageId },
      { operation: 'delete_file', file: made.fileId },
      { operation: 'delete_reusable_content', reusableContent: made.reusableContentId },
    ],
  })
  return made
}

/**
 * Creates a site for visitors with its share key, with a group, a section in it, a second section beside it, and a
 * link.
 */
export async function fillSite(
  who: Maker,
  organizationId: string,
  word: string,
  spaceIds: [string, string],
): Promise<Ids> {
  const { id: siteId, basename } = await who.post(`/v1/orgs/${organizationId}/sites`, {
    title: `Site ${word}`,
    visibility: 'share-link',
  })
  const site = `/v1/orgs/${organizationId}/sites/${siteId}`
  const section = await who.post(`${site}/sections`, { spaceId: spaceIds[0] })
  const other = await who.post(`${site}/sections`, { spaceId: spaceIds[1] })
  const group = await who.post(`${site}/section-groups`, { title: `Group ${word}`, sections: [section.id] })
  const outward = await who.post(`${site}/external-links`, { title: `Out ${word}`, url: 'https://example.com' })
  const { items } = await who.get(`${site}/site-spaces`)
  const siteSpace = items.find((each: any) => each.space.id === spaceIds[0])
  const link = await who.post(`${site}/share-links`, { name: `Link ${word}` })
  const picture = await who.post(`${site}/pictures`, { key: await who.upload(organizationId) })
  const redirect = await who.post(`${site}/redirects`, {
    source: '/old',
    destination: { kind: 'external', url: 'https://example.com' },
  })
  const second = await who
    .post(`${site}/site-spaces`, { spaceId: spaceIds[1], sectionId: section.id })
    .catch(() => undefined)
  await who.post(`${site}/publish`)
  const hostname = `h${siteId}.example.com`
  await who.patch(site, { hostname })
  return {
    siteId,
    hostname,
    basename,
    siteSectionId: section.id,
    otherSectionId: other.id,
    siteSectionGroupId: group.id,
    siteExternalLinkId: outward.id,
    siteSpaceId: siteSpace.id,
    otherSiteSpaceId: second?.id ?? siteSpace.id,
    shareLinkId: link.id,
    pictureId: picture.id,
    uploadKey: await who.upload(organizationId),
    shareKey: link.urls.published.split('/').filter(Boolean).at(-1),
    siteRedirectId: redirect.id,
  }
}

/** Creates everything else that an organization has. */
export async function fillOrganization(
  app: TestApp,
  org: TestOrganization,
  word: string,
  spaceId: string,
): Promise<Ids> {
  const who = new Maker(app, org.admin.client.token!)
  const here = `/v1/orgs/${org.id}`
  const slug = `spec-${word}-${spaceId.slice(-4)}`
  await who.post(`${here}/openapi`, {
    slug,
    source: { text: JSON.stringify({ ...petstore, info: { title: word, version: '1' } }) },
  })
  const bystander = await aPerson(app, { canary: word })
  const other = await aPerson(app, { canary: word })
  const spare = await transaction(app.db, nobody, async (tx) => {
    await addMember(tx, { organizationId: org.id, userId: bystander.id, role: 'review', sso: false })
    await addMember(tx, { organizationId: org.id, userId: other.id, role: 'read', sso: false })
    return createToken(tx, { userId: bystander.id, label: `Spare ${word}` })
  })
  const team = await who.put(`${here}/teams`, { title: `Team ${word}`, members: [bystander.id] })
  const otherTeam = await who.put(`${here}/teams`, { title: `Others ${word}`, members: [] })
  const collection = await who.post(`${here}/collections`, { title: `Collection ${word}` })
  const link = await who.post(`${here}/link-invites`, { role: 'read' })
  const webhook = await who.post(`${here}/webhooks`, {
    title: `Hook ${word}`,
    url: 'http://127.0.0.1:1/',
    events: ['space_restored'],
  })
  const delivery = await who.post(`${here}/webhooks/${webhook.id}/test`)
  const saml = await who.post(`${here}/saml`, { label: `SAML ${word}`.slice(0, 30) })
  const samlKey = await who.post(`${here}/saml/${saml.id}/keys`)
  const source = await who.post(`${here}/spaces`, { title: `Source ${word}`, empty: true })
  const translation = await who.post(`${here}/translations`, {
    title: `Words ${word}`,
    source: { space: source.id, language: 'en' },
  })
  const font = await who.put(`${here}/fonts`, {
    fontFamily: `Font ${word}`,
    fontFaces: [{ weight: 400, storageKey: await who.uploadFont(org.id) }],
  })
  const run = await who.post(`/v1/org/${org.id}/imports`, {
    source: { type: 'website', url: 'http://127.0.0.1:1/' },
    target: { space: spaceId },
  })
  const ownToken = await who.post('/v1/user/tokens', { label: `Own ${word}` })
  const session = await transaction(app.db, nobody, (tx) =>
    openSession(tx, { userId: org.admin.id, organizationId: null, method: 'code', address: '::1', userAgent: word }),
  )
  const exported = await send(app.app, {
    method: 'GET',
    url: `/v1/spaces/${spaceId}/export`,
    authorization: `Bearer ${org.admin.client.token}`,
  })
  const audited = await who.get(`${here}/audit-events?limit=1`)
  for (const thing of [`/v1/collections/${collection.id}`, `/v1/spaces/${spaceId}`]) {
    await who.post(`${thing}/permissions`, { users: [bystander.id], role: 'review' })
    await who.post(`${thing}/permissions`, { teams: [team.id], role: 'read' })
  }
  const spec = await until(
    () => who.get(`${here}/openapi/${slug}`),
    (each) => each.processingState === 'complete',
  )
  await until(
    () => who.get(`/v1/org/${org.id}/imports/${run.id}`),
    (each) => !['pending', 'in-progress'].includes(each.status),
  )
  return {
    organizationId: org.id,
    specSlug: slug,
    versionId: spec.lastVersion,
    userId: bystander.id,
    otherUserId: other.id,
    tokenId: spare.row.id,
    sessionId: session.id,
    exportId: String(exported.headers['lectern-export']),
    adminTokenId: ownToken.token?.id ?? ownToken.id,
    teamId: team.id,
    otherTeamId: otherTeam.id,
    collectionId: collection.id,
    inviteId: link.id,
    inviteSecret: link.urls.invite.split('/').at(-1),
    webhookId: webhook.id,
    deliveryId: delivery.id,
    samlProviderId: saml.id,
    samlKeyId: samlKey.id,
    translationSettingsId: translation.id,
    sourceSpaceId: source.id,
    fontId: font.id,
    fontKey: await who.uploadFont(org.id),
    importRunId: run.id,
    auditEventId: audited.items[0].id,
    subdomain: org.row.hostname,
    emailDomain: `${word}.example`,
  }
}

export async function until<Value>(ask: () => Promise<Value>, done: (value: Value) => boolean): Promise<Value> {
  for (let tries = 0; tries < 600; tries++) {
    const value = await ask()
    if (done(value)) return value
    await sleep(50)
  }
  throw new Error('It takes too long')
}

/** Ids of things that never existed. */
export const absentIds = (like: Ids): Ids =>
  Object.fromEntries(Object.entries(like).map(([name, value]) => [name, absent(name, value)]))

function absent(name: string, value: string): string {
  if (name === 'documentId' || name === 'draftDocumentId') return 'x'.repeat(43)
  if (/^[0-9a-f-]{36}$/.test(value)) return newId()
  return 'nothing-of-that-name'
}
