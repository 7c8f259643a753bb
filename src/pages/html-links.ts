import type { Block } from '../content/blocks.ts'
import type { Entry } from '../content/merge/entry.ts'
import { type HtmlOptions, toHtml } from '../content/to-html.ts'
import { downloadUrl } from '../files/download.ts'
import type { App } from '../http/routes.ts'
import { findMadePages, isMade, madeTarget } from '../links/made.ts'
import { type Meaning, meaningOf } from '../links/meaning.ts'
import { settle } from '../links/settle.ts'
import { file, listWithAncestors, page, reusable } from '../revisions/entries.ts'
import type { Content } from './access.ts'
import { type Refs, refsOf } from './entry-data.ts'
import { partsOf } from './references.ts'
import { PageTree } from './tree.ts'

type Look = Pick<HtmlOptions, 'image' | 'unloaded' | 'formula'>

type Where = Pick<Content, 'at' | 'shown' | 'space' | 'appUrl'>

/**
 * Returns HTML with resolved links: to pages as the authors' app shows them, and to files at their download address.
 * Links that lead nowhere, or into another space, are left as written.
 */
export async function writeHtml(
  app: App,
  content: Where,
  entry: Entry,
  blocks: readonly Block[],
  look: Look = {},
): Promise<string> {
  return toHtml(blocks, await leading(app, content, entry, blocks, look))
}

/** Returns the options to draw these blocks with resolved links. */
export async function leading(
  app: App,
  content: Where,
  entry: Entry,
  blocks: readonly Block[],
  { image = (address) => address, unloaded, formula }: Look,
): Promise<HtmlOptions> {
  const addresses = await findAddresses(app, content, entry, addressesIn(blocks))
  const resolve = (href: string) => addresses.get(href) ?? href
  return { link: resolve, image: (href) => image(resolve(href)), unloaded, formula }
}

/** Collects every address that drawing the blocks produces, wherever it occurs. */
function addressesIn(blocks: readonly Block[]): string[] {
  const found = new Set<string>()
  const note: NonNullable<HtmlOptions['link']> = (href) => {
    found.add(href)
    return href
  }
  toHtml(blocks, { link: note, image: note })
  return [...found]
}

async function findAddresses(app: App, content: Where, entry: Entry, hrefs: string[]): Promise<Map<string, string>> {
  const { at, shown, space } = content
  const refs = await refsFor(app, content, entry, hrefs)
  const asked = hrefs.flatMap((href) => {
    const meaning = meaningIn(content, { ...entry, refs }, href)
    return meaning?.to === 'content' && meaning.space === undefined ? [{ href, meaning: withoutAnchor(meaning) }] : []
  })
  const settled = await settle(
    app.db,
    { at },
    asked.map(({ meaning }) => meaning),
  )
  const made = settled.some(({ status }) => status === 'broken') ? await findMadePages(app, at) : undefined
  const targets = settled.map(({ status, targetSpace: target_space, target, wanted }) =>
    status === 'ok' ? target : madeTarget(made, { target_space, target, wanted }),
  )
  const found = PageTree.of(await listWithAncestors(app.db, at, [...new Set(targets.filter((id) => id != null))]))
  const addressOf = (id: string, href: string) => {
    const tree = made && isMade(made, id) ? made.tree : found
    const target = tree.byId.get(id)
    if (target?.kind === file) return downloadUrl(app, space.id, target)
    if (target?.kind !== page || (shown && !shown.tree.byId.has(id))) return undefined
    const { anchor } = partsOf(href)
    return content.appUrl + encodeURI(tree.pathOf(target)) + (anchor ? `#${anchor}` : '')
  }
  return new Map(
    asked.flatMap(({ href }, i) => {
      const target = targets[i]
      const address = target ? addressOf(target, href) : undefined
      return address === undefined ? [] : [[href, address] as const]
    }),
  )
}

/** Content inserted in place of an include has its own refs. */
async function refsFor(app: App, content: Where, entry: Entry, hrefs: string[]): Promise<Refs> {
  const isStrange = (href: string) => meaningIn(content, entry, href)?.to === 'nowhere'
  const contents = hrefs.some(isStrange) ? await app.content.entries(content.at, reusable) : []
  return Object.assign({}, ...contents.map(refsOf), refsOf(entry)) as Refs
}

function meaningIn({ space }: Where, entry: Entry, href: string): Meaning | undefined {
  return href.startsWith('#') ? undefined : meaningOf({ spaceId: space.id, entry }, href, 'reference')
}

/** Links are resolved even if the anchor does not exist: the top of the page is better than nothing. */
function withoutAnchor({ anchor: _anchor, ...meaning }: Extract<Meaning, { to: 'content' }>): Meaning {
  return meaning
}
