// The official client calls the operations about content: see official-client.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nobody, transaction } from '../../src/db/transaction.ts'
import { addMember } from '../../src/organizations/members.actions.ts'
import { startApp } from '../app.ts'
import { type EditedSpace, aLiveSpace, idsOf, newPage } from '../editing.ts'
import { content, png } from '../every-content.ts'
import { type TestOrganization, anOrganization } from '../factories.ts'
import { OfficialClients, words } from './official-client.ts'

const { ChangeRequestReviewStatus, ContentReferenceStatus, MemberRole, SpaceEditMode } = words
const app = await startApp()
const clients = new OfficialClients(app)

const ids = (list: { items: { id: string }[] }) => list.items.map(({ id }) => id)

async function anOrganizationWithItsClient() {
  const org = await anOrganization(app)
  return { org, admin: clients.of(org.admin.client.token) }
}

/** Creates another organization with the same administrator as the first one. */
async function anotherOf(org: TestOrganization) {
  const other = await anOrganization(app)
  await transaction(app.db, nobody, (tx) =>
    addMember(tx, { organizationId: other.id, userId: org.admin.id, role: 'admin', sso: false }),
  )
  return other
}

test('the official client creates, lists, changes, moves, transfers and deletes collections', async () => {
  const { org, admin } = await anOrganizationWithItsClient()
  const { data: outer } = await admin.orgs.createCollection(org.id, { title: 'Outer' })
  const { data: inner } = await admin.orgs.createCollection(org.id, { title: 'Inner', parent: outer.id })
  assert.deepEqual((await admin.collections.getCollectionById(inner.id)).data, inner)
  assert.deepEqual(ids((await admin.orgs.listCollectionsInOrganizationById(org.id, { nested: false })).data), [
    outer.id,
  ])

  const { data: changed } = await admin.collections.updateCollectionById(inner.id, {
    title: 'Changed',
    description: 'What is in it',
    defaultLevel: MemberRole.Read,
  })
  assert.deepEqual([changed.title, changed.description, changed.defaultLevel], ['Changed', 'What is in it', 'read'])
  const { data: moved } = await admin.collections.moveCollection(inner.id, {
    parent: null,
    position: { before: { type: 'collection', collection: outer.id } },
  })
  assert.equal(moved.parent, undefined)

  const { data: space } = await admin.orgs.createSpace(org.id, { title: 'In it', parent: inner.id })
  const { data: inIt } = await admin.collections.listSpacesInCollectionById(inner.id, { limit: 10 })
  assert.deepEqual(ids(inIt), [space.id])

  const other = await anotherOf(org)
  const { data: gone } = await admin.collections.transferCollection(inner.id, { organization: other.id })
  assert.equal(gone.organization, other.id)
  await admin.collections.deleteCollectionById(outer.id)
  assert.deepEqual(ids((await admin.orgs.listCollectionsInOrganizationById(org.id)).data), [])
})

test('the official client creates, lists, changes, moves, duplicates, restores and transfers spaces', async () => {
  const { org, admin } = await anOrganizationWithItsClient()
  const { data: collection } = await admin.orgs.createCollection(org.id, {})
  const { data: space } = await admin.orgs.createSpace(org.id, { title: 'A space', emoji: '1f600' })
  assert.deepEqual((await admin.spaces.getSpaceById(space.id)).data, space)
  const { data: second } = await admin.orgs.createSpace(org.id, { editMode: SpaceEditMode.Live, parent: collection.id })
  const { data: list } = await admin.orgs.listSpacesInOrganizationById(org.id, { limit: 10 })
  assert.deepEqual(ids(list).toSorted(), [space.id, second.id].toSorted())

  const { data: changed } = await admin.spaces.updateSpaceById(space.id, {
    title: 'Changed',
    emoji: '1f680',
    editMode: SpaceEditMode.Live,
    defaultLevel: MemberRole.Comment,
  })
  assert.deepEqual([changed.title, changed.editMode, changed.defaultLevel], ['Changed', 'live', 'comment'])
  const { data: moved } = await admin.spaces.moveSpace(space.id, {
    parent: collection.id,
    position: { after: { type: 'space', space: second.id } },
  })
  assert.equal(moved.parent, collection.id)

  const { data: copy } = await admin.spaces.duplicateSpace(space.id)
  assert.notEqual(copy.id, space.id)
  await admin.spaces.deleteSpaceById(copy.id)
  assert.equal((await admin.spaces.restoreSpace(copy.id)).data.id, copy.id)

  const other = await anotherOf(org)
  const { data: gone } = await admin.spaces.transferSpace(copy.id, { organization: other.id })
  assert.deepEqual([gone.id, gone.organization], [copy.id, other.id])
})

