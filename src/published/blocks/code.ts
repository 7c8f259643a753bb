import type { BlockOf } from '../../content/blocks.ts'
import { type Html, attributes, html } from '../../content/html/template.ts'
import type { Token } from './highlight.ts'
import { fill } from '../words/words.ts'
import type { DrawBlock, Drawing } from './drawing.ts'

export const code: DrawBlock<'code'> = (block, draw) => {
  if (block.language === 'mermaid') return diagram(block, draw)
  const { title, language } = block
  const marked = markedLines(block.meta)
  const isDiff = language === 'diff'
  const lines = draw
    .code(block)
    .map((tokens, index) => line(tokens, marked.has(index + 1) ? 'hl' : isDiff ? sideOf(tokens) : undefined))
  const look = [block.lineNumbers && 'numbered', block.overflow === 'wrap' && 'wrapped'].filter(Boolean).join(' ')
  const label = `${draw.words.code}${language === undefined ? '' : `, ${language}`}`
  const pre = attributes({ tabindex: 0, role: 'group', 'aria-label': title ?? label, class: look || undefined })
  const body = html`<pre${pre}><code>${lines}</code></pre>`
  const copy = copyButton(draw, draw.words.copyCode)
  const more = block.expandable && lines.length > longestFolded && drawMore(lines.length, draw)
  if (title === undefined) return html`<div class="block code">${copy}${body}${more}</div>`
  return html`<div class="block code">
    <div class="code-head">
      ${draw.icons.draw('page')}<b dir="auto">${title}</b>${
        language !== undefined && html`<span class="lang">${languageName(language)}</span>`
      }${copy}
    </div>
    ${body}${more}
  </div>`
}

/** The style sheet folds code after ten lines. A few more lines are not worth a button. */
const longestFolded = 13

/**
 * Placed after its code: while it is unchecked, only the first lines are shown. It needs no script, and printed pages
 * show all lines.
 */
function drawMore(lines: number, { words, icons }: Drawing): Html {
  return html`<label class="code-more"
    ><input type="checkbox" class="sr" /><span>${fill(words.showLines, lines)}</span
    ><span>${words.showFewer}</span>${icons.draw('chev')}</label
  >`
}

/** Copies the given text, or the code next to it. */
export function copyButton(draw: Drawing, label: string, text = ''): Html {
  return html`<button type="button" class="copy js-only" data-copy="${text}" aria-label="${label}">
    ${draw.icons.draw('copy', 'todo')}${draw.icons.draw('check', 'done')}
  </button>`
}

/** Each line is followed by its line break, so that it is copied along. */
function line(tokens: readonly Token[], mark: string | undefined): Html {
  const text = tokens.map((token) =>
    token.class === undefined ? html`${token.text}` : html`<span class="${token.class}">${token.text}</span>`,
  )
  return html`<span class="${mark === undefined ? 'line' : `line ${mark}`}">${text}</span>${'\n'}`
}

function sideOf(tokens: readonly Token[]): string | undefined {
  const first = tokens.map(({ text }) => text).join('')
  // The lines that name the compared files are neither added nor removed.
  if (/^(?:\+\+\+|---) /.test(first)) return undefined
  return first.startsWith('+') ? 'add' : first.startsWith('-') ? 'del' : undefined
}

/** Reads the numbers of marked lines, as in ` ```js {2,4-6} `. */
function markedLines(meta: string | undefined): Set<number> {
  const marked = new Set<number>()
  for (const part of (/\{([\d,\s-]{1,200})\}/.exec(meta ?? '')?.[1] ?? '').split(',')) {
    const [, from, to = from] = /^\s*(\d{1,5})(?:\s*-\s*(\d{1,5}))?\s*$/.exec(part) ?? []
    for (let number = Number(from); number <= Number(to); number++) marked.add(number)
  }
  return marked
}

const names: Record<string, string> = {
  js: 'JavaScript',
  javascript: 'JavaScript',
  ts: 'TypeScript',
  typescript: 'TypeScript',
  py: 'Python',
  rb: 'Ruby',
  sh: 'Shell',
  bash: 'Shell',
  yml: 'YAML',
  yaml: 'YAML',
  json: 'JSON',
  html: 'HTML',
  css: 'CSS',
  sql: 'SQL',
  xml: 'XML',
  csharp: 'C#',
  cpp: 'C++',
  php: 'PHP',
  md: 'Markdown',
}

const languageName = (language: string) =>
  Object.hasOwn(names, language) ? names[language]! : language.charAt(0).toUpperCase() + language.slice(1)

/** A diagram is drawn in the browser. Without script, its source is shown. */
function diagram({ text, title }: BlockOf<'code'>, draw: Drawing): Html {
  draw.needs.add('diagrams')
  const part = draw.partTitle()
  const { diagram } = draw.words
  const label = titleInside(text) ?? title ?? (part === undefined || part === '' ? diagram : `${diagram}: ${part}`)
  return html`<figure class="figure diagram" data-diagram="${label}">
    <pre><code>${text}</code></pre>
    ${title !== undefined && html`<figcaption>${title}</figcaption>`}
  </figure>`
}

/**
 * Returns the title in the source of a diagram: the one for readers who cannot see it, the one in its first lines, or
 * the title of its kind.
 */
function titleInside(source: string): string | undefined {
  const start = source.slice(0, 2_000)
  const own =
    /^[ \t]*accTitle[ \t]*:(.*)$/m.exec(start) ??
    /^---\n(?:(?!---).*\n)*?title:(.*)\n/.exec(start) ??
    /^[ \t]*(?:pie[ \t]+(?:showData[ \t]+)?)?title(?:[ \t]*:|[ \t])(.*)$/m.exec(start)
  const title = own?.[1]?.trim().replace(/^(["'])(.*)\1$/, '$2')
  return title === '' ? undefined : title
}

export const math: DrawBlock<'math'> = (block, draw) => drawMath(block.text, draw)

export function drawMath(formula: string, draw: Drawing): Html {
  draw.needs.add('math')
  return html`<div class="block math scroll" tabindex="0" role="group" aria-label="${draw.words.formula}">
    ${draw.formula(formula, true)}
  </div>`
}
