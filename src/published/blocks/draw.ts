import { type Block, type BlockOf, everyBlock } from '../../content/blocks.ts'
import { footnoteKey, footnotesAmong } from '../../content/blocks/footnote.ts'
import { withAddresses } from '../../content/html/addresses.ts'
import { findElements } from '../../content/html/find.ts'
import { readFragment } from '../../content/html/fragment.ts'
import { idPrefix, sanitize } from '../../content/html/sanitize.ts'
import { serialize } from '../../content/html/serialize.ts'
import { type Html, html } from '../../content/html/template.ts'
import { isSafeImage, isSafeLink } from '../../content/html/urls.ts'
import { anchorsOf, otherAnchorsOf } from '../../content/sections.ts'
import { drawFormula } from './formulas.ts'
import { Formulas } from './formulas-of-page.ts'
import { type Lines, highlight } from './highlight.ts'
import type { Icons } from '../icons/icons.ts'
import { wordsFor } from '../words/words.ts'
import { drawBlock } from './all.ts'
import type { Drawing, Surroundings } from './drawing.ts'
import { drawInlines, plainAddresses } from './text.ts'

export interface Drawn {
  article: Html
  needs: ReadonlySet<'diagrams' | 'math'>
}

/**
 * Draws the text of a page as readers see it, with its notes at the end. The blocks must have been evaluated before.
 */
export async function drawArticle(blocks: readonly Block[], surroundings: Surroundings, icons: Icons): Promise<Drawn> {
  const all = [...everyBlock(blocks)]
  const anchors = anchorsOf(all)
  const others = otherAnchorsOf(anchors)
  const ids = new Set([...anchors.values(), ...others.values()])
  const coloured = await colour(all)
  const formulas = await Formulas.of(blocks, (place) => place !== 'inline')
  const notes = new Map<string, number>()
  const needs = new Set<'diagrams' | 'math'>()
  let last = 0
  let level = 1
  let part: string | undefined
  const draw: Drawing = {
    ...surroundings,
    words: surroundings.words ?? wordsFor('en'),
    link(href) {
      const target = surroundings.link(href)
      return target && isSafeLink(target.href) ? target : undefined
    },
    image(src) {
      const picture = surroundings.image(src)
      return picture && isSafeImage(picture.src) ? picture : undefined
    },
    file(src) {
      const target = surroundings.file(src)
      return target && isSafeLink(target.href) ? target : undefined
    },
    blocks: (children) => html`${children.map((block) => drawBlock(block, draw))}`,
    inlines: (inlines) => drawInlines(inlines, draw),
    raw(source) {
      const tree = readFragment(source)
      withAddresses(tree, plainAddresses(draw))
      // The title of the page is its h1, so others become h2, as with headings in Markdown.
      for (const heading of findElements(tree, ['h1'])) heading.tagName = 'h2'
      return serialize(sanitize(tree, (id) => draw.place(id)).children)
    },
    // The ids of the frame begin with `~`: no heading may use one.
    anchor: (block) => anchors.get(block)?.replace(/^~/, `${idPrefix}~`),
    otherAnchor: (block) => others.get(block),
    place(id) {
      if (id.startsWith('~') || ids.has(id) || ofDocument.test(id)) return `${idPrefix}${id}`
      ids.add(id)
      return id
    },
    passed(next, title) {
      level = next
      part = title
    },
    partTitle: () => part,
    nextLevel: () => Math.min(level + 1, 6),
    code: (block) => coloured.get(block) ?? [],
    formula: (text, display) => drawFormula(formulas, text, display),
    icons,
    number: () => ++last,
    note(label) {
      const name = footnoteKey(label)
      const isFirst = !notes.has(name)
      if (isFirst) notes.set(name, notes.size + 1)
      return { number: notes.get(name)!, isFirst }
    },
    needs,
  }
  const article = draw.blocks(blocks)
  return { article: html`${article}${drawNotes(all, notes, draw)}`, needs }
}

/** Names that scripts may look up in `document`, which must not find an author's element. */
const ofDocument = /^(?:all|anchors|applets|children|embeds|forms|images|links|plugins|scripts)$/

async function colour(all: readonly Block[]): Promise<Map<Block, Lines>> {
  const code = all.filter((block): block is BlockOf<'code'> => block.type === 'code' && block.language !== 'mermaid')
  return new Map(
    await Promise.all(code.map(async (block) => [block, await highlight(block.text, block.language)] as const)),
  )
}

/** Draws the notes in the order of their first mention. A note that is not mentioned is not shown. */
function drawNotes(all: readonly Block[], notes: ReadonlyMap<string, number>, draw: Drawing): Html | undefined {
  const footnotes = footnotesAmong(all)
  const items: Html[] = []
  // A note may mention another one, which is then added after it.
  for (const [label, number] of notes) {
    const footnote = footnotes.get(label)
    if (!footnote) continue
    items.push(
      html`<li id="~note-${number}" value="${number}">
        ${draw.blocks(footnote.blocks)}
        <a class="note-back" href="#~from-note-${number}" aria-label="${draw.words.back}"
          >${draw.icons.draw('enter', 'flip')}</a
        >
      </li>`,
    )
  }
  if (items.length === 0) return undefined
  return html`<ol class="notes">
    ${items}
  </ol>`
}
