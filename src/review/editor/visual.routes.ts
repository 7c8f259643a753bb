import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Fields, fieldsOf } from '../../account/forms.ts'
import { requireSessionForm } from '../../account/who.ts'
import { isTooDeep } from '../../content/html/fragment.ts'
import { parse } from '../../content/parse.ts'
import { framesOf } from '../../content/visual/draw.ts'
import { TooManyCopies } from '../../content/visual/read.ts'
import { writeVisual } from '../../content/visual/write.ts'
import { invalid } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { hasBothSides } from '../conflicts/conflicts.next.ts'
import { changePath } from '../open.ts'
import { type Written, writing } from '../write.ts'
import { drawTyped } from './draft.ts'
import { type TextKind, loadText, pageTexts, reusableTexts } from './edit.texts.ts'
import { takeLongForms } from './hand-back.ts'
import { type PageSettings, areReadable, settingsIn, unshowable, withSettings } from './settings.ts'

/** A text is converted at each pause of the editing user. Longer texts would take too long for that. */
const mostBytes = { text: 256 * 1024, markup: 1024 * 1024 }
const mostTags = 30_000

/**
 * For the script of the editor: converts a text to visually editable markup and the edited markup back to a text, and
 * reads and writes the settings in the text. Nothing is stored here; the text itself is saved as usual.
 */
export const visualPages: Routes = async (app) => {
  // A byte can take three in a form.
  takeLongForms(app, 3 * (mostBytes.text + mostBytes.markup))
  for (const texts of [pageTexts, reusableTexts]) visualOf(app, texts)

  app.post(`${changePath}/${pageTexts.folder}/:textId/visual/settings`, async (request, reply) =>
    writing(app, request, reply, requireSessionForm, async ({ head }) => {
      await loadText(app, pageTexts, head, (request.params as { textId: string }).textId)
      const fields = fieldsOf(request)
      const text = textIn(fields)
      refuseUnreadable(text)
      if (fields['title'] === undefined) return send(reply, { settings: settingsIn(text) })
      const asked = askedIn(fields)
      const cover = unshowable(text, asked)
      if (cover) throw invalid(cover, 'address', 'a cover has an address that begins with https://, or is uploaded')
      const now = withSettings(text, asked)
      refuseUnreadable(now)
      return send(reply, { text: now })
    }),
  )
}

function refuseUnreadable(text: string): void {
  if (!areReadable(text)) throw invalid('text', 'frontMatter', 'has settings that cannot be read: edit it as Markdown')
}

/** The settings that the user entered. Line ends of the browser become those of the text. */
const askedIn = ({ title = '', description = '', icon = '', emoji = '', ...more }: Fields): PageSettings => ({
  title: title.replace(/\s+/g, ' ').trim(),
  description: description.replace(/\r\n?/g, '\n').trim(),
  icon: icon.trim(),
  emoji: emoji.trim(),
  cover: (more['cover'] ?? '').trim(),
  coverDark: (more['coverDark'] ?? '').trim(),
  isCoverWide: more['isCoverWide'] === 'on',
  hidden: more['hidden'] === 'on',
  noIndex: more['noIndex'] === 'on',
  noRobotsIndex: more['noRobotsIndex'] === 'on',
  isWide: more['isWide'] === 'on',
  shown: (more['shown'] ?? '').split(' '),
})

function visualOf(app: App, texts: TextKind): void {
  const path = `${changePath}/${texts.folder}/:textId/visual`
  const load = ({ params }: FastifyRequest, head: Parameters<typeof loadText>[2]) =>
    loadText(app, texts, head, (params as { textId: string }).textId)

  app.post(path, async (request, reply) =>
    writing(app, request, reply, requireSessionForm, async (written) => {
      const fields = fieldsOf(request)
      const typed = textIn(fields)
      const { entry, source } = await load(request, written.head)
      await refuseTorn(app, written, entry.entry, typed)
      const asked = texts.changeOf(entry, { before: source, typed })
      const chosen = chosenIn(fields, typed)
      const markup = String(await drawTyped(app, written, entry, asked, { typed, chosen }))
      refuseEndless(markup, 'text')
      return send(reply, { markup })
    }),
  )

  app.post(`${path}/text`, async (request, reply) =>
    writing(app, request, reply, requireSessionForm, async ({ head }) => {
      await load(request, head)
      const fields = fieldsOf(request)
      const text = textFrom(textIn(fields), markupIn(fields))
      const places = [...framesOf(parse(text).blocks)].map(({ range, type }): Place => [type, range?.start, range?.end])
      return send(reply, { text, places })
    }),
  )
}

/**
 * In the visual editor, the conflict markers between both sides would be text like any other, and nobody would have
 * resolved the conflict.
 */
async function refuseTorn(app: App, { head }: Written, entry: string, text: string): Promise<void> {
  if (await hasBothSides(app, head, entry, text))
    throw invalid('text', 'conflict', 'contains both sides of a conflict: keep what you want in Markdown, and save')
}

/** Browsers send CRLF line ends. The offsets of a selection are counted with those that a script sees. */
function textIn({ text = '' }: Fields): string {
  if (Buffer.byteLength(text) > mostBytes.text)
    throw invalid('text', 'maxLength', `has more than ${mostBytes.text} bytes: edit it as Markdown`)
  return text.replace(/\r\n?/g, '\n')
}

function markupIn({ markup = '' }: Fields): string {
  refuseEndless(markup, 'markup')
  return markup
}

/** The drawn markup is later sent back. Checking it here keeps users from editing a page that is then refused. */
function refuseEndless(markup: string, field: 'text' | 'markup'): void {
  if (Buffer.byteLength(markup) > mostBytes.markup)
    throw invalid(field, 'maxLength', `has more than ${mostBytes.markup} bytes as it is seen: edit it as Markdown`)
  if (markup.split(/[<\n]/).length > mostTags)
    throw invalid(field, 'maxLength', `has more than ${mostTags} tags and lines as it is seen: edit it as Markdown`)
  if (isTooDeep(markup)) throw invalid(field, 'nesting', 'is nested too deep: edit it as Markdown')
}

function textFrom(text: string, markup: string): string {
  try {
    return writeVisual(parse(text), markup)
  } catch (error) {
    if (error instanceof TooManyCopies) throw invalid('markup', 'maxLength', 'has too many copies of large blocks')
    throw error
  }
}

/**
 * Returns the start and end of the selection in the text; the end of the text if the form contains no valid selection.
 */
function chosenIn({ from, to }: Fields, { length }: string): [number, number] {
  const place = (given: string | undefined) =>
    /^\d{1,9}$/.test(given ?? '') ? Math.min(Number(given), length) : length
  const [first, last] = [place(from), place(to)]
  return first <= last ? [first, last] : [length, length]
}

/** The type of a block, and its start and end in the text. */
type Place = [type: string, from: number | undefined, to: number | undefined]

type Answer = { markup: string } | { text: string; places?: Place[] } | { settings: PageSettings }

const send = (reply: FastifyReply, body: Answer) => reply.header('cache-control', 'private, no-store').send(body)
