import { type Html, attributes, html } from '../../content/html/template.ts'
import { type Token, highlight } from '../../published/blocks/highlight.ts'
import type { Icons } from '../../published/icons/icons.ts'

/** `id` is a prefix that makes the ids of a block unique on the page. */
export interface Numbered {
  id: string
}

export interface Panel {
  title: Html | string
  /** The name for screen readers. */
  label: string
  code: string
  language: string
  /** A part of the code that readers can replace. */
  base?: string
}

/** Draws code in tabs. Without JavaScript, all panels are shown, each with its title. */
export async function drawPanels(
  panels: readonly Panel[],
  { id, label, copy, sync }: Numbered & { label: string; copy: string; sync?: string },
  icons: Icons,
): Promise<Html | undefined> {
  if (panels.length === 0) return undefined
  const lines = await Promise.all(panels.map(({ code, language }) => highlight(code, language)))
  const tabs = panels.map(({ title }, at) => {
    const state = attributes({
      id: `${id}-t${at}`,
      'aria-controls': `${id}-p${at}`,
      'aria-selected': at === 0 ? 'true' : 'false',
      tabindex: at === 0 ? undefined : -1,
    })
    return html`<button type="button" role="tab" ${state}>${title}</button>`
  })
  const shown = panels.map(({ title, label, base }, at) => {
    const state = attributes({ id: `${id}-p${at}`, 'aria-labelledby': `${id}-t${at}`, 'data-on': at === 0 })
    const pre = attributes({ tabindex: 0, role: 'group', 'aria-label': label })
    return html`<div class="panel" role="tabpanel"${state}>
      <p class="panel-title">${title}</p>
      <pre${pre}><code>${lines[at]!.map((tokens) => drawLine(tokens, base))}</code></pre>
    </div>`
  })
  const list = attributes({ class: 'tablist', role: 'tablist', 'aria-label': label, 'data-sync': sync })
  return html`<div class="block code">
    <div class="code-head js-only"><div${list}>${tabs}</div>${copyButton(icons, copy)}</div>
    ${shown}
  </div>`
}

export function copyButton(icons: Icons, label: string): Html {
  return html`<button type="button" class="copy js-only" data-copy="" aria-label="${label}">
    ${icons.draw('copy', 'todo')}${icons.draw('check', 'done')}
  </button>`
}

/** The line break follows the line, so that it is copied, too. */
function drawLine(tokens: readonly Token[], base: string | undefined): Html {
  const text = tokens.map((token) => {
    const words = base === undefined ? html`${token.text}` : withBase(token.text, base)
    return token.class === undefined ? words : html`<span class="${token.class}">${words}</span>`
  })
  return html`<span class="line">${text}</span>${'\n'}`
}

function withBase(text: string, base: string): Html {
  const at = text.indexOf(base)
  if (at === -1) return html`${text}`
  return html`${text.slice(0, at)}<span data-base="">${base}</span>${text.slice(at + base.length)}`
}
