import { fieldsOf } from '../../account/forms.ts'
import { conflict, notFound } from '../../http/errors.ts'
import { formats } from '../../http/formats.ts'
import type { Routes } from '../../http/routes.ts'
import { isId } from '../../ids.ts'
import { createShareLink, removeShareLink } from '../../sites/share-links/actions.ts'
import { findShareLink } from '../../sites/share-links/queries.ts'
import { sitePath } from '../open.ts'
import { longestName } from './share-links.page.ts'
import { changing } from './site.show.ts'

/** The secret links of a site: made and revoked. */
export const workspaceShareLinks: Routes = async (app) => {
  app.post(`${sitePath}/links`, async (request, reply) => {
    const name = (fieldsOf(request).name ?? '').trim()
    return changing(app, request, reply, {
      right: 'secrets',
      kept: { name },
      done: 'linked',
      part: 'secret-links',
      once: true,
      work: (tx, { site }) => createShareLink(tx, app.secrets, site, nameIn(name)),
    })
  })

  app.post(`${sitePath}/links/revoke`, async (request, reply) => {
    const { link = '' } = fieldsOf(request)
    return changing(app, request, reply, {
      right: 'secrets',
      done: 'revoked',
      part: 'secret-links',
      once: true,
      work: async (tx, { site }) => {
        const row = isId(link) ? await findShareLink(tx, site, link) : undefined
        if (!row) throw notFound('link')
        await removeShareLink(tx, site, row)
      },
    })
  })
}

function nameIn(text: string): string {
  if (text === '' || [...text].length > longestName || !formats['one-line']!(text))
    throw conflict(`Say whom the link is for, in at most ${longestName} characters.`)
  return text
}
