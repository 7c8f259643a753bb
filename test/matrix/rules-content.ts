import type { Ids } from './belongings.ts'
import { type Row, each, thing } from './rules.ts'

const word = () => ({ body: { markdown: 'Matrix' } })
const page = () => ({ changes: [{ operation: 'insert_page', document: { markdown: '# Matrix\n' } }] })
const source = () => ({ url: 'http://127.0.0.1:1/', source: 'website' })
const computed = () => ({ source: { type: 'builtin:openapi', props: {}, dependencies: {} }, seed: 'x' })

const changing = (ids: Ids) => [
  { changes: [{ operation: 'delete_page', page: ids.pageId }] },
  { changes: [{ operation: 'insert_page', document: { markdown: '# Matrix' }, into: ids.pageId }] },
  { changes: [{ operation: 'delete_file', file: ids.fileId }] },
  { changes: [{ operation: 'delete_reusable_content', reusableContent: ids.reusableContentId }] },
]

/** The content of spaces: pages, and comments on them. */
export const ofContent: Record<string, Row> = {
  ...each(
    [
      'getCurrentRevision',
      'listPages',
      'getPageById',
      'listSpacePageMetaLinks',
      'getPageByPath',
      'getReusableContentById',
      'listFiles',
      'getFileById',
    ],
    thing('read', { readers: true }),
  ),
  ...each(
    [
      'listSpaceFileBacklinks',
      'listSpacePageBacklinks',
      'listRevisionsInSpace',
      'getRevisionById',
      'getRevisionSemanticChanges',
      'listPagesInRevisionById',
      'getPageInRevisionById',
      'listRevisionPageMetaLinks',
      'getPageInRevisionByPath',
      'getPageDocumentInRevisionById',
      'getReusableContentInRevisionById',
      'getReusableContentDocumentInRevisionById',
      'listFilesInRevisionById',
      'getFileInRevisionById',
      'listCommentersInSpace',
      'listCommentsInSpace',
      'getCommentInSpace',
      'listCommentRepliesInSpace',
      'getCommentReplyInSpace',
    ],
    thing('read'),
  ),
  ...each(['getComputedDocument', 'getComputedRevision'], thing('read', { body: computed, ok: [400] })),
  updateSpaceContent: thing('edit', { body: page, naming: changing }),
  ...each(['importContent', 'importContentInPageById'], thing('edit', { body: source, ok: [400] })),
  revertRevision: thing('edit', { ok: [400, 409] }),

  postCommentInSpace: thing('comment', { body: word, naming: (ids) => [{ page: ids.pageId, ...word() }] }),
  postCommentReplyInSpace: thing('comment', { body: word }),
  // All comments here were written by the administrator.
  updateCommentInSpace: thing('review', { body: () => ({ resolved: true }) }),
  updateCommentReplyInSpace: thing('comment', { body: () => ({ addedReactions: ['1f44d'] }) }),
  ...each(['deleteCommentInSpace', 'deleteCommentReplyInSpace'], thing('review')),
}

export const ofChangeRequests: Record<string, Row> = {
  ...each(
    [
      'listChangeRequestsForSpace',
      'getChangeRequestById',
      'getChangeRequestChanges',
      'listCommentersInChangeRequest',
      'listCommentsInChangeRequest',
      'getCommentInChangeRequest',
      'listCommentRepliesInChangeRequest',
      'getCommentReplyInChangeRequest',
      'listConflictsInChangeRequest',
      'getRevisionOfChangeRequestById',
      'listPagesInChangeRequest',
      'getPageInChangeRequestById',
      'listChangeRequestPageMetaLinks',
      'getPageInChangeRequestByPath',
      'getReusableContentInChangeRequestById',
      'listFilesInChangeRequestById',
      'getFileInChangeRequestById',
      'listChangeRequestFileBacklinks',
      'listChangeRequestPageBacklinks',
      'listPageLinksInChangeRequest',
      'listChangeRequestLinks',
      'getContributorsByChangeRequestId',
      'getChangeRequestPDF',
      'getChangeRequestPreview',
      'getRequestedReviewersByChangeRequestId',
      'getReviewsByChangeRequestId',
      'getChangeRequestReviewById',
    ],
    thing('read'),
  ),
  createChangeRequest: thing('edit', { body: () => ({ subject: 'Matrix' }) }),
  updateChangeRequestById: thing('edit', { body: () => ({ subject: 'Matrix' }) }),
  updateChangeRequestContent: thing('edit', { body: page, naming: changing }),
  ...each(
    ['importContentInChangeRequest', 'importContentInChangeRequestPageById'],
    thing('edit', { body: source, ok: [400] }),
  ),
  updateChangeRequest: thing('edit'),
  requestReviewersForChangeRequest: thing('edit', {
    body: (ids) => ({ users: [ids.userId] }),
    naming: (ids) => [{ users: [ids.userId] }],
  }),
  removeRequestedReviewerFromChangeRequest: thing('edit', {
    after: ({ who, own }) =>
      who.post(`/v1/spaces/${own.spaceId}/change-requests/${own.changeRequestId}/requested-reviewers`, {
        users: [own.userId],
      }),
  }),
  submitChangeRequestReview: thing('review', { body: () => ({ status: 'approved' }) }),
  mergeChangeRequest: thing('review'),
  ...each(['postCommentInChangeRequest', 'postCommentReplyInChangeRequest'], thing('comment', { body: word })),
  updateCommentInChangeRequest: thing('review', { body: () => ({ resolved: true }) }),
  updateCommentReplyInChangeRequest: thing('comment', { body: () => ({ addedReactions: ['1f44d'] }) }),
  ...each(['deleteCommentInChangeRequest', 'deleteCommentReplyInChangeRequest'], thing('review')),
}
