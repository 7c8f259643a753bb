import { codeColours } from './code-themes.ts'
import { fromOklch, grey, readHex, readable, readableFill, toOklch, writeHex } from './colour.ts'
import { facesOf, familyOf } from './fonts.ts'

/**
 * What a site may choose for its look. Sizes, spacing, measure and lightness cannot be chosen, so a site cannot become
 * unreadable.
 */
export interface Styling {
  theme?: string
  primaryColor?: Pair
  infoColor?: Pair
  successColor?: Pair
  warningColor?: Pair
  dangerColor?: Pair
  tint?: { color: Pair }
  corners?: string
  font?: unknown
  headingFont?: unknown
  monospaceFont?: unknown
  links?: string
  icons?: string
  depth?: string
  background?: string
  search?: string
  sidebar?: { background?: string; list?: string }
  /** Themes for code in the text, and for code that shows how to call an operation. */
  codeTheme?: { default?: Pair; openapi?: Pair }
  header?: HeaderColours
}

/** The colours of a header, if it has its own. */
export interface HeaderColours {
  preset?: string
  backgroundColor?: Pair
  linkColor?: Pair
}

interface Pair {
  light: string
  dark: string
}

/** Returns the properties of one site, to be appended to the style sheet that all sites share. */
export function themeCss(styling: Styling): string {
  const light: string[] = []
  const dark: string[] = []
  if (styling.primaryColor) {
    light.push(...accent(styling.primaryColor.light))
    dark.push(...accent(styling.primaryColor.dark))
  }
  light.push(...headerColours(styling, 'light'))
  dark.push(...headerColours(styling, 'dark'))
  light.push(...tintOf(styling, 'light'))
  dark.push(...tintOf(styling, 'dark'))
  if (styling.background === 'match') light.push(`--bg: ${matching}`)
  if (styling.depth === 'flat') light.push(...flat)
  const corner = { straight: 0, rounded: 1, circular: 1.75 }[styling.corners ?? 'rounded'] ?? 1
  light.push(`--corner: ${corner}`)
  if (styling.corners === 'circular') light.push('--r-control: 99px')
  light.push(...fonts(styling))
  const tones = (['info', 'success', 'warning', 'danger'] as const).flatMap((tone) =>
    toneCss(tone, styling[`${tone}Color`]),
  )
  return [
    facesOf([styling.font, styling.headingFont, styling.monospaceFont]),
    rule(':root', light),
    ...inTheDark('', dark),
    ...tones,
    ...codeCss('.code:not(.op *)', styling.codeTheme?.default),
    ...codeCss('.op .code', styling.codeTheme?.openapi),
    '',
  ].join('\n')
}

const rule = (selector: string, properties: string[]) => `${selector} { ${properties.join('; ')}; }`

/** Rules for readers in dark mode, by their own choice or by that of their system. */
const inTheDark = (below: string, properties: string[]) => [
  rule(`:root[data-theme='dark']${below}`, properties),
  `@media (prefers-color-scheme: dark) {\n${rule(`:root:not([data-theme='light'])${below}`, properties)}\n}`,
]

/** A background that is tinted with the colour of the site. */
const matching =
  'light-dark(oklch(0.985 calc(var(--tint-c, var(--accent-c)) * 0.05) var(--tint-h)), oklch(0.18 calc(var(--tint-c, var(--accent-c)) * 0.12) var(--tint-h)))'

/** What lies above something else gets a line around it instead of a shadow. */
const flat = ['--shadow-1: 0 0 #0000', '--shadow-2: 0 0 #0000', '--shadow-3: 0 0 0 1px var(--line)']

function accent(hex: string): string[] {
  const { c, h } = toOklch(readHex(hex))
  const { fill, text } = readableFill(hex)
  return [
    `--accent-h: ${h.toFixed(1)}`,
    `--accent-c: ${Math.min(c, 0.24).toFixed(3)}`,
    `--accent-solid: ${fill}`,
    `--on-accent: ${text}`,
  ]
}

/**
 * A header of the preset `custom` has its own background. Links have their own colour with every preset, adjusted so
 * that it is readable on that background.
 */
