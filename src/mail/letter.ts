import { type Html, html } from '../http/html.ts'

/** The content of a mail, before it is formatted as text and HTML. */
export interface Letter {
  subject: string
  /** What happened, in one sentence. */
  lead: string
  /** Quoted texts of users. If there are several, each has a head line with the author. */
  quotes?: Quote[] | undefined
  /** A code that the reader types in. */
  code?: string
  link?: { label: string; url: string }
  /** Why the mail was sent, and what the reader can do about it. */
  notes: string[]
  /** The address that unsubscribes the reader with one click. */
  unsubscribe?: string
}

export interface Quote {
  head?: string | undefined
  text: string
}

export function asText({ lead, quotes = [], code, link, notes, unsubscribe }: Letter): string {
  const parts = [
    lead,
    code,
    ...quotes.map(({ head, text }) => [head, text && text.replace(/^/gm, '> ')].filter(Boolean).join('\n')),
    link && `${link.label}:\n${link.url}`,
    ['--', ...notes, ...(unsubscribe === undefined ? [] : [`Unsubscribe: ${unsubscribe}`])].join('\n'),
  ]
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`
}

/** Mail programs support little CSS, and only inline styles. They choose their own dark colours. */
export function asHtml({ subject, lead, quotes = [], code, link, notes, unsubscribe }: Letter): string {
  return String(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <meta name="color-scheme" content="light dark" />
          <title>${subject}</title>
        </head>
        <body
          style="margin:0;padding:24px 16px;font:16px/1.6 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif"
        >
          <div style="max-width:34rem;margin:0 auto">
            <p style="margin:0 0 20px">${lead}</p>
            ${
              code !== undefined &&
              html`<p
                style="margin:0 0 20px;font:600 30px/1.3 ui-monospace,Menlo,Consolas,monospace;letter-spacing:.12em"
              >
                ${code}
              </p>`
            }
            ${quotes.map(quoted)}
            ${
              link &&
              html`<p style="margin:0 0 24px">
                <a
                  href="${link.url}"
                  style="display:inline-block;padding:10px 18px;border-radius:8px;background:#1f4bbf;color:#fff;text-decoration:none;font-weight:600"
                  >${link.label}</a
                >
              </p>`
            }
            <div style="border-top:1px solid #8888;padding-top:12px;font-size:13px;opacity:.75">
              ${notes.map((note) => html`<p style="margin:0 0 6px">${note}</p>`)}
              ${
                unsubscribe !== undefined &&
                html`<p style="margin:0"><a href="${unsubscribe}" style="color:inherit">Unsubscribe</a></p>`
              }
            </div>
          </div>
        </body>
      </html>`,
  )
}

function quoted({ head, text }: Quote): Html {
  const lines = text.split('\n').map((line, at) => (at === 0 ? line : html`<br />${line}`))
  return html`${head && html`<p style="margin:0 0 ${text ? '6px' : '20px'};font-weight:600">${head}</p>`}
  ${
    text &&
    html`<blockquote style="margin:0 0 20px;padding:2px 0 2px 14px;border-left:3px solid #8888">${lines}</blockquote>`
  }`
}

/** Limit in characters. */
const mostQuoted = 600

/** Returns the beginning of a text, for a mail that links to the rest. */
export function excerptOf(markdown: string): string {
  const text = markdown.trim()
  const points = [...text]
  return points.length <= mostQuoted ? text : `${points.slice(0, mostQuoted).join('').trimEnd()}…`
}
