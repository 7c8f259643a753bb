import { readFrontMatter } from '../../content/page/front-matter.ts'
import { storable } from '../../db/storable.ts'
import { readSmallYaml } from '../../git/layout/config.ts'
import type { MenuItem } from '../html/navigation.ts'
import { titleOf } from '../names.ts'
import { asObject } from '../../objects.ts'
import { folderOf } from './kinds.ts'

/** Metadata of a page or a folder, as documentation of other tools declares it. */
export interface Said {
  title?: string
  /** The position among its siblings. Items that have one come first. */
  position?: number
}

/** The title of the parent page, and of the page above that (Jekyll). */
export interface Above {
  title: string
  below?: string
}

/** Reads the front matter of a Markdown file, with the keys of Docusaurus, Starlight, Hugo and Jekyll. */
export function readSaid(
  text: string,
): Said & { above?: Above; address?: string; isDraft: boolean; isUnlisted: boolean } {
  const values = readFrontMatter(text)?.values ?? {}
  const sidebar = asObject(values['sidebar'])
  const { parent, grand_parent: grandParent } = values
  const title = [values['sidebar_label'], sidebar['label'], values['linkTitle']].find(isWords)
  const position = [values['sidebar_position'], sidebar['order'], values['nav_order'], values['weight']].find(isNumber)
  const address = [values['slug'], values['permalink'], values['url']].find(isPath)
  return {
    ...(title !== undefined && { title }),
    ...(position !== undefined && { position }),
    ...(isWords(parent) && { above: { title: parent, ...(isWords(grandParent) && { below: grandParent }) } }),
    ...(address !== undefined && { address }),
    isDraft: values['draft'] === true || values['published'] === false,
    isUnlisted: values['unlisted'] === true || values['nav_exclude'] === true || sidebar['hidden'] === true,
  }
}

/** `_category_.json` or `.yml` of a folder (Docusaurus). */
export const isCategory = (path: string) => /(^|\/)_category_\.(json|ya?ml)$/.test(path)

export function readCategory(text: string): Said {
  const { label, position } = readSmallYaml(text) ?? {}
  return { ...(isWords(label) && { title: label }), ...(isNumber(position) && { position }) }
}

/** The settings of MkDocs, at the top of an archive. */
export const isMkdocs = (path: string) => /^([^/]+\/)?mkdocs\.ya?ml$/.test(path)

/**
 * Returns the menu in the settings of MkDocs, or undefined if there is none. Only the parts that are needed are parsed,
 * because others contain more than plain YAML.
 */
export function menuOfMkdocs(text: string, addressOf: (path: string) => string): MenuItem[] | undefined {
  const part = (name: string) =>
    new RegExp(`^${name}:.*(?:\\n(?:[ \\t#-].*)?)*`, 'm').exec(text.replaceAll('\r', ''))?.[0]
  const folder = readSmallYaml(part('docs_dir') ?? '')?.['docs_dir']
  const nav = readSmallYaml(part('nav') ?? '')?.['nav']
  const root = typeof folder === 'string' ? folder.replace(/^\.?\/|\/$/g, '') : 'docs'
  return Array.isArray(nav) ? nav.flatMap((item) => itemsOf(item, (path) => addressOf(`${root}/${path}`))) : undefined
}

function itemsOf(item: unknown, addressOf: (path: string) => string): MenuItem[] {
  if (typeof item === 'string') return [leaf(calledBy(item), item, addressOf)]
  return Object.entries(asObject(item)).map(([title, value]) => {
    if (typeof value === 'string') return leaf(title, value, addressOf)
    return { title, items: Array.isArray(value) ? value.flatMap((each) => itemsOf(each, addressOf)) : [] }
  })
}

/** The title of an entry that is listed without one. */
const calledBy = (to: string) => (isElsewhere(to) ? to : titleOf(to.split('/').at(-1)!))

