import { OwnFont } from './own-fonts.ts'

/**
 * A font family that is bundled with Lectern, in Latin script. For letters that it lacks, the reader's own fonts are
 * used.
 */
interface Family {
  name: string
  /** The beginning of its file names. */
  slug: string
  kind: 'sans' | 'serif' | 'mono'
  /** The range from the lightest to the boldest in one file, or the weights that have a file each. */
  weights: string | readonly number[]
  /** Whether it has the extended Latin letters of languages further east. */
  extended: boolean
  /**
   * How the font that every computer has is adjusted to take the same room until this one is loaded: its size, and how
   * far it reaches up and down, in percent. Measured in a browser, weighted by how often letters occur in English.
   */
  fallback: readonly [size: number, up: number, down: number]
}

/** By the names that customizations use. Inter and JetBrains Mono are in the style sheet of every site. */
const families: Record<string, Family> = {
  Roboto: {
    name: 'Roboto',
    slug: 'roboto',
    kind: 'sans',
    weights: '100 900',
    extended: true,
    fallback: [100.5, 92.3, 24.3],
  },
  RobotoSlab: {
    name: 'Roboto Slab',
    slug: 'roboto-slab',
    kind: 'serif',
    weights: '100 900',
    extended: true,
    fallback: [118.8, 88.2, 22.8],
  },
  OpenSans: {
    name: 'Open Sans',
    slug: 'open-sans',
    kind: 'sans',
    weights: '300 800',
    extended: true,
    fallback: [106.1, 100.8, 27.6],
  },
  SourceSansPro: {
    name: 'Source Sans 3',
    slug: 'source-sans-3',
    kind: 'sans',
    weights: '200 900',
    extended: true,
    fallback: [94.7, 108.1, 42.2],
  },
  Lato: {
    name: 'Lato',
    slug: 'lato',
    kind: 'sans',
    weights: [400, 700],
    extended: true,
    fallback: [98.1, 100.6, 21.7],
  },
  Raleway: {
    name: 'Raleway',
    slug: 'raleway',
    kind: 'sans',
    weights: '100 900',
    extended: true,
    fallback: [105.2, 89.3, 22.2],
  },
  Merriweather: {
    name: 'Merriweather',
    slug: 'merriweather',
    kind: 'serif',
    weights: '300 900',
    extended: false,
    fallback: [120.6, 81.6, 22.6],
  },
  Overpass: {
    name: 'Overpass',
    slug: 'overpass',
    kind: 'sans',
    weights: '100 900',
    extended: true,
    fallback: [101.2, 87.3, 37.9],
  },
  NotoSans: {
    name: 'Noto Sans',
    slug: 'noto-sans',
    kind: 'sans',
    weights: '100 900',
    extended: false,
    fallback: [107.2, 99.8, 27.3],
  },
  IBMPlexSerif: {
    name: 'IBM Plex Serif',
    slug: 'ibm-plex-serif',
    kind: 'serif',
    weights: [400, 600],
    extended: true,
    fallback: [117.5, 87.2, 23.4],
  },
  Poppins: {
    name: 'Poppins',
    slug: 'poppins',
    kind: 'sans',
    weights: [400, 600],
    extended: true,
    fallback: [114.1, 92.0, 30.7],
  },
  FiraSans: {
    name: 'Fira Sans',
    slug: 'fira-sans',
    kind: 'sans',
    weights: [400, 600],
    extended: true,
    fallback: [104.0, 89.9, 25.5],
  },
  FiraCode: {
    name: 'Fira Code',
    slug: 'fira-code',
    kind: 'mono',
    weights: '300 700',
    extended: true,
    fallback: [100, 99.0, 32.2],
  },
  IBMPlexMono: {
    name: 'IBM Plex Mono',
    slug: 'ibm-plex-mono',
    kind: 'mono',
    weights: [400, 600],
    extended: true,
    fallback: [100, 102.5, 27.5],
  },
  SourceCodePro: {
    name: 'Source Code Pro',
    slug: 'source-code-pro',
    kind: 'mono',
    weights: '200 900',
    extended: true,
    fallback: [100, 98.4, 27.3],
  },
  RobotoMono: {
    name: 'Roboto Mono',
    slug: 'roboto-mono',
    kind: 'mono',
    weights: '100 700',
    extended: true,
    fallback: [100, 104.8, 27.1],
  },
  SpaceMono: {
    name: 'Space Mono',
    slug: 'space-mono',
    kind: 'mono',
    weights: [400, 700],
    extended: true,
    fallback: [102, 109.8, 35.4],
  },
  DMMono: {
    name: 'DM Mono',
    slug: 'dm-mono',
    kind: 'mono',
    weights: [400, 500],
    extended: true,
    fallback: [100, 99.2, 31.0],
  },
  Inconsolata: {
    name: 'Inconsolata',
    slug: 'inconsolata',
    kind: 'mono',
    weights: '200 900',
    extended: true,
    fallback: [83.3, 103.1, 22.8],
  },
}

