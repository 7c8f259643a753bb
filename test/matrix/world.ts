import { sql } from '../../src/db/sql.ts'
import { newId } from '../../src/ids.ts'
import type { TestApp } from '../app.ts'
import { type TestOrganization, anOrganization } from '../factories.ts'
import { type Ids, Maker, absentIds, deletedContent, fillOrganization, fillSite, fillSpace } from './belongings.ts'
import { type Caller, makeCallers } from './callers.ts'

/** Long timeouts: a machine that is busy with other work is not a fault. */
export const patient = {
  LECTERN_STATEMENT_TIMEOUT: '120000',
  LECTERN_POOL_WAIT: '60000',
  LECTERN_REQUEST_TIMEOUT: '300000',
}

/** Two organizations with one of everything, and all callers. */
export interface World {
  app: TestApp
  organization: TestOrganization
  callers: Caller[]
  who: Maker
  /**
   * Ids of the first organization, of the other one, of things deleted in the first, of things closed to all but its
   * administrators, and of things that never existed.
   */
  own: Ids
  foreign: Ids
  gone: Ids
  hidden: Ids
  absent: Ids
  /** Things that were deleted from containers that still exist. */
  dead: Ids
  /** An organization in which all members of the first one are readers. */
  sideId: string
  /** The words in the texts of each of them, which only certain callers may see. */
  words: { own: string; foreign: string; side: string; gone: string; hidden: string; draft: string }
}

export async function makeWorld(app: TestApp): Promise<World> {
  const org = await anOrganization(app)
  const stranger = await anOrganization(app)
  const side = await anOrganization(app)
  const words = {
    own: org.canary,
    foreign: stranger.canary,
    side: side.canary,
    gone: app.canaries.hatch(),
    hidden: app.canaries.hatch(),
    draft: app.canaries.hatch(),
  }
  const who = new Maker(app, org.admin.client.token!)
  const foreignWho = new Maker(app, stranger.admin.client.token!)

  const [own, foreign, gone] = await Promise.all([
    fill(app, who, org, words.own, words.draft),
    fill(app, foreignWho, stranger, words.foreign, words.foreign),
    fill(app, who, org, words.gone, words.gone),
  ])
  const hidden = await fillSpace(who, org.id, words.hidden, words.hidden)
  const closed = await who.post(`/v1/orgs/${org.id}/collections`, { title: `Closed ${words.hidden}` })
  for (const path of [`/v1/spaces/${hidden.spaceId}`, `/v1/collections/${closed.id}`])
    await who.patch(path, { defaultLevel: null })
  await who.post(`/v1/spaces/${hidden.spaceId}/permissions`, { users: [own.userId], role: 'review' })
  await askForReview(who, hidden, own.userId!)
  // The site shows it nevertheless: visitors of the site see it, but members without rights still do not.
  await who.post(`/v1/orgs/${org.id}/sites/${own.siteId}/sections`, { spaceId: hidden.spaceId })
  await destroy(who, gone)
  const dead = await makeAndDelete(who, own)
  const callers = await makeCallers(app, org, stranger, side, own, who)
  return {
    app,
    organization: org,
    callers,
    who,
    own,
    foreign,
    // Audit events and exports are not deleted.
    gone: { ...gone, auditEventId: own.auditEventId!, exportId: own.exportId! },
    hidden: { ...hidden, collectionId: closed.id },
    absent: absentIds(own),
    dead,
    sideId: side.id,
    words,
  }
}

/** Creates one more of everything in the first organization. */
export async function refill({ app, who, organization, words }: World): Promise<Ids> {
  return fill(app, who, organization, words.own, words.draft)
}

async function fill(app: TestApp, who: Maker, org: TestOrganization, word: string, draft: string): Promise<Ids> {
  const space = await fillSpace(who, org.id, word, draft)
  const second = await who.post(`/v1/orgs/${org.id}/spaces`, { title: `Second ${word}`, empty: true })
  const third = await who.post(`/v1/orgs/${org.id}/spaces`, { title: `Third ${word}`, empty: true })
  const site = await fillSite(who, org.id, word, [space.spaceId!, second.id])
  const rest = await fillOrganization(app, org, word, space.spaceId!)
  const siteUrl = `/v1/orgs/${org.id}/sites/${site.siteId}`
  await who.post(`${siteUrl}/permissions`, { users: [rest.userId], role: 'read' })
  await who.post(`${siteUrl}/permissions`, { teams: [rest.teamId], role: 'read' })
  await askForReview(who, space, rest.userId!)
  const remarkId = await addRemark(app, org.id, { ...space, ...site }, word)
  return { ...rest, ...space, ...site, secondSpaceId: second.id, thirdSpaceId: third.id, remarkId }
}