const isElsewhere = (to: string) => /^[a-z][a-z0-9+.-]*:/i.test(to)

const leaf = (title: string, to: string, addressOf: (path: string) => string): MenuItem =>
  isElsewhere(to) ? { title, link: to, items: [] } : { title, url: addressOf(to), items: [] }

/** The settings of Mintlify, at the top of an archive. */
export const isMintlify = (path: string) => /^([^/]+\/)?(docs|mint)\.json$/.test(path)

const names = ['group', 'tab', 'anchor', 'dropdown', 'version', 'language', 'product', 'item']
const lists = ['pages', 'groups', 'tabs', 'anchors', 'dropdowns', 'versions', 'languages', 'products', 'menu']
const deepest = 12

/** Returns the menu in the settings of Mintlify, or undefined if the file is something else. */
export function menuOfMintlify(text: string, addressOf: (path: string) => string): MenuItem[] | undefined {
  const { navigation } = readJson(text)
  const itemsIn = (part: unknown, depth: number): MenuItem[] => {
    if (depth > deepest) return []
    if (Array.isArray(part)) return part.flatMap((each) => itemsIn(each, depth + 1))
    // An operation of an API is not a file.
    if (typeof part === 'string')
      return /^[A-Z]+ /.test(part) ? [] : [leaf(calledBy(part), part.replace(/^\/+/, ''), addressOf)]
    const said = asObject(part)
    const title = names.map((name) => said[name]).find(isWords)
    const items = lists.flatMap((list) => itemsIn(said[list] ?? [], depth + 1))
    if (title === undefined) return items
    return items.length === 0 && isWords(said['href']) ? [{ title, link: said['href'], items }] : [{ title, items }]
  }
  return navigation === undefined ? undefined : itemsIn(navigation, 0)
}

function readJson(text: string): Record<string, unknown> {
  // JSON escapes can contain characters that cannot be stored.
  const asText = (_key: string, value: unknown) => (typeof value === 'string' ? storable(value) : value)
  try {
    return asObject(JSON.parse(text, asText))
  } catch {
    return {}
  }
}

/**
 * Returns a function that reports which files a project is built with: templates, themes, packages of third parties.
 */
export function programIn(paths: readonly string[]): (path: string) => boolean {
  const tops = paths.flatMap((path) => /^((?:[^/]+\/)?)(?:hugo|config)\.(?:toml|ya?ml|json)$/.exec(path)?.[1] ?? [])
  const top = tops.find((each) => paths.some((path) => path.startsWith(`${each}content/`)))
  const ofHugo = ['layouts', 'themes', 'archetypes', 'resources'].map((folder) => `${top}${folder}/`)
  const settings = paths.find(isMkdocs)
  // Includes HTML files that override parts of a theme, wherever they are: the pages of MkDocs are only Markdown.
  const ofMkdocs = settings?.slice(0, settings.lastIndexOf('/') + 1)
  return (path) =>
    /(^|\/)(node_modules|_layouts|_includes|_site|_sass)\//.test(path) ||
    (ofMkdocs !== undefined && path.startsWith(ofMkdocs) && /\.html?$/i.test(path)) ||
    (top !== undefined && ofHugo.some((folder) => path.startsWith(folder)))
}

/**
 * Returns a function that reports which files are treated as parts of pages: those with an underscore at the start,
 * except for the page of a folder in Hugo, and the snippets of Mintlify.
 */
export function partIn(paths: readonly string[]): (path: string) => boolean {
  const settings = paths.find(isMintlify)
  const snippets = settings && `${folderOf(settings)}snippets/`
  return (path) =>
    /(^|\/)_(?!index\.)[^/]*\.(md|markdown|mdx)$/i.test(path) ||
    (snippets !== undefined && path.startsWith(snippets) && /\.mdx?$/i.test(path))
}

const isWords = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isPath = (value: unknown): value is string => isWords(value) && /^\/(?!\/)/.test(value)