test('the official client grants, changes, lists and removes permissions of users and teams in a collection', async () => {
  const { org, admin } = await anOrganizationWithItsClient()
  const { data: collection } = await admin.orgs.createCollection(org.id, {})
  const writer = await org.member('read')
  const { data: team } = await admin.orgs.createOrganizationTeam(org.id, { title: 'Writers', members: [writer.id] })
  const { collections } = admin
  await collections.inviteToCollection(collection.id, { users: [writer.id], role: MemberRole.Read })
  await collections.inviteToCollection(collection.id, { teams: [team.id], role: MemberRole.Read })
  await collections.updateUserPermissionInCollection(collection.id, writer.id, { role: MemberRole.Comment })
  await collections.updateTeamPermissionInCollection(collection.id, team.id, { role: MemberRole.Edit })

  const { data: users } = await collections.listUserPermissionsInCollection(collection.id)
  assert.deepEqual(
    users.items.map(({ permission, user }) => [permission, user.id]),
    [
      ['admin', org.admin.id],
      ['comment', writer.id],
    ],
  )
  const { data: teams } = await collections.listTeamPermissionsInCollection(collection.id)
  assert.deepEqual(
    teams.items.map((item) => [item.permission, item.team.id]),
    [['edit', team.id]],
  )
  const { data: all } = await collections.listPermissionsAggregateInCollection(collection.id, {
    role: MemberRole.Comment,
  })
  assert.deepEqual(
    all.items.map(({ user }) => user.id),
    [writer.id],
  )
  await collections.removeUserFromCollection(collection.id, writer.id)
  await collections.removeTeamFromCollection(collection.id, team.id)
  assert.equal((await collections.listUserPermissionsInCollection(collection.id)).data.count, 1)
})

test('the official client grants, changes, lists and removes permissions of users and teams in a space', async () => {
  const { org, admin } = await anOrganizationWithItsClient()
  const { data: space } = await admin.orgs.createSpace(org.id, {})
  const writer = await org.member('read')
  const { data: team } = await admin.orgs.createOrganizationTeam(org.id, { title: 'Writers', members: [writer.id] })
  const { spaces } = admin
  await spaces.inviteToSpace(space.id, { users: [writer.id], role: MemberRole.Read })
  await spaces.inviteToSpace(space.id, { teams: [team.id], role: MemberRole.Read })
  await spaces.updateUserPermissionInSpace(space.id, writer.id, { role: MemberRole.Comment })
  await spaces.updateTeamPermissionInSpace(space.id, team.id, { role: MemberRole.Edit })

  const { data: users } = await spaces.listUserPermissionsInSpace(space.id)
  assert.deepEqual(
    users.items.map(({ permission, user }) => [permission, user.id]),
    [
      ['admin', org.admin.id],
      ['comment', writer.id],
    ],
  )
  const { data: teams } = await spaces.listTeamPermissionsInSpace(space.id)
  assert.deepEqual(
    teams.items.map((item) => [item.permission, item.team.id]),
    [['edit', team.id]],
  )
  const { data: all } = await spaces.listPermissionsAggregateInSpace(space.id, { role: MemberRole.Comment })
  assert.deepEqual(
    all.items.map(({ user }) => user.id),
    [writer.id],
  )
  await spaces.removeUserFromSpace(space.id, writer.id)
  await spaces.removeTeamFromSpace(space.id, team.id)
  assert.equal((await spaces.listUserPermissionsInSpace(space.id)).data.count, 1)
})

const formats = [undefined, 'document', 'markdown'] as const

async function aFullSpace() {
  const space = await aLiveSpace(app)
  const request = await space.changeRequest()
  const written = await request.edit(...content)
  assert.equal(written.status, 200, written.text)
  const [note, group, guide, page, link] = idsOf(written) as [string, string, string, string, string]
  const file: string = written.body.insertedFiles[0].id
  const client = clients.of(space.who.token).spaces
  return { space, request, client, note, group, guide, page, link, file }
}

