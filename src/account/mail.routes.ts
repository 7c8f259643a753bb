import { transaction } from '../db/transaction.ts'
import { gate } from '../front/gate.ts'
import { placeOf } from '../front/place.ts'
import { html } from '../http/html.ts'
import { notFound } from '../http/errors.ts'
import type { App, Routes } from '../http/routes.ts'
import { authorOf } from '../http/write.ts'
import { mailTitles } from '../mail/kinds.ts'
import { muteKind } from '../mail/preferences.ts'
import { type Unsubscription, readUnsubscription } from '../mail/unsubscribe.ts'
import { answerPage } from './answer.ts'
import { noticePage } from './notice.page.ts'
import { buttonForm } from './parts.ts'

interface LinkPath {
  Params: { link: string }
}

/**
 * The unsubscribe link in a mail. Mail programs open links automatically, so opening it changes nothing. Sending the
 * form does, and so does the button of mail programs, which sends it without asking. The link is signed and can do
 * nothing else, so no sign-in is needed.
 */
export const unsubscribeRoutes: Routes = async (app) => {
  app.get<LinkPath>('/mail/unsubscribe/:link', async (request, reply) => {
    const { kind } = access(app, request.params.link)
    const place = placeOf(app)
    const { title, when } = mailTitles[kind]
    return answerPage(
      reply,
      gate(place, {
        title: 'Unsubscribe?',
        body: html`<p>${title}: ${when}. Stop getting this by mail?</p>
          ${buttonForm(place, {
            action: request.url.split('?')[0]!,
            fields: {},
            label: 'Unsubscribe',
            look: 'primary big',
          })}`,
      }),
    )
  })

  app.post<LinkPath>('/mail/unsubscribe/:link', async (request, reply) => {
    const { userId, kind } = access(app, request.params.link)
    await transaction(app.db, authorOf(request), (tx) => muteKind(tx, userId, kind))
    const text = `${mailTitles[kind].title} will no longer be sent by mail. You can change this in your account.`
    return answerPage(reply, noticePage(placeOf(app), { title: 'Done', text }))
  })
}

function access(app: App, link: string): Unsubscription {
  const found = readUnsubscription(app.secrets, link)
  if (!found) throw notFound('link')
  return found
}
