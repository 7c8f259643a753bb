import type { Entry } from '../../content/merge/entry.ts'
import { parse } from '../../content/parse.ts'
import { draftChangeRequest } from '../../editing/actions.ts'
import { prepareBatch } from '../../editing/prepare.ts'
import type { Change } from '../../editing/schema.ts'
import type { Html } from '../../http/html.ts'
import type { App } from '../../http/routes.ts'
import { pageData } from '../../pages/entry-data.ts'
import { drawPage, drawToWrite } from '../../workspace/reading/draw.ts'
import type { Written } from '../write.ts'

/** A page or a reusable content as it is drawn from a text that is not saved. */
export interface Drawn {
  title: string
  description: string | undefined
  body: Html | undefined
}

/**
 * Draws what saving a text would show, as members read it. It is refused in the same cases as saving would be, and
 * nothing is kept. The text is read in the context of the change request, by a user who may read all of it: what it
 * includes and names is what exists there.
 */
export async function drawDraft(app: App, written: Written, of: Entry, asked: Change): Promise<Drawn> {
  const { entry, body, content } = await draftOf(app, written, of, asked)
  // A reusable content also has a title, but nothing else of a page.
  const { title, description } = pageData(entry)
  return { title, description, body: await drawPage(app, content, entry, parse(body)) }
}

/**
 * Draws the same for the visual editor, from the whole text that the user typed and the part of it that they selected.
 */
export async function drawTyped(
  app: App,
  written: Written,
  of: Entry,
  asked: Change,
  { typed, chosen }: { typed: string; chosen: readonly [number, number] },
): Promise<Html> {
  const { entry, content } = await draftOf(app, written, of, asked)
  return drawToWrite(app, content, entry, parse(typed), chosen)
}

async function draftOf(app: App, { opened, head }: Written, { entry: id, kind }: Entry, asked: Change) {
  const { caller, access, path } = opened
  const { space, changeRequest } = access
  const prepared = await prepareBatch(app, [asked])
  const edit = { prepared, caller, store: app.store, url: app.url, requireHead: () => {} }
  const draft = await draftChangeRequest(app.db, space, changeRequest.id, edit)
  const entry = (await draft.find(id, kind))!
  return { entry, body: draft.written.get(id)!.body, content: { space, at: head, appUrl: `${app.url}${path}/` } }
}
