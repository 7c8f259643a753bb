import { type Block, childBlocks, everyBlock } from '../../content/blocks.ts'
import { drawElement } from '../../content/html/draw-element.ts'
import { type Html, attributes, html } from '../../content/html/template.ts'
import { isBlank, plainText } from '../../content/inlines/text.ts'
import { slug } from '../../content/sections.ts'
import { iconNamed } from '../icons/icons.ts'
import { dayIn } from '../words/words.ts'
import { copyButton } from './code.ts'
import type { DrawBlock, Drawing } from './drawing.ts'
import { plainAddresses } from './text.ts'
import { unlinked } from './unlinked.ts'

export const hint: DrawBlock<'hint'> = (block, draw) => {
  const icon = iconNamed(block.icon) ?? block.style
  return html`<div class="block hint" data-tone="${block.style}" role="note">
    ${draw.icons.draw(icon)}
    <div class="flow">${block.title && html`<p class="hint-title">${block.title}</p>`}${draw.blocks(block.blocks)}</div>
  </div>`
}

/** Without script, all panels are shown, each with its title. Tabs with the same titles change together. */
export const tabs: DrawBlock<'tabs'> = (block, draw) => {
  const all = block.blocks.filter((each) => each.type === 'tab')
  if (all.length === 0) return draw.blocks(block.blocks)
  const id = `~tabs${draw.number()}`
  const sync = all.map(({ title }) => slug(title)).join(' ')
  const buttons = all.map((tab, index) => {
    const icon = iconNamed(tab.icon)
    const state = attributes({
      id: `${id}-t${index}`,
      'aria-controls': `${id}-p${index}`,
      'aria-selected': index === 0 ? 'true' : 'false',
      tabindex: index === 0 ? undefined : -1,
    })
    return html`<button type="button" role="tab" ${state}>${icon && draw.icons.draw(icon)}${tab.title}</button>`
  })
  const panels = all.map((tab, index) => {
    const state = attributes({
      id: `${id}-p${index}`,
      'aria-labelledby': `${id}-t${index}`,
      'data-on': index === 0,
    })
    return html`<div class="panel flow" role="tabpanel" ${state}>
      <p class="panel-title">${tab.title}</p>
      ${draw.blocks(tab.blocks)}
    </div>`
  })
  return html`<div class="block tabs">
    <div class="tablist js-only" role="tablist" aria-label="${draw.words.tabs}" data-sync="${sync}">${buttons}</div>
    ${panels}
  </div>`
}

/** A tab on its own: its author forgot the surrounding block. */
export const tab: DrawBlock<'tab'> = (block, draw) =>
  html`<div class="panel flow" data-on>
    <p class="panel-title">${block.title}</p>
    ${draw.blocks(block.blocks)}
  </div>`

export const stepper: DrawBlock<'stepper'> = (block, draw) =>
  html`<ol class="block steps" role="list">
    ${draw.blocks(block.blocks)}
  </ol>`

export const step: DrawBlock<'step'> = (block, draw) => html`<li class="step flow">${draw.blocks(block.blocks)}</li>`

/** Without a label, a fold gets the one that browsers use, in the language of the page. */
export const details: DrawBlock<'details'> = (block, draw) => {
  const label = isBlank(block.summary) ? draw.words.details : draw.inlines(block.summary)
  return html`<details class="fold" ${attributes({ open: block.open })}>
    <summary>${draw.icons.draw('chev', 'flip')}<span>${label}</span></summary>
    <div class="flow">${draw.blocks(block.blocks)}</div>
  </details>`
}

export const columns: DrawBlock<'columns'> = (block, draw) => {
  const widths = block.blocks.map((each) => (each.type === 'column' ? Number.parseFloat(each.width ?? '') : Number.NaN))
  const [first = Number.NaN, second = Number.NaN] = widths
  // If only one of two columns has a width, the other one gets the rest.
  const [left, right] = [Number.isNaN(first) ? 100 - second : first, Number.isNaN(second) ? 100 - first : second]
  const uneven = widths.length === 2 && Math.abs(left - right) > 20
  const look = uneven ? (left < right ? 'columns thirds' : 'columns thirds reverse') : 'columns'
  return html`<div class="${look}">${draw.blocks(block.blocks)}</div>`
}