test('the official client reads the pages, files and reusable contents of a change request', async () => {
  const { space, request, client, note, group, page, link, file } = await aFullSpace()
  const at = [space.id, request.id] as const
  const { data: revision } = await client.getRevisionOfChangeRequestById(...at)
  assert.deepEqual([revision.pages.length, revision.files.length, revision.reusableContents.length], [6, 1, 1])
  assert.deepEqual((await client.listPagesInChangeRequest(...at, { metadata: false })).data.pages.length, 6)
  assert.deepEqual(ids((await client.listFilesInChangeRequestById(...at, { limit: 10 })).data), [file])
  assert.equal((await client.getFileInChangeRequestById(...at, file)).data.name, 'a.png')
  assert.equal((await client.getReusableContentInChangeRequestById(...at, note)).data.title, 'Note')
  for (const format of formats) {
    for (const id of [page, group, link]) {
      assert.equal((await client.getPageInChangeRequestById(...at, id, { format })).data.id, id)
    }
    assert.equal((await client.getPageInChangeRequestByPath(...at, 'everything', { format })).data.id, page)
  }
})

test('the official client reads the pages, files and reusable contents of a space and of its revisions', async () => {
  const { space, request, client, note, guide, page, file } = await aFullSpace()
  await client.mergeChangeRequest(space.id, request.id)
  const { data: revision } = await client.getCurrentRevision(space.id)
  assert.equal((await client.listPages(space.id)).data.pages.length, 6)
  assert.deepEqual(ids((await client.listFiles(space.id)).data), [file])
  assert.deepEqual((await client.getFileById(space.id, file)).data.dimensions, { width: 1, height: 1 })
  const { data: reusable } = await client.getReusableContentById(space.id, note)
  assert.equal(reusable.title, 'Note')
  for (const path of ['group/guide', encodeURIComponent('group/guide')]) {
    assert.equal((await client.getPageByPath(space.id, path, { format: 'markdown' })).data.id, guide)
  }
  for (const format of formats) {
    const { data: read } = await client.getPageById(space.id, page, { format, evaluated: true })
    assert.equal('markdown' in read, format === 'markdown')
    assert.equal('document' in read, format === 'document')
  }
  const { data: read } = await client.getPageById(space.id, page)
  const { documentId } = read as { documentId?: string }
  assert.equal((await client.getDocumentById(space.id, documentId!)).data.object, 'document')

  const at = [space.id, revision.id] as const
  assert.equal((await client.getRevisionById(...at)).data.type, 'merge')
  assert.equal((await client.listPagesInRevisionById(...at)).data.pages.length, 6)
  assert.deepEqual(ids((await client.listFilesInRevisionById(...at)).data), [file])
  assert.equal((await client.getFileInRevisionById(...at, file)).data.contentType, 'image/png')
  assert.equal((await client.getPageInRevisionById(...at, page, { format: 'document' })).data.id, page)
  assert.equal((await client.getPageInRevisionByPath(...at, 'group/guide')).data.id, guide)
  assert.equal((await client.getPageDocumentInRevisionById(...at, page)).data.object, 'document')
  assert.equal((await client.getReusableContentInRevisionById(...at, note)).data.id, note)
  assert.equal((await client.getReusableContentDocumentInRevisionById(...at, note)).data.object, 'document')
})

test('the official client lists links and backlinks of a change request and of a space', async () => {
  const { space, request, client, guide, page, file } = await aFullSpace()
  const { data: drafted } = await client.listChangeRequestLinks(space.id, request.id, {
    brokenContext: 'change-request',
  })
  assert.deepEqual([drafted.stats.broken, drafted.items], [{ total: 0, changeRequest: 0 }, []])
  const { data: ofPage } = await client.listPageLinksInChangeRequest(space.id, request.id, page)
  assert.ok(ofPage.items.length > 5)
  for (const [id, list] of [
    [guide, client.listChangeRequestPageBacklinks],
    [file, client.listChangeRequestFileBacklinks],
  ] as const) {
    assert.deepEqual(
      (await list(space.id, request.id, id, { limit: 1 })).data.items.map(({ kind }) => kind),
      ['page'],
    )
  }
  await client.mergeChangeRequest(space.id, request.id)
  const { data: all } = await client.listSpaceLinks(space.id, { status: ContentReferenceStatus.Ok, limit: 100 })
  const targets = new Set(all.items.map(({ targetReference }) => targetReference?.kind))
  assert.deepEqual([...targets].toSorted(), ['file', 'page', 'reusable-content', 'url'])
  assert.equal((await client.listPageLinksInSpace(space.id, page)).data.stats.total, ofPage.stats.total)
  assert.equal((await client.listSpacePageBacklinks(space.id, guide)).data.items.length, 2)
  assert.equal((await client.listSpaceFileBacklinks(space.id, file)).data.items.length, 1)
})

