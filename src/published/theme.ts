import { readHex, readableFill, toOklch } from './colour.ts'
import { facesOf, familyOf } from './fonts.ts'

/** What a site may choose of its look. Sizes, spacing, measure and lightness stay ours: it cannot become unreadable. */
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
  sidebar?: { background?: string; list?: string }
  /** The colour of a header that has one of its own. */
  header?: Pair
}

interface Pair {
  light: string
  dark: string
}

/** The properties of one site, to stand behind the style sheet that all share. */
export function themeCss(styling: Styling): string {
  const light: string[] = []
  const dark: string[] = []
  if (styling.primaryColor) {
    light.push(...accent(styling.primaryColor.light))
    dark.push(...accent(styling.primaryColor.dark))
  }
  if (styling.header) {
    light.push(...headerFill(styling.header.light))
    dark.push(...headerFill(styling.header.dark))
  }
  light.push(`--tint: ${tintOf(styling)}`)
  const corner = { straight: 0, rounded: 1, circular: 1.75 }[styling.corners ?? 'rounded'] ?? 1
  light.push(`--corner: ${corner}`)
  if (styling.corners === 'circular') light.push('--r-control: 99px')
  light.push(...fonts(styling))
  const tones = (['info', 'success', 'warning', 'danger'] as const).map((tone) =>
    toneCss(tone, styling[`${tone}Color`]),
  )
  return [
    facesOf([styling.font, styling.headingFont, styling.monospaceFont]),
    rule(':root', light),
    ...(dark.length > 0
      ? [
          rule(":root[data-theme='dark']", dark),
          `@media (prefers-color-scheme: dark) {\n${rule(":root:not([data-theme='light'])", dark)}\n}`,
        ]
      : []),
    ...tones,
    '',
  ]
    .filter((part) => part !== undefined)
    .join('\n')
}

const rule = (selector: string, properties: string[]) => `${selector} { ${properties.join('; ')}; }`

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

function headerFill(hex: string): string[] {
  const { fill, text } = readableFill(hex)
  return [`--head-fill: ${fill}`, `--on-head: ${text}`]
}

function tintOf({ theme, tint }: Styling): number {
  if (tint) return 2
  return theme === 'muted' ? 2.5 : 1
}

function toneCss(tone: string, pair: Pair | undefined): string | undefined {
  if (!pair) return undefined
  const { c, h } = toOklch(readHex(pair.light))
  return rule(`[data-tone='${tone}']`, [`--tone-h: ${h.toFixed(1)}`, `--tone-c: ${Math.min(c, 0.2).toFixed(3)}`])
}

function fonts({ font, headingFont, monospaceFont }: Styling): string[] {
  const [body, heading, mono] = [familyOf(font), familyOf(headingFont), familyOf(monospaceFont, 'mono')]
  return [
    ...(body === undefined ? [] : [`--font-body: ${body}`]),
    ...(heading === undefined ? [] : [`--font-heading: ${heading}`]),
    ...(mono === undefined ? [] : [`--font-mono: ${mono}`]),
  ]
}

/** Attributes of the root element that recolour parts of the frame. */
export function lookAttributes(styling: Styling, headerPreset: string | undefined): Record<string, string | undefined> {
  const header =
    headerPreset === 'bold' || headerPreset === 'contrast' || headerPreset === 'custom'
      ? headerPreset
      : styling.theme === 'bold'
        ? 'bold'
        : undefined
  return {
    'data-header': header,
    'data-links': styling.links === 'accent' ? 'accent' : undefined,
    'data-sidebar': styling.sidebar?.background === 'filled' ? 'filled' : undefined,
    'data-list': styling.sidebar?.list === 'line' ? 'line' : undefined,
  }
}
