import { type Content, type Html, html } from '../http/html.ts'
import { type IconName, type Place, layout, mark } from '../front/layout.ts'

/** A page with one thing on it. */
export function gate(
  place: Place,
  parts: { title: string; heading?: string; icons?: IconName[]; body: Content; note?: Content },
): Html {
  return layout({
    place,
    title: `${parts.title} · Lectern`,
    description: parts.title,
    kind: 'notice',
    icons: parts.icons ?? [],
    head: html`<meta name="robots" content="noindex" />`,
    body: html`<main id="content" class="plain">
      <div class="gate">
        <div class="gate-card">
          <a class="gate-home" href="${place.link('/')}" aria-label="Lectern">${mark}</a>
          <h1>${parts.heading ?? parts.title}</h1>
          ${parts.body}
        </div>
        ${parts.note !== undefined && html`<p class="gate-note">${parts.note}</p>`}
      </div>
    </main>`,
  })
}

/** Hidden fields, of those that have a value. */
export function hidden(fields: Record<string, string | undefined>): Html[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}" />`],
  )
}

export function note(tone: 'success' | 'danger' | 'info', text: Content): Html {
  return html`<p class="say" data-tone="${tone}" role="${tone === 'danger' ? 'alert' : 'status'}">${text}</p>`
}

/** A form that is one button. */
export function buttonForm(
  place: Place,
  form: { action: string; fields: Record<string, string | undefined>; label: Content; name?: string; look?: string },
): Html {
  return html`<form method="post" action="${place.link(form.action)}">
    ${hidden(form.fields)}
    <button class="btn ${form.look ?? ''}" ${form.name !== undefined && html` aria-label="${form.name}"`}>
      ${form.label}
    </button>
  </form>`
}

/** A time of the database, which a browser shows the same way everywhere. */
export function day(time: Date): Html {
  const text = time.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
  return html`<time datetime="${time.toISOString()}">${text}</time>`
}