export const column: DrawBlock<'column'> = (block, draw) => {
  const align = block.valign === 'middle' || block.valign === 'bottom' ? block.valign : undefined
  return html`<div class="flow" ${attributes({ 'data-align': align })}>${draw.blocks(block.blocks)}</div>`
}

export const updates: DrawBlock<'updates'> = (block, draw) => draw.blocks(block.blocks)

export const update: DrawBlock<'update'> = (block, draw) => {
  const tags = (block.tags ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return html`<section class="update">
    <div class="update-when">
      ${block.date && whenOf(block.date, draw.language ?? 'en')}${tags.map((name) => html`<span class="tag" data-tone="plain">${name}</span>`)}
    </div>
    <div class="flow">${draw.blocks(block.blocks)}</div>
  </section>`
}

function whenOf(date: string, language: string): Html {
  const time = Date.parse(date)
  if (Number.isNaN(time)) return html`<span>${date}</span>`
  const day = new Date(time)
  return html`<time datetime="${day.toISOString().slice(0, 10)}">${dayIn(language, day, 'short')}</time>`
}

/** A text that readers can copy for an assistant. */
export const prompt: DrawBlock<'prompt'> = (block, draw) => {
  const title = block.description ?? draw.words.prompt
  const open = block.others?.defaultExpanded === 'full'
  // The button is beside the summary and not in it: a button in a button is not accessible to everyone.
  return html`<div class="block prompt">
    <details class="fold" ${attributes({ open })}>
      <summary>
        ${draw.icons.draw('chev', 'flip')}<span>${draw.icons.draw(iconNamed(block.icon) ?? 'spark')}${title}</span>
      </summary>
      <div class="flow">${draw.blocks(block.blocks)}</div>
    </details>
    ${copyButton(draw, draw.words.copyPrompt, textToTake(block.blocks))}
  </div>`
}

/** Returns the text for assistants: only the words, but with lists that still look like lists. */
function textToTake(blocks: readonly Block[], between = '\n\n'): string {
  return blocks
    .map((block) => {
      if (block.type === 'code') return block.text
      if ('inlines' in block && block.inlines !== undefined) return plainText(block.inlines)
      if (block.type === 'list-item') return `- ${textToTake(block.blocks, '\n').replaceAll('\n', '\n  ')}`
      return textToTake(childBlocks(block), block.type === 'list' ? '\n' : between)
    })
    .filter((text) => text !== '')
    .join(between)
}

export const element: DrawBlock<'element'> = (block, draw) => {
  // A paragraph cannot contain the blocks that Markdown puts into it.
  const name = block.name === 'p' || block.name === 'center' ? 'div' : block.name
  const given = block.name === 'center' ? { align: 'center', ...block.attributes } : block.attributes
  return drawElement(name, given, html`<div class="flow">${draw.blocks(block.blocks)}</div>`, plainAddresses(draw))
}

/** Returns the caption of a block that is a link as a whole, as one line of text. */
export function captionOf(blocks: readonly Block[], draw: Drawing): Html | undefined {
  const texts = [...everyBlock(blocks)].flatMap((block) =>
    'inlines' in block && block.inlines !== undefined ? [draw.inlines(unlinked(block.inlines))] : [],
  )
  return texts.length === 0 ? undefined : html`${texts.map((text, index) => html`${index > 0 && ' '}${text}`)}`
}

/** Returns the words of the link inside of a block. */
export function linkText(blocks: readonly Block[]): string | undefined {
  const [first] = blocks
  const text = first?.type === 'paragraph' ? plainText(first.inlines).trim() : ''
  return text === '' ? undefined : text
}
