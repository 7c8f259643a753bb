import type { Fields } from '../../../account/forms.ts'
import { conflict } from '../../../http/errors.ts'
import { formats } from '../../../http/formats.ts'
import { isId } from '../../../ids.ts'
import { emojiOf } from '../../../published/icons/emoji.ts'
import { defaults } from '../../../sites/customization/defaults.ts'
import type { Customization } from '../../../sites/customization/schema.ts'
import { type Sent, markOf, marking } from '../../marks.ts'

/** The part of the look of a site that is in the form: each setting as the text that its field shows. */
export interface LookForm extends Record<TextName, string> {
  links: LinkRow[]
}

type TextName = Exclude<Name, 'links'>

export type Name = keyof typeof names

/** What each setting is called in a sentence. */
export const names = {
  theme: 'the theme',
  light: 'the colour on light pages',
  dark: 'the colour on dark pages',
  corners: 'the corners',
  font: 'the font',
  headingFont: 'the font of headings',
  codeFont: 'the font of code',
  mode: 'what is light or dark',
  logo: 'the logo',
  logoDark: 'the logo on dark pages',
  icon: 'the icon',
  iconDark: 'the icon on dark pages',
  links: 'the links in the header',
  copyright: 'the line in the footer',
  pdf: 'whether there is a PDF',
  markdown: 'whether there is Markdown',
  feedback: 'whether pages ask if they help',
}

const all = Object.keys(names) as Name[]
const texts = all.filter((name) => name !== 'links')

/** A link in the header. A link that is more than a title and an address keeps its place and is not changed here. */
export interface LinkRow {
  /** Identifies the link of the site that this row stands for. */
  from: string
  title: string
  address: string
  isFixed: boolean
}

type Link = Customization['header']['links'][number]

/** A form can have a hundred fields. Each link takes three of them, and some are needed for other settings. */
export const mostLinks = 24

/** Whether pages are light or dark at first, and whether readers can switch. */
export const modes: Record<string, string> = {
  'system switch': 'Follow the reader’s device; readers can switch',
  'light switch': 'Light; readers can switch',
  'dark switch': 'Dark; readers can switch',
  'system always': 'Always follow the reader’s device',
  'light always': 'Always light',
  'dark always': 'Always dark',
}

export function formOf({
  styling,
  header,
  favicon,
  footer,
  themes,
  pdf,
  pageActions,
  feedback,
}: Customization): LookForm {
  const { logo } = header
  const icon = favicon.icon ?? { light: emojiOf(favicon.emoji ?? ''), dark: '' }
  return {
    theme: styling.theme,
    light: inSixDigits(styling.primaryColor.light),
    dark: inSixDigits(styling.primaryColor.dark),
    corners: styling.corners,
    font: fontText(styling.font),
    headingFont: styling.headingFont === undefined ? '' : fontText(styling.headingFont),
    codeFont: fontText(styling.monospaceFont),
    mode: modeOf(themes),
    logo: asTyped(logo?.light),
    logoDark: logo?.dark === logo?.light ? '' : asTyped(logo?.dark),
    icon: asTyped(icon.light),
    iconDark: icon.dark === icon.light ? '' : asTyped(icon.dark),
    links: header.links.slice(0, mostLinks).map(rowOf),
    copyright: asTyped(footer.copyright),
    pdf: pdf.enabled ? 'on' : '',
    markdown: pageActions.markdown ? 'on' : '',
    feedback: feedback.enabled ? 'on' : '',
  }
}

/** The identifier of an included font, or the id of a font of the organization. */
const fontText = (font: string | { id: string }) => (typeof font === 'string' ? font : font.id)

const fontOf = (text: string) => (isId(text) ? { id: text } : text)

/**
 * Returns what a browser makes of a text in a single-line field. Otherwise, saving an untouched form would change the
 * text.
 */
const asTyped = (text = '') => text.replace(/[\r\n]/g, '').trim()

/** Converts a colour to the format of a colour field. */
const inSixDigits = (colour: string) =>
  colour
    .toLowerCase()
    .replace(/^#(.)(.)(.)$/, (_, red: string, green: string, blue: string) =>
      ['#', red, red, green, green, blue, blue].join(''),
    )

const modeOf = ({ default: first, toggeable }: Customization['themes']) => `${first} ${toggeable ? 'switch' : 'always'}`

export const standard = {
  light: inSixDigits(defaults.styling.primaryColor.light),
  dark: inSixDigits(defaults.styling.primaryColor.dark),
}

const rowOf = (link: Link): LinkRow => ({
  from: keyOf(link),
  title: asTyped(link.title),
  address: asTyped(link.to?.url),
  isFixed: link.to?.kind !== 'url' || link.links.length > 0,
})

const keyOf = (link: Link) => markOf(JSON.stringify(link))

