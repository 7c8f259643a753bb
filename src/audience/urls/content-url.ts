import type { Static } from 'typebox'
import type { Caller } from '../../access/caller.ts'
import { accessChangeRequest } from '../../change-requests/access.ts'
import { presentChangeRequest } from '../../change-requests/present.ts'
import { seeCollection } from '../../collections/access.ts'
import { presentCollection } from '../../collections/present.ts'
import { notFound } from '../../http/errors.ts'
import type { App } from '../../http/routes.ts'
import { isId } from '../../ids.ts'
import { accessContent } from '../../pages/access.ts'
import { readPageByPath } from '../../pages/find.ts'
import { withGenerated } from '../../pages/generated.ts'
import { presentPage } from '../../pages/present.ts'
import { seeSpace } from '../../spaces/access.ts'
import { presentSpace } from '../../spaces/present.ts'
import { readPath } from '../addresses.ts'
import type { ContentOfUrl } from './urls.schema.ts'

/** Returns what an address of the authors' app refers to, if the caller may see it. */
export async function findContentOfUrl(app: App, caller: Caller, text: string): Promise<Static<typeof ContentOfUrl>> {
  const named = readAppUrl(app.url, text)
  if (!named) throw notFound('content')
  const content =
    named.kind === 'c' ? await collectionOf(app, caller, named.id) : await spaceOf(app, caller, named.id, named.rest)
  const { organization } = 'collection' in content ? content.collection : content.space
  if (named.organizationId !== undefined && organization !== named.organizationId) throw notFound('content')
  return content
}

interface Named {
  organizationId: string | undefined
  kind: 'c' | 's'
  id: string
  rest: string
}

/**
 * Parses `<main address>/app/o/<organization>/c/<collection>`, or `…/s/<space>/…`. The short forms leave out the
 * organization.
 */
function readAppUrl(appUrl: string, text: string): Named | undefined {
  const url = new URL(text)
  const main = new URL(`${appUrl}/app/`)
  if (url.host !== main.host || !url.pathname.startsWith(main.pathname)) return undefined
  const [, organizationId, kind, id = '', rest = ''] =
    /^(?:o\/([^/]+)\/)?([cs])\/([^/]+)\/?(.*)$/s.exec(url.pathname.slice(main.pathname.length)) ?? []
  if (![organizationId ?? id, id].every(isId) || (kind === 'c' && rest !== '')) return undefined
  return { organizationId, kind: kind as Named['kind'], id, rest }
}

async function collectionOf(app: App, caller: Caller, id: string) {
  return { collection: presentCollection(await seeCollection(app.db, caller, id), app.url) }
}

/** Parses `<path of a page>`, optionally after `~/changes/<number>/` or `~/revisions/<id>/`. */
async function spaceOf(app: App, caller: Caller, spaceId: string, rest: string) {
  const [, changeRequestId, revisionId, path = ''] =
    /^(?:~\/changes\/(\d{1,9}|[0-9a-f-]{36})\/?|~\/revisions\/([0-9a-f-]{36})\/?)?(.*)$/s.exec(rest) ?? []
  const named = {
    spaceId,
    ...(changeRequestId !== undefined && { changeRequestId }),
    ...(revisionId !== undefined && { revisionId }),
  }
  const content = await withGenerated(app, await accessContent(app, caller, named), {})
  const [space, change, page] = await Promise.all([
    seeSpace(app.db, caller, spaceId),
    changeRequestId === undefined
      ? undefined
      : accessChangeRequest(app.db, caller, { spaceId, changeRequestId }, 'view'),
    path === '' ? undefined : pageOf(),
  ])
  return {
    space: presentSpace(space, app.hosts),
    ...(change && { changeRequest: presentChangeRequest(change.changeRequest, app.url) }),
    ...(page && { page }),
  }

  async function pageOf() {
    const asked = readPath(path)
    const found = asked && (await readPageByPath(app, content, [...asked.segments]))
    const page = found && presentPage(found.tree, found.self, { appUrl: content.appUrl, withGit: true })
    if (page?.type !== 'document' && page?.type !== 'group') throw notFound('page')
    return page
  }
}
