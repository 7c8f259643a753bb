import { appPath } from '../app-path.ts'
import type { Static } from 'typebox'
import { downloadUrl } from '../files/download.ts'
import type { Entry } from '../content/merge/entry.ts'
import type { App } from '../http/routes.ts'
import { presentUser } from '../users/present.ts'
import type { LoadedChanges, SemanticChange as Change } from './changes.ts'
import type { RevisionSummary, SemanticChange, SemanticChanges } from './changes.schema.ts'
import { fileData, pageData, reusableData } from './entry-data.ts'
import type { RevisionWithCounts } from './queries.ts'
import type { PageTree } from './tree.ts'

type Place = { app: Pick<App, 'url' | 'secrets'>; spaceId: string }

export function presentChanges(loaded: LoadedChanges, place: Place): Static<typeof SemanticChanges> {
  return {
    changes: loaded.changes.map((change) => presentChange(change, loaded, place)),
    ...(loaded.more > 0 && { more: loaded.more }),
  }
}

function presentChange(change: Change, loaded: LoadedChanges, place: Place): Static<typeof SemanticChange> {
  switch (change.type) {
    case 'page_created':
      return { type: change.type, page: changedPage(change.page, loaded.after) }
    case 'page_deleted':
      return { type: change.type, page: changedPage(change.page, loaded.before) }
    case 'page_edited': {
      const diff = loaded.diffs.get(change.page.entry)
      const page = changedPage(change.page, loaded.after)
      return { type: change.type, page, attributes: change.attributes, ...(diff && { diff }) }
    }
    case 'page_moved': {
      const before = loaded.before.byId.get(change.parent.before ?? '')
      const after = loaded.after.byId.get(change.parent.after ?? '')
      return {
        type: change.type,
        page: changedPage(change.page, loaded.after),
        parent: {
          ...(before && { before: changedPage(before, loaded.before) }),
          ...(after && { after: changedPage(after, loaded.after) }),
        },
      }
    }
    case 'file_created':
    case 'file_deleted':
      return { type: change.type, file: changedFile(change.file, place) }
    case 'file_edited':
      return { type: change.type, file: changedFile(change.file, place), attributes: change.attributes }
    case 'variables_edited':
      return { type: change.type, variables: change.variables }
    case 'reusable_content_created':
    case 'reusable_content_deleted':
      return { type: change.type, reusableContent: changedReusable(change.reusableContent) }
    case 'reusable_content_edited': {
      const diff = loaded.diffs.get(change.reusableContent.entry)
      const reusableContent = changedReusable(change.reusableContent)
      return { type: change.type, reusableContent, attributes: change.attributes, ...(diff && { diff }) }
    }
  }
}

function changedPage(entry: Entry, tree: PageTree) {
  const { type, title } = pageData(entry)
  return { id: entry.entry, type, title, path: tree.pathOf(entry) }
}

function changedFile(entry: Entry, { app, spaceId }: Place) {
  const { name, contentType } = fileData(entry)
  return { id: entry.entry, name, contentType, downloadURL: downloadUrl(app, spaceId, entry) }
}

function changedReusable(entry: Entry) {
  const { title } = reusableData(entry)
  return { id: entry.entry, title, ...(entry.doc !== null && { document: entry.doc }) }
}

export function presentRevisionSummary(row: RevisionWithCounts, url: string): Static<typeof RevisionSummary> {
  const { organization_id: organizationId, space_id: spaceId } = row
  return {
    object: 'revision-summary',
    id: row.id,
    type: row.type,
    parents: row.parents,
    createdAt: row.created_at.toISOString(),
    ...(row.author && { author: presentUser(row.author, url) }),
    ...(row.merged_from !== null &&
      row.number !== null && {
        mergedFrom: { id: row.merged_from, number: row.number, subject: row.subject ?? '' },
      }),
    changed: {
      pages: row.pages,
      files: row.files,
      reusableContents: row.reusable_contents,
      variables: row.variables,
    },
    urls: {
      app: `${url}${appPath.space(organizationId, spaceId)}/~/revisions/${row.id}`,
      location: `${url}/v1/spaces/${spaceId}/revisions/${row.id}`,
    },
  }
}
