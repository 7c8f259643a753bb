import type { Fields } from '../../../account/forms.ts'
import { hidden } from '../../../account/parts.ts'
import type { ApiError } from '../../../http/errors.ts'
import { type Html, type HtmlValue, html } from '../../../http/html.ts'
import type { Destinations } from '../../../sites/redirects/destinations.ts'
import type { NewDestination } from '../../../sites/redirects/schema.ts'
import type { ShownSpace } from '../../../sites/structure/structure.ts'
import { percentDecoded } from '../../../percent.ts'
import { naming } from '../../refusal.ts'

/** The contents of a form for a redirect, for a new one or an existing one. */
export interface TypedRedirect {
  source: string
  to: string
  space: string
  permanent: boolean
  capture: boolean
}

export const typedIn = ({ source = '', to = '', space = '', permanent, capture }: Fields): TypedRedirect => ({
  source: source.trim(),
  to: to.trim(),
  space,
  permanent: permanent === 'on',
  capture: capture === 'on',
})

export const destinationFrom = ({ to, space }: TypedRedirect): NewDestination =>
  isAddress(to) ? { kind: 'external', url: to } : { kind: 'path', spaceId: space, path: to }

export const isAddress = (to: string) => /^[a-z][a-z0-9+.-]*:/i.test(to)

/**
 * Converts what people type to a path. They may add or omit slashes, and type letters and signs as they appear in an
 * address.
 */
export const pathFrom = (typed: string) =>
  `/${typed.replace(/^\/+|(?<!\/)\/+$/g, '')}`
    .replace(/[^\u0021-\u007e]+/gu, encodeURIComponent)
    .replace(/[!$&'()+,:;=@]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** Returns a path as people would type it, if that results in the same path. */
export function asTyped(path: string): string {
  const text = percentDecoded(path) ?? path
  return text === text.trim() && pathFrom(text) === path ? text : path
}

/**
 * Puts an error into words. The API requires more of a path than users need to know, because the page takes care of it.
 */
export function inWords(error: ApiError, typed: TypedRedirect): string {
  const isNoPath = error.details?.some(({ path, rule }) => path === 'body.source' && rule === 'pattern')
  if (isNoPath) return 'Enter an old path such as /old/page, without ? or #. It may end with *.'
  return naming((path) => nameAt(path, typed))(error)
}

function nameAt(path: string, { to }: TypedRedirect): string | undefined {
  if (path === 'body.source') return 'The old path'
  if (path === 'body.destination.spaceId') return 'The space of that page'
  return path === 'body.destination.path' || path === 'body.destination.url' ? `“${to}”` : undefined
}

/** Lists each space once, even if it is in several sections. What readers find first comes first. */
export function spacesIn({ structure: { siteSpaces, sections, root } }: Destinations): ShownSpace[] {
  const first = (sections.find(({ isDefault }) => isDefault)?.siteSpaces ?? root).filter(
    (row) => row.isDefault && !row.isHidden,
  )
  const ids = new Set<string>()
  return [...first, ...siteSpaces].filter(({ space_id }) => !ids.has(space_id) && ids.add(space_id))
}

/** `isKept`: the target may be left empty, and then stays as it is. */
export function redirectFields(spaces: ShownSpace[], typed: TypedRedirect | undefined, isKept = false): Html {
  const isToSay = typed !== undefined && typed.source !== '' && typed.to === '' && !isKept
  return html`<div class="work-pair">
      <label class="field">
        <span>Old path</span>
        <input name="source" value="${typed?.source ?? ''}" placeholder="/old/page" autocomplete="off" required />
      </label>
      <label class="field">
        <span>Target: a page or an address</span>
        <input
          name="to"
          value="${typed?.to ?? ''}"
          placeholder="/new/page or https://"
          autocomplete="off"
          ${!isKept && html`required`}
          ${isToSay && html`autofocus`}
        />
      </label>
      ${inSpace(spaces, typed?.space)}
    </div>
    ${spaces.length > 1 && html`<p class="aside">Enter the path of a page within its space, without section and version.</p>`}
    <label class="choice">
      <input type="checkbox" name="permanent" value="on" ${typed?.permanent && html`checked`} />
      <span class="row-main">
        <span>Permanent</span>
        <span class="row-more">Browsers and search engines remember it and do not ask again.</span>
      </span>
    </label>
    <label class="choice">
      <input type="checkbox" name="capture" value="on" ${typed?.capture && html`checked`} />
      <span class="row-main">
        <span>Keep the part matched by <code>*</code></span>
        <span class="row-more">
          A <code>*</code> at the end of an old path matches anything: <code>/old/*</code> to <code>/new</code> then
          leads from <code>/old/a</code> to <code>/new/a</code>.
        </span>
      </span>
    </label>`
}

/** With only one space, there is nothing to choose. */
function inSpace(spaces: ShownSpace[], chosen: string | undefined): HtmlValue {
  if (spaces.length === 1) return hidden({ space: spaces[0]!.space_id })
  if (spaces.length === 0) return undefined
  return html`<label class="field">
    <span>Space of that page</span>
    <select name="space">
      ${spaces.map(
        ({ space_id, title, space_title }) =>
          html`<option value="${space_id}" ${space_id === chosen && html`selected`}>${title ?? space_title}</option>`,
      )}
    </select>
  </label>`
}
