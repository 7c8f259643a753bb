import { hasWords } from '../../content/blocks/content-ref.ts'
import { type Html, attributes, html } from '../../content/html/template.ts'
import { percentDecoded } from '../../percent.ts'
import { sizeInWords } from '../../size-in-words.ts'
import { type IconName, iconNamed } from '../icons/icons.ts'
import { captionOf, linkText } from './containers.ts'
import { type DrawBlock, type Drawing, type Target, leadsTo } from './drawing.ts'

export const contentRef: DrawBlock<'content-ref'> = (block, draw) => {
  const target = draw.link(block.url)
  const title = target?.title ?? linkText(block.blocks) ?? block.url
  if (!target) return hasWords(block) ? html`<p>${title}</p>` : html``
  return reference(target, title, [target.description ?? hostOf(target)], draw)
}

function reference(
  target: Target,
  title: string | Html,
  below: readonly (string | null | undefined)[],
  draw: Drawing,
): Html {
  const icon: IconName = iconNamed(target.icon) ?? (target.external ? 'globe' : 'page')
  const lead = target.emoji === undefined ? draw.icons.draw(icon) : html`<span class="emoji">${target.emoji}</span>`
  const link = attributes({ class: 'block ref', ...leadsTo(target) })
  const lines = below.filter((line) => line !== undefined && line !== null && line !== '')
  return html`<a${link}><span class="lead-icon">${lead}</span><span><b>${title}</b>${lines.map(
    (line) => html`<small>${line}</small>`,
  )}</span>${target.external ? draw.icons.draw('out') : draw.icons.draw('arrow', 'flip')}</a>`
}

const hostOf = ({ href, external }: Target) =>
  external && URL.canParse(href) ? new URL(href).host.replace(/^www\./, '') : undefined

/** Never a frame: other sites may run code only on their own pages. */
export const embed: DrawBlock<'embed'> = (block, draw) => {
  const target = draw.link(block.url)
  if (!target) return html`<p>${block.url}</p>`
  const caption = captionOf(block.blocks, draw)
  const host = hostOf(target) ?? target.href
  const player = Object.keys(players).find((name) => host === name || host.endsWith(`.${name}`))
  const said = draw.embed?.(block.url)
  const title =
    caption ?? target.title ?? said?.title ?? (player === undefined ? titleOf(target.href) : players[player]!)
  // A site can call itself anything: its host comes first, and is never cut off.
  const named = said?.site && said.site.toLowerCase() !== host ? `${host} · ${said.site}` : host
  const place = said?.title || player !== undefined ? named : withoutScheme(target.href)
  // Nothing is loaded from the other site, so there is no picture, and a large card would be empty.
  if (player === undefined) return reference({ ...target, external: true }, title, [said?.description, place], draw)
  return html`<a${attributes({ class: 'block embed', ...leadsTo(target) })}>
    <span class="embed-art">${draw.icons.draw('play')}</span>
    <span class="embed-text">
      <b>${title}</b>
      <small>${draw.icons.draw('out')}${place}</small>
    </span>
  </a>`
}

/** Their addresses say nothing to readers: `/watch`. */
const players: Record<string, string> = {
  'youtube.com': 'YouTube',
  'youtu.be': 'YouTube',
  'vimeo.com': 'Vimeo',
  'loom.com': 'Loom',
  'wistia.com': 'Wistia',
}

/** The last part of an address is better than no title. */
function titleOf(href: string): string {
  if (!URL.canParse(href)) return href
  const { host, pathname } = new URL(href)
  const last = pathname.split('/').findLast((part) => part !== '')
  return last === undefined ? host : (percentDecoded(last) ?? last)
}

function withoutScheme(href: string): string {
  if (!URL.canParse(href)) return href
  const { host, pathname } = new URL(href)
  return host.replace(/^www\./, '') + (percentDecoded(pathname) ?? pathname).replace(/\/$/, '')
}

export const file: DrawBlock<'file'> = (block, draw) => {
  const found = draw.file(block.src)
  const name = block.name ?? found?.name ?? block.src
  if (!found) return html`<p>${name}</p>`
  const extension = /\.([a-z0-9]{1,4})$/i.exec(found.name)?.[1]?.toUpperCase()
  const caption = captionOf(block.blocks, draw)
  const lead = extension === undefined ? draw.icons.draw('page') : html`<span class="ext">${extension}</span>`
  return html`<a class="block ref" href="${found.href}" download
    ><span class="lead-icon">${lead}</span
    ><span><b>${name}</b><small>${caption ?? (found.size === undefined ? '' : sizeInWords(found.size))}</small></span
    >${draw.icons.draw('down')}</a
  >`
}

/** Used as long as there is no specification to draw it from: shows what it is, and where it is described. */
export const openapi: DrawBlock<'openapi'> = (block, draw) =>
  operation(block.method, block.path, block.src === undefined ? undefined : draw.link(block.src), draw)

export const openapiOperation: DrawBlock<'openapi-operation'> = (block, draw) =>
  operation(block.method, block.path, undefined, draw)

export const openapiWebhook: DrawBlock<'openapi-webhook'> = (block, draw) =>
  operation(block.method, block.name, undefined, draw)

export const openapiSchemas: DrawBlock<'openapi-schemas'> = (block) => html`<p>${block.schemas ?? block.spec ?? ''}</p>`

function operation(
  method: string | undefined,
  path: string | undefined,
  target: Target | undefined,
  draw: Drawing,
): Html {
  const title = [method?.toUpperCase(), path].filter((part) => part !== undefined).join(' ') || 'API operation'
  return target
    ? reference({ ...target, icon: 'code' }, title, [hostOf(target)], draw)
    : html`<p><code>${title}</code></p>`
}