/** Families without files listed here: the reader's own font of that name is used, else one that is bundled. */
const others: Record<string, string> = {
  ABCFavorit: "'ABC Favorit', Inter, 'Inter Fallback'",
  Inter: "Inter, 'Inter Fallback'",
  Ubuntu: "Ubuntu, Inter, 'Inter Fallback'",
  JetBrainsMono: "'JetBrains Mono'",
}

const behind = {
  sans: 'ui-sans-serif, system-ui, sans-serif',
  serif: "Georgia, 'Times New Roman', serif",
  mono: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
}

const everywhere = {
  sans: "local('Arial'), local('Liberation Sans')",
  serif: "local('Times New Roman'), local('Liberation Serif')",
  mono: "local('Courier New'), local('Liberation Mono')",
}

const latin =
  'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+0304, U+0308, U+0329, U+2000-206F, U+20AC, ' +
  'U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD'
const latinExtended =
  'U+0100-02BA, U+02BD-02C5, U+02C7-02CC, U+02CE-02D7, U+02DD-02FF, U+0304, U+0308, U+0329, U+1D00-1DBF, U+1E00-1E9F, ' +
  'U+1EF2-1EFF, U+2020, U+20A0-20AB, U+20AD-20C0, U+2113, U+2C60-2C7F, U+A720-A7FF'

/**
 * Returns the `font-family` for what a site chose, as it is written in a style sheet. Undefined if it is not a font
 * that we can show.
 */
export function familyOf(chosen: unknown, kind: Family['kind'] = 'sans'): string | undefined {
  if (chosen instanceof OwnFont) return `'${chosen.name}', ${behind[kind]}`
  if (typeof chosen !== 'string') return undefined
  const family = find(chosen)
  if (family) return `'${family.name}', '${family.name} Fallback', ${behind[family.kind]}`
  const other = Object.hasOwn(others, chosen) ? others[chosen] : undefined
  return other && `${other}, ${behind[kind]}`
}

/** Returns the font faces of what was chosen. A browser loads only those that a page has letters for. */
export function facesOf(chosen: readonly unknown[]): string {
  const families = chosen.map((each) => (each instanceof OwnFont ? each.faces : facesOfFamily(find(each))))
  return [...new Set(families)].join('')
}

const facesOfFamily = (family: Family | undefined) => (family ? writeFaces(family) : '')

/** Returns the file that a page of text needs in any case. */
export function firstFile(chosen: unknown): string | undefined {
  const family = find(chosen)
  return family && filesOf(family)[0]!.file
}

export const fontFiles: ReadonlySet<string> = new Set(
  Object.values(families).flatMap((family) => filesOf(family).map(({ file }) => file)),
)

function find(name: unknown): Family | undefined {
  return typeof name === 'string' && Object.hasOwn(families, name) ? families[name] : undefined
}

function filesOf({ slug, weights, extended }: Family): { file: string; weight: string; letters: string }[] {
  const each = typeof weights === 'string' ? [{ part: 'wght', weight: weights }] : weights.map(staticWeight)
  const scripts = [
    { script: 'latin', letters: latin },
    ...(extended ? [{ script: 'latin-ext', letters: latinExtended }] : []),
  ]
  return scripts.flatMap(({ script, letters }) =>
    each.map(({ part, weight }) => ({ file: `${slug}-${script}-${part}-normal.woff2`, weight, letters })),
  )
}

/** One for text, one for everything bolder: labels are nearer to the first, headings to the second. */
function staticWeight(value: number): { part: string; weight: string } {
  return { part: String(value), weight: value === 400 ? '400 500' : '501 900' }
}

function writeFaces(family: Family): string {
  const { name, kind, fallback } = family
  const [size, up, down] = fallback
  const faces = filesOf(family).map(
    ({ file, weight, letters }) =>
      `@font-face { font-family: '${name}'; src: url(fonts/${file}) format('woff2'); font-weight: ${weight}; font-display: swap; unicode-range: ${letters}; }\n`,
  )
  return (
    `${faces.join('')}@font-face { font-family: '${name} Fallback'; src: ${everywhere[kind]}; size-adjust: ${size}%; ` +
    `ascent-override: ${up}%; descent-override: ${down}%; line-gap-override: 0%; }\n`
  )
}