test('the official client takes a change request from its start to its merge', async () => {
  const space = await aLiveSpace(app)
  const client = clients.of(space.who.token).spaces
  const [page] = idsOf(await space.edit(newPage('A'), newPage('B')))
  const { data: request } = await client.createChangeRequest(space.id, { subject: 'Better' })
  const at = [space.id, request.id] as const
  assert.deepEqual((await client.getChangeRequestById(...at)).data, request)
  const { data: opened } = await client.updateChangeRequestById(...at, { subject: 'Best', status: 'open' })
  assert.deepEqual([opened.subject, opened.status], ['Best', 'open'])
  assert.deepEqual(ids((await client.listChangeRequestsForSpace(space.id)).data), [request.id])

  await change(space, request.id, ...content, newPage('C'), rewritten(page!, 'Mine'))
  assert.ok((await client.getChangeRequestChanges(...at, { limit: 50 })).data.changes.length > 5)
  const { data: contributors } = await client.getContributorsByChangeRequestId(...at)
  assert.deepEqual(
    contributors.items.map(({ user }) => user.id),
    [space.org.admin.id],
  )
  await space.edit(newPage('D'))
  assert.equal((await client.updateChangeRequest(...at)).data.result, 'update')
  const { data: merged } = await client.mergeChangeRequest(...at)
  assert.equal(merged.result, 'merge')
  const { data: told } = await client.getRevisionSemanticChanges(space.id, merged.revision, { limit: 50 })
  assert.equal(told.mergedFrom?.id, request.id)
  const { data: after } = await client.getChangeRequestById(...at)
  assert.equal(after.status, 'merged')
})

test('the official client gets every kind of semantic change in its own words', async () => {
  const { space, request, client, note, group, guide, page, link, file } = await aFullSpace()
  await client.mergeChangeRequest(space.id, request.id)
  const { data: next } = await client.createChangeRequest(space.id, {})
  const update = (id: string, more: object) => ({ operation: 'update_page', page: id, ...more })
  await change(
    space,
    next.id,
    update(group, { metadata: { title: 'Renamed group', emoji: '1f680' } }),
    update(guide, { into: null, document: { markdown: '# Moved guide\n\nOther text\n' } }),
    update(page, {
      metadata: {
        slug: 'all',
        emoji: '1f680',
        description: 'Described anew',
        layout: { width: 'default' },
        cover: { ref: { kind: 'url', url: 'https://example.com/cover.png' } },
        variables: { name: 'other', more: 'value' },
      },
    }),
    update(link, { metadata: { title: 'Renamed link' }, target: { kind: 'page', page } }),
    { operation: 'update_file', file, name: 'b.png' },
    { operation: 'update_reusable_content', reusableContent: note, title: 'Notes', document: { markdown: 'Gone' } },
    { operation: 'update_variables', variables: { version: '2.0', other: 'x' } },
    { operation: 'insert_files', files: [{ name: 'c.png', base64: png, contentType: 'image/png' }] },
    { operation: 'insert_reusable_content', title: 'Second', document: { markdown: 'Two' } },
    newPage('New'),
  )
  const { data: edits } = await client.getChangeRequestChanges(space.id, next.id, { limit: 50 })
  const told = new Set(edits.changes.map(({ type }) => type))
  await client.mergeChangeRequest(space.id, next.id)
  const { data: last } = await client.createChangeRequest(space.id, {})
  await change(
    space,
    last.id,
    { operation: 'delete_page', page },
    { operation: 'delete_file', file },
    { operation: 'delete_reusable_content', reusableContent: note },
    { operation: 'update_variables', variables: { version: null } },
  )
  const { data: merged } = await client.mergeChangeRequest(space.id, last.id)
  const { data: deletions } = await client.getRevisionSemanticChanges(space.id, merged.revision, { limit: 2 })
  assert.equal(deletions.changes.length, 2)
  assert.ok(deletions.more! > 0)
  const { data: all } = await client.getRevisionSemanticChanges(space.id, merged.revision)
  for (const { type } of all.changes) told.add(type)
  assert.deepEqual(
    [...told].toSorted(),
    ['page', 'file', 'reusable_content']
      .flatMap((thing) => ['created', 'edited', 'deleted'].map((what) => `${thing}_${what}`))
      .concat('page_moved', 'variables_edited')
      .toSorted(),
  )
})

test('the official client reads a change request with conflicts, and gets conflicts as the result of merge and update', async () => {
  const space = await aLiveSpace(app)
  const client = clients.of(space.who.token).spaces
  const [page] = idsOf(await space.edit(newPage('A')))
  const { id } = await space.changeRequest()
  await change(space, id, rewritten(page!, 'Mine'))
  await space.edit(rewritten(page!, 'Theirs'))
  assert.equal((await client.mergeChangeRequest(space.id, id)).data.result, 'conflicts')
  assert.equal((await client.updateChangeRequest(space.id, id)).data.result, 'conflicts')
  for (const format of formats) await client.getPageInChangeRequestById(space.id, id, page!, { format })
  await client.getChangeRequestChanges(space.id, id)
})

