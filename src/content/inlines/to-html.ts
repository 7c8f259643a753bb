import { footnoteKey } from '../blocks/footnote.ts'
import type { HtmlWriter } from '../blocks/kind.ts'
import { drawElement } from '../html/draw-element.ts'
import { idPrefix } from '../html/sanitize.ts'
import { attributes, html, trusted, type Html } from '../html/template.ts'
import type { Inline } from '../inlines.ts'
import { markTags } from '../markdown/write-inline-html.ts'
import { drawImage } from './image.ts'

export function drawInlines(inlines: readonly Inline[], draw: HtmlWriter, isInTable = false): Html {
  return html`${inlines.map((inline) => drawInline(inline, draw, isInTable))}`
}

/** `isInTable`: within a table that is itself in running text, such as in the cell of another table. */
function drawInline(inline: Inline, draw: HtmlWriter, isInTable: boolean): Html {
  switch (inline.type) {
    case 'text':
    case 'emoji':
      return html`${inline.text}`
    case 'code':
      return html`<code>${inline.text}</code>`
    case 'math':
      return html`<span class="math">${draw.formula?.(inline.text, false) ?? inline.text}</span>`
    case 'expression':
      return html`<code class="expression">${inline.source}</code>`
    case 'break':
      return html`<br />`
    case 'link':
    case 'mention':
    case 'button':
      return drawLink(inline, draw)
    case 'image':
      return drawImage(inline, draw)
    case 'icon':
      return html`<i class="icon fa-${inline.name}" aria-hidden="true"></i>`
    case 'anchor':
      return html`<a id="${idPrefix}${inline.id}"></a>`
    case 'footnote-reference':
      return html`${draw.inlines(inline.inlines ?? [])}<sup
          ><a href="#footnote-${footnoteKey(inline.label)}" role="doc-noteref">${inline.label}</a></sup
        >`
    case 'color':
      return html`<mark>${draw.inlines(inline.inlines)}</mark>`
    case 'html':
      return html``
    case 'element': {
      const content = drawInlines(inline.inlines, draw, isInTable || inline.name === 'table')
      return drawElement(inline.name, inline.attributes, content, draw, isInTable)
    }
    default: {
      const tag = trusted(markTags[inline.type])
      return html`<${tag}>${draw.inlines(inline.inlines)}</${tag}>`
    }
  }
}

function drawLink(inline: Extract<Inline, { href: string }>, draw: HtmlWriter): Html {
  const content = draw.inlines(inline.inlines)
  const href = draw.link(inline.href)
  if (href === undefined) return inline.type === 'mention' && draw.unled ? draw.unled(inline) : content
  const style = inline.type === 'button' ? `button ${inline.kind}` : inline.type === 'mention' ? 'mention' : undefined
  return html`<a${attributes({ href, title: inline.type === 'link' ? inline.title : undefined, class: style })}>${content}</a>`
}
