import { fieldsOf } from '../../account/forms.ts'
import { requireSessionForm } from '../../account/who.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import type { Routes } from '../../http/routes.ts'
import { ImportFailure } from '../../imports/failure.ts'
import { PageReader } from '../../imports/reader/reading.ts'
import { takeLongForms } from './hand-back.ts'
import { changePath } from '../open.ts'
import { writing } from '../write.ts'

/** Word processors say ten times as much about the look of a text as the text does. */
export const mostPastedBytes = 2 * 1024 * 1024
/** Each waits for those before it, with all that was copied in memory. */
const mostWaiting = 8

/**
 * What somebody copied from another program becomes Markdown: the script of the editor asks for it when they paste.
 * Without a script the plain text stands there, as it does where this is refused.
 */
export const pastePages: Routes = async (app) => {
  takeLongForms(app, 3 * mostPastedBytes)
  const reader = new PageReader(null)
  // Before those who wait are waited for: each could take its time.
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
