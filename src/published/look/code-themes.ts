import { packageOnFirstUse } from '../../on-first-use.ts'
import { grey, readHex, readable, writeHex } from './colour.ts'

/** The colours that a theme gives to code, each readable on the background of the theme. */
export interface CodeColours {
  isDark: boolean
  ground: string
  text: string
  /** By the names that the style sheet uses for them. */
  tokens: Record<TokenKind, string>
}

type TokenKind = keyof typeof scopes

/** A theme's names for the kinds of tokens that we distinguish, the best name first. */
const scopes = {
  comment: ['comment'],
  keyword: ['keyword.control', 'keyword', 'storage.type', 'storage'],
  string: ['string.quoted', 'string'],
  constant: ['constant.numeric', 'constant.language', 'constant'],
  function: ['entity.name.function', 'support.function'],
  parameter: ['variable.parameter', 'variable.other', 'variable'],
  punctuation: ['punctuation', 'meta.brace'],
  link: ['markup.underline.link', 'string.other.link', 'entity.name.tag'],
} as const

interface Theme {
  type?: string
  colors?: Record<string, string>
  tokenColors?: { scope?: string | string[]; settings?: { foreground?: string } }[]
}

const themes = packageOnFirstUse<{ bundledThemes: Record<string, unknown> }>('shiki/themes')

/** Returns the colours of a theme. Undefined for any other name, for which our own colours are used. */
export function codeColours(name: string): CodeColours | undefined {
  if (!Object.hasOwn(themes().bundledThemes, name)) return undefined
  const theme = packageOnFirstUse<{ default: Theme }>(`shiki/dist/themes/${name}.mjs`)().default
  const isDark = theme.type === 'dark'
  const ground = opaque(theme.colors?.['editor.background']) ?? (isDark ? '#1e1e1e' : '#ffffff')
  const plain = opaque(theme.colors?.['editor.foreground']) ?? (isDark ? '#dddddd' : '#222222')
  // Marked lines have a background of ours, of about this lightness.
  const grounds = [readHex(ground), grey(isDark ? 0.28 : 0.94)]
  const shown = (colour: string | undefined) => writeHex(readable(readHex(colour ?? plain), grounds))
  const tokens = Object.entries(scopes).map(([kind, names]) => [kind, shown(colourOf(theme, names))])
  return {
    isDark,
    ground,
    text: shown(plain),
    tokens: Object.fromEntries(tokens) as CodeColours['tokens'],
  }
}

/** Finds the rule with the longest name that is a prefix of one of these names, as an editor would choose it. */
function colourOf({ tokenColors = [] }: Theme, names: readonly string[]): string | undefined {
  for (const name of names) {
    let best: { length: number; colour: string } | undefined
    for (const { scope = [], settings } of tokenColors) {
      const colour = opaque(settings?.foreground)
      if (colour === undefined) continue
      const own = typeof scope === 'string' ? scope.split(',') : scope
      for (const each of own.map((one) => one.trim())) {
        const fits = each === name || name.startsWith(`${each}.`)
        if (fits && each !== '' && each.length >= (best?.length ?? 0)) best = { length: each.length, colour }
      }
    }
    if (best) return best.colour
  }
  return undefined
}

/** Themes may give a colour some transparency, which is removed. */
function opaque(colour: string | undefined): string | undefined {
  return /^#(?:[0-9a-f]{3}|[0-9a-f]{6})(?=$|[0-9a-f]{1,2}$)/i.exec(colour ?? '')?.[0]
}