/** Inserts a remark as if a reader had written it. */
async function addRemark(app: TestApp, organizationId: string, { siteId, spaceId, pageId }: Ids, word: string) {
  const id = newId()
  await app.db.run(sql`
    insert into site_page_remarks (organization_id, site_id, day, id, space_id, page_id, text)
    values (${organizationId}, ${siteId}, current_date, ${id}, ${spaceId}, ${pageId}, ${`Remark ${word}`})`)
  return id
}

const askForReview = (who: Maker, { spaceId, changeRequestId }: Ids, userId: string) =>
  who.post(`/v1/spaces/${spaceId}/change-requests/${changeRequestId}/requested-reviewers`, { users: [userId] })

/** Creates things in the space and the site that stay, and deletes them again. Returns their ids. */
async function makeAndDelete(who: Maker, own: Ids): Promise<Ids> {
  const space = `/v1/spaces/${own.spaceId}`
  const request = `${space}/change-requests/${own.changeRequestId}`
  const site = `/v1/orgs/${own.organizationId}/sites/${own.siteId}`
  const made = async (url: string, body: unknown): Promise<string> => {
    const { id } = await who.post(url, body)
    await who.delete(`${url}/${id}`)
    return id
  }
  const said = { body: { markdown: 'Deleted' } }
  const fonts = `/v1/orgs/${own.organizationId}/fonts`
  const face = { weight: 400, storageKey: await who.uploadFont(own.organizationId!) }
  const font = await who.put(fonts, { fontFamily: 'Deleted', fontFaces: [face] })
  await who.delete(`${fonts}/${font.id}`)
  return {
    fontId: font.id,
    ...(await deletedContent(who, space)),
    commentId: await made(`${space}/comments`, said),
    commentReplyId: await made(`${space}/comments/${own.commentId}/replies`, said),
    requestCommentId: await made(`${request}/comments`, said),
    requestReplyId: await made(`${request}/comments/${own.requestCommentId}/replies`, said),
    siteSectionId: await made(`${site}/sections`, { spaceId: own.thirdSpaceId }),
    siteSectionGroupId: await made(`${site}/section-groups`, { title: 'Deleted' }),
    shareLinkId: await made(`${site}/share-links`, { name: 'Deleted' }),
    pictureId: await made(`${site}/pictures`, { key: await who.upload(own.organizationId!) }),
    siteRedirectId: await made(`${site}/redirects`, {
      source: '/deleted',
      destination: { kind: 'external', url: 'https://example.com' },
    }),
  }
}

/** Deletes everything that can be deleted, along with what it contains. */
async function destroy(who: Maker, ids: Ids): Promise<void> {
  const here = `/v1/orgs/${ids.organizationId}`
  // A key can be used for one picture only, and is used here.
  await who.post(`${here}/sites/${ids.siteId}/pictures`, { key: ids.uploadKey })
  await who.delete(`${here}/sites/${ids.siteId}`)
  await who.post(`${here}/fonts/${ids.fontId}`, { fontFaces: [{ weight: 700, storageKey: ids.fontKey }] })
  await who.delete(`${here}/fonts/${ids.fontId}`)
  await who.delete(`${here}/translations/${ids.translationSettingsId}`)
  await who.delete(`/v1/spaces/${ids.sourceSpaceId}`)
  await who.delete(`/v1/spaces/${ids.spaceId}`)
  await who.delete(`/v1/spaces/${ids.secondSpaceId}`)
  await who.delete(`/v1/spaces/${ids.thirdSpaceId}`)
  await who.delete(`/v1/collections/${ids.collectionId}`)
  await who.delete(`${here}/openapi/${ids.specSlug}`)
  await who.delete(`${here}/webhooks/${ids.webhookId}`)
  await who.delete(`${here}/saml/${ids.samlProviderId}`)
  await who.delete(`${here}/link-invites/${ids.inviteId}`)
  await who.delete(`${here}/teams/${ids.teamId}`)
  await who.delete(`${here}/teams/${ids.otherTeamId}`)
  await who.delete(`/v1/user/tokens/${ids.adminTokenId}`)
  await who.delete(`/v1/user/sessions/${ids.sessionId}`)
  await who.delete(`${here}/members/${ids.userId}`)
  await who.delete(`${here}/members/${ids.otherUserId}`)
}
