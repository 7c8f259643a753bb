import { leadTo } from '../account/answer.ts'
import { fieldsOf, withLineFeeds } from '../account/forms.ts'
import { requireSessionForm } from '../account/who.ts'
import { lockUnmerged } from '../change-requests/access.ts'
import { changeChangeRequest } from '../change-requests/actions.ts'
import { longestSubject } from '../change-requests/subject.ts'
import { longestText } from '../change-requests/text.ts'
import { conflict } from '../http/errors.ts'
import type { Routes } from '../http/routes.ts'
import { write } from '../http/write.ts'
import { stateOfAbout, wordsOf } from './about.page.ts'
import { keeping, takeLongForms } from './editor/hand-back.ts'
import { accessAgain, changePath, openChange } from './open.ts'
import { trying } from './show.ts'

/** A form encodes a character of a description, such as an emoji, with up to twelve characters, and contains a little else. */
const mostBytes = 13 * longestText

/** Changes the subject and description of a change request, and archives it. */
export const aboutPages: Routes = async (app) => {
  takeLongForms(app, mostBytes)

  app.post(`${changePath}/about`, async (request, reply) => {
    const { subject = '', description = '', seen = '' } = fieldsOf(request)
    const about = { subject, description, seen }
    const opened = await openChange(app, request, reply, keeping(wordsOf(about)), wordsOf(about))
    if (!opened) return reply
    return trying(app, reply, opened, { about }, async () => {
      const told = { subject: subjectIn(subject), description: descriptionIn(description) }
      const access = await accessAgain(app, opened, 'edit')
      await write(request, async (tx) => {
        const { changeRequest } = await lockUnmerged(tx, access.changeRequest)
        // The first click of a double click has already saved it.
        if (stateOfAbout(changeRequest) === stateOfAbout(told)) return
        if (stateOfAbout(changeRequest) !== seen) throw overtaken()
        await changeChangeRequest(tx, changeRequest, told)
      })
      return leadTo(app, reply, opened.path, { done: 'told' })
    })
  })

  app.post(`${changePath}/archive`, async (request, reply) => {
    const opened = await openChange(app, request, reply, requireSessionForm)
    if (!opened) return reply
    return trying(app, reply, opened, {}, async () => {
      const access = await accessAgain(app, opened, 'edit')
      await write(request, async (tx) => {
        const { changeRequest } = await lockUnmerged(tx, access.changeRequest)
        await changeChangeRequest(tx, changeRequest, { status: 'archived' })
      })
      return leadTo(app, reply, opened.path, { done: 'archived' })
    })
  })
}

function subjectIn(text: string): string {
  const subject = text.trim()
  if ([...subject].length > longestSubject) throw conflict(`A subject has at most ${longestSubject} characters.`)
  return subject
}

function descriptionIn(text: string): string | null {
  const description = withLineFeeds(text).trim()
  if ([...description].length > longestText) throw conflict(`A description has at most ${longestText} characters.`)
  return description || null
}

const overtaken = () =>
  conflict(
    'Somebody has changed subject or description since you opened this page. Your text is below: copy it, and reload the page.',
  )