function headerColours({ header, primaryColor, theme }: Styling, side: keyof Pair): string[] {
  const { preset, backgroundColor, linkColor } = header ?? {}
  const own = preset === 'custom' ? backgroundColor : undefined
  const fill = own && readableFill(own[side])
  const isFilled = preset === 'custom' || preset === 'bold' || (preset !== 'contrast' && theme === 'bold')
  const filled = (own ?? (isFilled ? primaryColor : undefined))?.[side]
  const plain = preset === 'contrast' ? grey(0.2) : isFilled ? usualAccent : grey(side === 'light' ? 0.98 : 0.18)
  const ground = filled === undefined ? plain : readHex(readableFill(filled).fill)
  return [
    ...(fill ? [`--head-fill: ${fill.fill}`, `--on-head: ${fill.text}`] : []),
    ...(linkColor ? [`--h-link: ${writeHex(readable(readHex(linkColor[side]), [ground]))}`] : []),
  ]
}

/** The accent of the shared style sheet, for sites that chose none. */
const usualAccent = fromOklch({ l: 0.495, c: 0.2, h: 264 })

/** From this chroma on, a colour is perceived as one. Anything below is more or less grey. */
const plainlyColoured = 0.04

/**
 * Returns which colour the greys carry, and how much of it. A colour that is grey itself contributes none: its hue is
 * accidental.
 */
function tintOf({ theme, tint, primaryColor }: Styling, side: keyof Pair): string[] {
  const much = tint ? 2 : theme === 'muted' ? 2.5 : 1
  const from = (tint?.color ?? primaryColor)?.[side]
  if (from === undefined) return [`--tint: ${much}`]
  const { c, h } = toOklch(readHex(from))
  const carried = `--tint: ${(much * Math.min(1, c / plainlyColoured)).toFixed(2)}`
  return tint ? [carried, `--tint-h: ${h.toFixed(1)}`, `--tint-c: ${Math.min(c, 0.24).toFixed(3)}`] : [carried]
}

function toneCss(tone: string, pair: Pair | undefined): string[] {
  if (!pair) return []
  const colours = (hex: string) => {
    const { c, h } = toOklch(readHex(hex))
    return [`--tone-h: ${h.toFixed(1)}`, `--tone-c: ${Math.min(c, 0.2).toFixed(3)}`]
  }
  const selector = `[data-tone='${tone}']`
  return [rule(selector, colours(pair.light)), ...inTheDark(` ${selector}`, colours(pair.dark))]
}

/** Code on the background of its theme, which may be dark on a light page. In print it looks like all other code. */
function codeCss(selector: string, pair: Pair | undefined): string[] {
  const sides = (['light', 'dark'] as const).map((side) => {
    const found = pair && codeColours(pair[side])
    if (!found) return undefined
    const { isDark, ground, text, tokens } = found
    const own = [
      `color-scheme: ${isDark ? 'dark' : 'light'}`,
      `--sunken: ${ground}`,
      `--k-text: ${text}`,
      `--ink: ${text}`,
      `--muted: ${tokens.comment}`,
      `--faint: ${tokens.comment}`,
      `--line: color-mix(in oklab, ${text} 14%, ${ground})`,
      ...Object.entries(tokens).map(([kind, colour]) => `--k-${kind}: ${colour}`),
    ]
    const chosen = rule(`:root[data-theme='${side}'] ${selector}`, own)
    const given = rule(`:root:not([data-theme]) ${selector}`, own)
    return `@media screen {\n${chosen}\n}\n@media screen and (prefers-color-scheme: ${side}) {\n${given}\n}`
  })
  return sides.filter((side) => side !== undefined)
}

function fonts({ font, headingFont, monospaceFont }: Styling): string[] {
  const [body, heading, mono] = [familyOf(font), familyOf(headingFont), familyOf(monospaceFont, 'mono')]
  return [
    ...(body === undefined ? [] : [`--font-body: ${body}`]),
    ...(heading === undefined ? [] : [`--font-heading: ${heading}`]),
    ...(mono === undefined ? [] : [`--font-mono: ${mono}`]),
  ]
}

/** Attributes of the root element that change parts of the frame. */
export function lookAttributes(styling: Styling, headerPreset: string | undefined): Record<string, string | undefined> {
  const isOwn = headerPreset !== undefined && headerPreset !== 'default' && headerPreset !== 'none'
  const unless = (usual: string, value: string | undefined) => (value === usual ? undefined : value)
  return {
    'data-header': isOwn ? headerPreset : styling.theme === 'bold' ? 'bold' : undefined,
    'data-ground': styling.theme === 'gradient' ? 'gradient' : undefined,
    'data-links': unless('default', styling.links),
    'data-icons': unless('regular', styling.icons),
    'data-depth': unless('subtle', styling.depth),
    'data-find': unless('prominent', styling.search),
    'data-sidebar': unless('default', styling.sidebar?.background),
    'data-list': unless('default', styling.sidebar?.list),
  }
}
