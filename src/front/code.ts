import { trusted } from '../content/html/template.ts'
import { type Html, type HtmlValue, html } from '../http/html.ts'

/**
 * Code in a box. Inside, <b> is a name, <i> a string and <u> another constant. The tags are short because a page with
 * hundreds of samples contains each of them some ten thousand times. The copy button is added by the script, since it
 * does not work without one.
 */
export function codeBlock(label: HtmlValue, code: Html): Html {
  return html`<div class="code">
    <div class="code-head">${label}</div>
    <pre><code>${code}</code></pre>
  </div>`
}

export function jsonBlock(label: HtmlValue, value: unknown): Html {
  return codeBlock(label, highlightJson(JSON.stringify(value, null, 2)))
}

/** Highlights the commands, options, comments and quoted strings of a shell. */
export function highlightShell(text: string): Html {
  return highlight(
    text,
    /(?<comment>^#.*$)|(?<string>"[^"]*"|'[^']*')|(?<name>^(?:curl|export) )|(?<constant>(?<= )--[\w-]+)/gm,
  )
}

function highlightJson(text: string): Html {
  return highlight(
    text,
    /(?<name>"(?:[^"\\]|\\.)*"(?=: ))|(?<string>"(?:[^"\\]|\\.)*")|(?<constant>\b(?:true|false|null|-?\d+(?:\.\d+)?)\b)/g,
  )
}

const tags = { comment: 's', name: 'b', string: 'i', constant: 'u' } as const

function highlight(text: string, tokens: RegExp): Html {
  const pieces: HtmlValue[] = []
  let end = 0
  for (const match of text.matchAll(tokens)) {
    const kind = Object.keys(tags).find((name) => match.groups?.[name] !== undefined) as keyof typeof tags
    const tag = trusted(tags[kind])
    pieces.push(text.slice(end, match.index), html`<${tag}>${breakable(match[0])}</${tag}>`)
    end = match.index + match[0].length
  }
  return html`${pieces}${text.slice(end)}`
}

/** A long address may wrap after any of its slashes. */
function breakable(text: string): HtmlValue {
  return text.split(/(?<=[^/]\/)(?=[^/])/).map((part, at) => (at === 0 ? part : html`<wbr />${part}`))
}
