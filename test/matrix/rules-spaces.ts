import type { Ids } from './belongings.ts'
import { type Row, each, has, person, special, thing } from './rules.ts'

const repository = () => ({ url: 'http://127.0.0.1:1/x.git', ref: 'main', commitMessage: 'Matrix' })

const moving = (ids: Ids) => [
  { parent: ids.collectionId },
  { parent: null, position: { after: { type: 'collection', collection: ids.collectionId } } },
  { parent: null, position: { before: { type: 'space', space: ids.spaceId } } },
]

const people = (ids: Ids) => [
  { role: 'read', users: [ids.userId] },
  { role: 'read', teams: [ids.teamId] },
]

/** Spaces and collections. */
export const ofSpaces: Record<string, Row> = {
  ...each(['getCollectionById', 'listSpacesInCollectionById'], thing('read')),
  updateCollectionById: thing('create', { body: () => ({ title: 'Matrix' }) }),
  deleteCollectionById: thing('create'),
  moveCollection: thing('create', { body: () => ({ parent: null }), naming: moving }),
  // All members are only readers of the target organization. So the target refuses callers who may transfer the thing,
  // with 412.
  ...each(
    ['transferCollection', 'transferSpace'],
    thing('create', {
      body: (_, world) => ({ organization: world.sideId }),
      naming: (ids) => [{ organization: ids.organizationId }],
    }),
  ),
  ...each(
    ['inviteToCollection', 'inviteToSpace'],
    thing('create', { body: (ids) => ({ role: 'read', users: [ids.userId] }), naming: people }),
  ),
  ...each(
    [
      'listPermissionsAggregateInCollection',
      'listTeamPermissionsInCollection',
      'listUserPermissionsInCollection',
      'removeTeamFromCollection',
      'removeUserFromCollection',
      'listPermissionsAggregateInSpace',
      'listTeamPermissionsInSpace',
      'listUserPermissionsInSpace',
      'removeTeamFromSpace',
      'removeUserFromSpace',
    ],
    thing('create'),
  ),
  ...each(
    [
      'updateTeamPermissionInCollection',
      'updateUserPermissionInCollection',
      'updateTeamPermissionInSpace',
      'updateUserPermissionInSpace',
    ],
    thing('create', { body: () => ({ role: 'read' }) }),
  ),

  ...each(['getSpaceById', 'getSpacePDF', 'listSpaceLinks', 'listPageLinksInSpace', 'getDocumentById'], thing('read')),
  getEmbedByUrlInSpace: thing('read', { query: () => 'url=https%3A%2F%2Fexample.org%2F' }),
  // The space has no Git repository.
  getSpaceGitInfo: thing('read', { ok: [404] }),
  searchSpaceContent: thing('read', { query: () => 'query=zebra' }),
  updateSpaceById: thing('create', { body: () => ({ title: 'Matrix' }) }),
  deleteSpaceById: thing('create'),
  exportSpace: thing('create', { writes: true }),
  moveSpace: thing('create', { body: () => ({ parent: null }), naming: moving }),
  restoreSpace: thing('create', {
    takesDeleted: true,
    ok: [409],
    after: ({ who, gone }) => who.delete(`/v1/spaces/${gone.spaceId}`).catch(() => undefined),
  }),
  // The copy is created beside the space, so the caller must be allowed to create something there.
  duplicateSpace: special((caller, of) => {
    if (!has(caller.on(of), 'read')) return 404
    return has(caller.member(of), 'create') ? 'through' : 403
  }),
  // The space has no Git repository.
  forgetGitRepository: thing('create', { ok: [404] }),
  getGitFollowing: thing('create', { ok: [404] }),
  followGitRepository: thing('create', { body: repository }),
  unfollowGitRepository: thing('create', { ok: [404] }),
  ...each(['getGitHook', 'setUpGitHook', 'removeGitHook'], thing('create', { ok: [404] })),
  // Everybody may call it. A caller who does not know the secret is told that there is no such hook.
  callGitHook: { ...person({ ok: [404], ids: (ids) => ({ ...ids, hookId: ids.spaceId! }) }), open: true },
  ...each(['exportToGitRepository', 'importGitRepository'], thing('create', { body: repository })),
}
