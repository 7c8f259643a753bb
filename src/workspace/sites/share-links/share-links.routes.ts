import { type Fields, fieldsOf } from '../../../account/forms.ts'
import { readClock } from '../../../db/clock.ts'
import type { SiteRow } from '../../../db/tables.ts'
import type { Transaction } from '../../../db/transaction.ts'
import { conflict, notFound } from '../../../http/errors.ts'
import { formats } from '../../../http/formats.ts'
import type { App, Routes } from '../../../http/routes.ts'
import { isId } from '../../../ids.ts'
import { changeShareLink, createShareLink, removeShareLink } from '../../../sites/share-links/actions.ts'
import { lockWith, longestPassword, shortestPassword } from '../../../sites/share-links/password.ts'
import { findShareLink } from '../../../sites/share-links/queries.ts'
import { sitePath } from '../../open.ts'
import { overtaken } from '../../overtaken.ts'
import { endChosen } from './ends.ts'
import { longestName } from './share-links.page.ts'
import { changing } from '../site.show.ts'

/** The secret links of a site: creating them, setting their expiry or password, and revoking them. */
export const workspaceShareLinks: Routes = async (app) => {
  app.post(`${sitePath}/links`, async (request, reply) => {
    const fields = fieldsOf(request)
    const name = (fields.name ?? '').trim()
    const { password = '' } = fields
    const chosen = endIn(fields)
    return changing(app, request, reply, {
      right: 'secrets',
      kept: { secretLink: { name, ...chosen, password } },
      done: 'linked',
      part: 'secret-links',
      once: true,
      work: async (tx, { site }) => {
        const expiresAt = endChosen(chosen, await readClock(tx))
        const drafted = {
          name: nameIn(name),
          expiresAt,
          lock: password === '' ? undefined : await lockOf(app, password),
        }
        await createShareLink(tx, app.secrets, site, drafted)
      },
    })
  })

  app.post(`${sitePath}/links/end`, async (request, reply) => {
    const fields = fieldsOf(request)
    const { link = '', seen } = fields
    const chosen = endIn(fields)
    return changing(app, request, reply, {
      right: 'secrets',
      kept: { ending: { of: link, ...chosen } },
      done: 'ending',
      part: 'secret-links',
      once: true,
      work: async (tx, { site }) => {
        const row = await linkOf(tx, site, link)
        if ((row.expires_at?.toISOString() ?? '') !== seen) throw overtaken('changed the expiry')
        await changeShareLink(tx, site, row, { expiresAt: endChosen(chosen, await readClock(tx)) })
      },
    })
  })

  app.post(`${sitePath}/links/password`, async (request, reply) => {
    const { link = '', password = '', none } = fieldsOf(request)
    const isTaken = none !== undefined
    return changing(app, request, reply, {
      right: 'secrets',
      kept: { locking: { of: link, password } },
      done: isTaken ? 'unlocked' : 'locked',
      part: 'secret-links',
      work: async (tx, { site }) => {
        const row = await linkOf(tx, site, link)
        await changeShareLink(tx, site, row, { lock: isTaken ? null : await lockOf(app, password) })
      },
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
        await removeShareLink(tx, site, await linkOf(tx, site, link))
      },
    })
  })
}

const endIn = ({ end = '', day = '' }: Fields) => ({ end, day: day.trim() })

async function lockOf({ secrets }: App, password: string) {
  const { length } = [...password]
  if (length < shortestPassword || length > longestPassword)
    throw conflict(`A password has ${shortestPassword} to ${longestPassword} characters.`)
  return lockWith(secrets, password)
}

async function linkOf(tx: Transaction, site: SiteRow, id: string) {
  const row = isId(id) ? await findShareLink(tx, site, id) : undefined
  if (!row) throw notFound('link')
  return row
}

function nameIn(text: string): string {
  if (text === '' || [...text].length > longestName || !formats['one-line']!(text))
    throw conflict(`Enter who the link is for, in at most ${longestName} characters.`)
  return text
}
