import { type Block, childBlocks, everyBlock } from '../../content/blocks.ts'
import { trusted } from '../../content/html/template.ts'
import type { InlineImage } from '../../content/inlines.ts'
import type { Entry } from '../../content/merge/entry.ts'
import type { Document } from '../../content/parse.ts'
import { picturesOfCards } from '../../content/visual/cards.ts'
import { drawWithCursor } from '../../content/visual/cursor.ts'
import { nameEmbeds, withEmbedsNamed } from '../../embeds/named.ts'
import { type Html, html } from '../../http/html.ts'
import type { App } from '../../http/routes.ts'
import type { Content } from '../../pages/access.ts'
import { pageData } from '../../pages/entry-data.ts'
import { evaluateFor } from '../../pages/evaluate.ts'
import { leading, writeHtml } from '../../pages/html-links.ts'
import { drawFormula } from '../../published/blocks/formulas.ts'
import { Formulas } from '../../published/blocks/formulas-of-page.ts'
import { page } from '../../revisions/entries.ts'

/**
 * Draws the text of a page or of a reusable content for members, including everything that its conditions show to only
 * some readers. Returns undefined if there is no text. `written` is a text that is not stored yet.
 */
export async function drawPage(
  app: App,
  content: Content,
  entry: Entry,
  written?: Document,
): Promise<Html | undefined> {
  if (entry.kind === page && pageData(entry).type !== 'document') return undefined
  const { at } = content
  const document = written ?? (await app.content.document(at.organizationId, entry.doc))
  const evaluated = await evaluateFor(app, at, entry, document, 'kept')
  const { blocks } = await withEmbedsNamed(app, at.organizationId, evaluated)
  const shown = withConditions(blocks)
  return html`${trusted(await writeHtml(app, content, entry, shown, await lookOf(app, shown)))}`
}

/** How many included contents are drawn. Beyond that, an author sees which content is included, but not its text. */
const mostIncluded = 20

/** Draws the same for visual editing. `chosen` is the range that the user selected in the source. */
export async function drawToWrite(
  app: App,
  content: Content,
  entry: Entry,
  document: Document,
  chosen: readonly [number, number],
): Promise<Html> {
  const included = new Map<Block, readonly Block[]>()
  for (const block of everyBlock(document.blocks)) {
    if (block.type !== 'include' || included.size === mostIncluded) continue
    const { blocks } = await evaluateFor(app, content.at, entry, { ...document, blocks: [block] }, 'kept')
    included.set(block, withConditions(blocks))
  }
  const drawn = [...document.blocks, ...[...included.values()].flat(), picturesOfCards(document.blocks)]
  const options = await leading(app, content, entry, drawn, await lookOf(app, drawn))
  const named = await nameEmbeds(app, content.at.organizationId, document.blocks)
  const shown = (block: Block) => included.get(block) ?? named.get(block) ?? [block]
  return drawWithCursor(document, chosen, { ...options, shown })
}

/**
 * Images from other hosts are not loaded, because the person who embedded one could learn who reads the page, and when.
 */
async function lookOf(app: App, blocks: readonly Block[]) {
  const formulas = await Formulas.of(blocks, (place) => place === 'block')
  return {
    image: (address: string) => (address.startsWith(`${app.url}/`) ? address : undefined),
    unloaded,
    formula: (text: string, isBlock: boolean) => drawFormula(formulas, text, isBlock),
  }
}

/**
 * What an author sees in place of an image that is not loaded. It should not look broken, because readers of a site
 * will see the image.
 */
function unloaded({ src, alt }: InlineImage): Html {
  const host = URL.canParse(src) ? new URL(src).host : ''
  const where = host === '' ? `there is no file ${src}` : `from ${host}, loaded for readers only`
  return html`<span class="unloaded">${alt === '' ? 'Picture' : alt} <small>(${where})</small></span>`
}

/** Turns conditional blocks into hints that show the content and the condition, for the people who work on it. */
const withConditions = (blocks: readonly Block[]): Block[] =>
  blocks.map((block) => {
    const inside = childBlocks(block)
    const shown = withConditions(inside)
    if (block.type === 'if')
      return { type: 'hint', style: 'info', title: `Only where ${block.expression}`, blocks: shown }
    return shown.every((each, at) => each === inside[at]) ? block : ({ ...block, blocks: shown } as Block)
  })