test('the official client requests, submits and lists reviews, and removes a requested reviewer', async () => {
  const space = await aLiveSpace(app)
  const reviewer = await space.org.member('review')
  const client = clients.of(space.who.token).spaces
  const { id } = await space.changeRequest()
  await change(space, id, newPage('A'))
  const at = [space.id, id] as const
  await client.updateChangeRequestById(...at, { status: 'open' })

  const { data: asked } = await client.requestReviewersForChangeRequest(...at, {
    users: [reviewer.id],
    subject: 'Please look',
  })
  assert.equal(asked.users?.length, 1)
  const { data: requested } = await client.getRequestedReviewersByChangeRequestId(...at)
  assert.deepEqual(
    requested.items.map((item) => 'user' in item && item.user.id),
    [reviewer.id],
  )
  const theirs = clients.of(reviewer.client.token).spaces
  const { data: review } = await theirs.submitChangeRequestReview(...at, {
    status: ChangeRequestReviewStatus.ChangesRequested,
    comment: { markdown: 'Not *yet*' },
  })
  await theirs.submitChangeRequestReview(...at, { status: ChangeRequestReviewStatus.Approved })
  for (const format of ['markdown', 'document'] as const) {
    const { data: reviews } = await client.getReviewsByChangeRequestId(...at, { format })
    assert.ok(ids(reviews).includes(review.id))
  }
  await client.requestReviewersForChangeRequest(...at, { users: [reviewer.id] })
  await client.removeRequestedReviewerFromChangeRequest(...at, reviewer.id)
})

test('the official client searches a space and an organization', async () => {
  const space = await aLiveSpace(app)
  const client = clients.of(space.who.token)
  await space.edit(
    newPage('Otters', { document: { markdown: '# Otters\n\nThey swim.\n\n## Rivers\n\nFull of otters.' } }),
  )
  const { data: pages } = await client.spaces.searchSpaceContent(space.id, { query: 'otter', limit: 10 })
  assert.deepEqual([pages.count, pages.items[0]?.sections?.[0]?.path], [1, 'otters#rivers'])
  const { data: spaces } = await client.orgs.searchOrganizationContent(space.org.id, { query: 'otter river' })
  assert.deepEqual([spaces.count, spaces.items[0]?.pages[0]?.title], [1, 'Otters'])
})

test('the official client gets the addresses of PDF files of a space and of a change request', async () => {
  const space = await aLiveSpace(app)
  const client = clients.of(space.who.token)
  const [page] = idsOf(await space.edit(newPage('Printed')))
  const { data: whole } = await client.spaces.getSpacePdf(space.id, { page: page!, only: true })
  const { data: request } = await client.spaces.createChangeRequest(space.id, { subject: 'Print' })
  const { data: proposed } = await client.spaces.getChangeRequestPdf(space.id, request.id)
  for (const { url } of [whole, proposed]) assert.match(url, /^http:\/\/lectern\.test\/pdf\//)
})

test('the official client starts a Git import and export, and reads the Git info of a space', async () => {
  const space = await aLiveSpace(app)
  const client = clients.of(space.who.token).spaces
  const repository = { url: 'http://user:secret@127.0.0.1:9/owner/docs.git', ref: 'refs/heads/main' }
  await client.importGitRepository(space.id, { ...repository, repoCacheID: 'x', force: false, standalone: true })
  await client.exportToGitRepository(space.id, { ...repository, commitMessage: 'Export', repoProjectDirectory: 'docs' })
  const { data: info } = await client.getSpaceGitInfo(space.id)
  assert.deepEqual([info.repoName, info.url], ['owner/docs', 'http://127.0.0.1:9/owner/docs.git'])
})

/** The official client has no operation that edits content, so this calls ours. */
async function change(space: EditedSpace, request: string, ...changes: object[]) {
  const { status, text } = await space.who.post(`${space.path}/change-requests/${request}/content`, { changes })
  assert.equal(status, 200, text)
}

const rewritten = (page: string, text: string) => ({ operation: 'update_page', page, document: { markdown: text } })

/** Our tags of the features that are called above. */
const features = [
  'collections',
  'collection-permissions',
  'spaces',
  'space-permissions',
  'space-content',
  'change-requests',
  'change-request-content',
  'space-git',
]

test('every content operation shared with the official client is called above', () => {
  const { both, missed } = clients.coverage(features)
  assert.ok(both.length > 60)
  assert.deepEqual(missed, [])
})
