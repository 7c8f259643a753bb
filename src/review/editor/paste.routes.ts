import { fieldsOf } from '../../account/forms.ts'
import { requireSessionForm } from '../../account/who.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import type { Routes } from '../../http/routes.ts'
import { ImportFailure } from '../../imports/failure.ts'
import { PageReader } from '../../imports/reader/reading.ts'
import { takeLongForms } from './hand-back.ts'
import { changePath } from '../open.ts'
import { writing } from '../write.ts'

/** Word processors write ten times as much about the look of a text as there is text. */
export const mostPastedBytes = 2 * 1024 * 1024
/** Each request waits for those before it, and keeps its copied content in memory. */
const mostWaiting = 8

/**
 * Turns content that was copied from another program into Markdown: the script of the editor requests it on paste.
 * Without a script the plain text is inserted, and also if the request is refused.
 */
export const pastePages: Routes = async (app) => {
  takeLongForms(app, 3 * mostPastedBytes)
  const reader = new PageReader(null)
  // Closed before waiting for pending requests, each of which could take its time.
  app.addHook('preClose', async () => reader.close())
  let waiting = 0

  app.post(`${changePath}/~/pasted`, async (request, reply) =>
    writing(app, request, reply, requireSessionForm, async () => {
      const { html = '' } = fieldsOf(request)
      if (Buffer.byteLength(html) > mostPastedBytes)
        throw invalid('html', 'maxLength', `has more than ${mostPastedBytes} bytes`)
      if (waiting >= mostWaiting)
        throw new ApiError('rate_limited', 'Too many texts are being pasted at once. Try again in a moment.')
      waiting++
      try {
        const markdown = await reader.readPasted(html)
        return await reply
          .headers({ 'content-type': 'text/markdown; charset=utf-8', 'cache-control': 'private, no-store' })
          .send(markdown)
      } catch (error) {
        if (error instanceof ImportFailure) throw invalid('html', error.rule, error.message)
        throw error
      } finally {
        waiting--
      }
    }),
  )
}
