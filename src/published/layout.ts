import { type Content, type Html, html, raw } from '../http/html.ts'
import { styles } from './styles.ts'

/** The frame of every page of a site. It needs no script. */
export function layout(parts: { title: string; language?: string | null; head?: Content; body: Content }): Html {
  return html`<!doctype html>
    <html lang="${parts.language ?? 'en'}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${parts.title}</title>
        ${parts.head}
        <style>
          ${raw(styles)}
        </style>
      </head>
      <body>
        ${parts.body}
      </body>
    </html>`
}