export function readLook(fields: Fields): LookForm {
  const typed = Object.fromEntries(texts.map((name) => [name, asTyped(fields[name])])) as Record<TextName, string>
  return { ...typed, ...(fields.standard === 'on' && standard), links: linksIn(fields) }
}

function linksIn(fields: Fields): LinkRow[] {
  const lines = Array.from({ length: mostLinks }, (_, at) => ({
    from: fields[`from-${at}`] ?? '',
    title: asTyped(fields[`title-${at}`]),
    address: asTyped(fields[`address-${at}`]),
    isFixed: fields[`title-${at}`] === undefined,
  }))
  return lines.filter(({ from, title, address, isFixed }) => (isFixed ? from !== '' : title !== '' || address !== ''))
}

function textOf(form: LookForm, name: Name): string {
  if (name !== 'links') return form[name]
  return JSON.stringify(form.links.map(({ from, title, address, isFixed }) => (isFixed ? [from] : [title, address])))
}

export type SentLook = Sent<LookForm>

const { marksOf, changedIn, overtakenIn } = marking(all, textOf)

export { marksOf, overtakenIn }

/** Returns the current look, with what was changed in the form. */
export function withSent(now: LookForm, sent: SentLook): LookForm {
  const changed = changedIn(sent).map((name) => [name, name === 'links' ? withTitles(now, sent) : sent.form[name]])
  return { ...now, ...Object.fromEntries(changed) }
}

/**
 * No titles are sent for links that are not changed here, so these are taken from the current look. Links that no
 * longer exist are left out.
 */
const withTitles = (now: LookForm, { form }: SentLook): LinkRow[] =>
  form.links.flatMap((row) => (row.isFixed ? (now.links.find(({ from }) => from === row.from) ?? []) : row))

/** Returns the changes, and nothing else, in the format of the API. They are not validated yet. */
export function patchOf(look: Customization, form: LookForm): object {
  const now = formOf(look)
  const isNew = (...some: Name[]) => some.some((name) => textOf(form, name) !== textOf(now, name))
  const { theme, light, dark, corners, font, headingFont, codeFont, mode, copyright } = form
  const styling = {
    ...(isNew('theme') && { theme }),
    ...(isNew('light', 'dark') && { primaryColor: coloursOf(look, { light, dark }) }),
    ...(isNew('corners') && { corners }),
    ...(isNew('font') && { font: fontOf(font) }),
    ...(isNew('headingFont') && { headingFont: headingFont === '' ? null : fontOf(headingFont) }),
    ...(isNew('codeFont') && { monospaceFont: fontOf(codeFont) }),
  }
  const header = {
    ...(isNew('logo', 'logoDark') && { logo: pairOf(form.logo, form.logoDark) }),
    ...(isNew('links') && { links: linksOf(look, form.links) }),
  }
  const [first, switching] = mode.split(' ')
  return {
    styling,
    header,
    ...(isNew('icon', 'iconDark') && { favicon: iconOf(form) }),
    ...(isNew('mode') && { themes: { default: first, toggeable: switching === 'switch' } }),
    ...(isNew('copyright') && { footer: { copyright: copyright === '' ? null : copyright } }),
    ...(isNew('pdf') && { pdf: { enabled: form.pdf === 'on' } }),
    ...(isNew('markdown') && { pageActions: { markdown: form.markdown === 'on' } }),
    ...(isNew('feedback') && { feedback: { enabled: form.feedback === 'on' } }),
  }
}

/** A colour that was not touched keeps its spelling. */
function coloursOf({ styling: { primaryColor } }: Customization, typed: { light: string; dark: string }) {
  const { light, dark } = typed
  if (light === standard.light && dark === standard.dark) return null
  return {
    light: light === inSixDigits(primaryColor.light) ? primaryColor.light : light,
    dark: dark === inSixDigits(primaryColor.dark) ? primaryColor.dark : dark,
  }
}

/** If only one picture is given, it is used on all pages. */
const pairOf = (light: string, dark: string) =>
  light === '' && dark === '' ? null : { light: light || dark, dark: dark || light }

function iconOf({ icon, iconDark }: LookForm): object | null {
  if (!formats.emoji!(icon)) {
    const pair = pairOf(icon, iconDark)
    return pair && { icon: pair }
  }
  if (iconDark !== '') throw conflict('An emoji looks the same on all pages, so leave the icon for dark pages empty.')
  return { emoji: icon }
}

function linksOf({ header }: Customization, rows: LinkRow[]): object[] {
  const before = new Map(header.links.map((link) => [keyOf(link), link]))
  const shown = rows.flatMap(({ from, title, address, isFixed }) => {
    const link = before.get(from)
    if (isFixed) return link ?? []
    if (link && rowOf(link).title === title && rowOf(link).address === address) return link
    if (title === '') throw conflict(`The link to ${address} needs a title.`)
    return { ...link, title, to: { kind: 'url', url: address }, links: [] }
  })
  return [...shown, ...header.links.slice(mostLinks)]
}
