import { command, inTex, textInTex } from './characters.ts'
import { type Part, isOn, partOf, property } from './tree.ts'

/**
 * Converts a formula of a word processor to TeX. The space after a command is kept where the command would otherwise
 * run into the text that follows.
 */
export function texOf(formula: Part): string {
  return inside(formula)
    .replace(/(\\(?:[a-z]+|\|)) +(?=[}^_&)\].,]|\\right|\\middle|$)/gi, '$1')
    .trim()
}

/** An unknown element is replaced by its content. */
const read = (part: Part): string => (readers.get(part.name) ?? inside)(part)

const inside = ({ name, parts }: Part): string =>
  parts
    .filter((each) => each.name !== `${name}Pr`)
    .map(read)
    .join('')

const at = (part: Part, name: string): string => {
  const found = partOf(part, name)
  return found ? inside(found) : ''
}

const group = (tex: string): string => `{${tex.trim()}}`
const below = (tex: string): string => (tex.trim() === '' ? '' : `_${group(tex)}`)
const above = (tex: string): string => (tex.trim() === '' ? '' : `^${group(tex)}`)
/** Groups the base, so that a subscript or superscript applies to all of it. */
const base = (tex: string): string => (/^(?:[a-z\d]|\\[a-z]+ ?)$/i.test(tex) ? tex.trim() : group(tex))

type Reader = (part: Part) => string

/** A map, because names in a document may be the same as properties that every object has. */
const byName = <Value>(values: Record<string, Value>): ReadonlyMap<string, Value> => new Map(Object.entries(values))

const readers = byName<Reader>({
  r: run,
  f: fraction,
  sSup: (part) => base(at(part, 'e')) + above(at(part, 'sup')),
  sSub: (part) => base(at(part, 'e')) + below(at(part, 'sub')),
  sSubSup: (part) => base(at(part, 'e')) + below(at(part, 'sub')) + above(at(part, 'sup')),
  sPre: (part) => `{}${below(at(part, 'sub'))}${above(at(part, 'sup'))}${group(at(part, 'e'))}`,
  rad: root,
  nary: large,
  d: delimited,
  func: (part) => `${at(part, 'fName').trimEnd()} ${at(part, 'e')}`,
  limLow: (part) => limit(part, below, 'underset'),
  limUpp: (part) => limit(part, above, 'overset'),
  acc: accent,
  bar: (part) => `\\${property(part, 'pos') === 'bot' ? 'underline' : 'overline'}${group(at(part, 'e'))}`,
  groupChr: grouped,
  borderBox: (part) => `\\boxed${group(at(part, 'e'))}`,
  phant: (part) => (property(part, 'show') === '0' ? `\\phantom${group(at(part, 'e'))}` : group(at(part, 'e'))),
  m: matrix,
  eqArr: equations,
  // Text that a reviewer deleted.
  del: () => '',
})

const functions = new Set(
  (
    'arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min ' +
    'sec sin sinh sup tan tanh'
  ).split(' '),
)

const cuts = byName<string>({ b: 'mathbf', bi: 'boldsymbol' })
const scripts = byName<string>({
  'double-struck': 'mathbb',
  script: 'mathcal',
  fraktur: 'mathfrak',
  'sans-serif': 'mathsf',
  monospace: 'mathtt',
})

function run(part: Part): string {
  const text = part.parts.filter(({ name }) => name === 't').reduce((all, each) => all + each.text, '')
  if (isOn(part, 'nor')) return textInTex(text)
  const word = text.trim()
  const isPlain = property(part, 'sty') === 'p'
  if (isPlain && functions.has(word)) return command(word)
  const cut = scripts.get(property(part, 'scr') ?? '') ?? cuts.get(property(part, 'sty') ?? '')
  if (cut !== undefined && /\p{L}|\d/u.test(word)) return `\\${cut}${group(inTex(text))}`
  return isPlain && /^[a-z]{2,}$/i.test(word) ? `\\mathrm${group(word)}` : inTex(text)
}

function fraction(part: Part): string {
  const [top, bottom] = [at(part, 'num'), at(part, 'den')]
  switch (property(part, 'type')) {
    case 'lin':
    case 'skw':
      return `${group(top)}/${group(bottom)}`
    case 'noBar':
      return `{${top.trim()} \\atop ${bottom.trim()}}`
    default:
      return `\\frac${group(top)}${group(bottom)}`
  }
}

function root(part: Part): string {
  const degree = isOn(part, 'degHide') ? '' : at(part, 'deg').trim()
  return `\\sqrt${degree && `[${degree}]`}${group(at(part, 'e'))}`
}

/** Converts a sum, an integral or another large operator, with what is written below and above it. */
function large(part: Part): string {
  const sign = property(part, 'chr') ?? '∫'
  const isBeside = property(part, 'limLoc') === 'subSup'
  const usesBeside = /[∫-∳]/.test(sign)
  const place =
    isBeside === usesBeside || property(part, 'limLoc') === undefined ? '' : isBeside ? 'nolimits' : 'limits'
  const [under, over] = [at(part, 'sub'), at(part, 'sup')]
  const name = inTex(sign).trimEnd() + (place && `\\${place}`)
  return `${name}${below(under)}${above(over)} ${at(part, 'e')}`
}

const delimiters = byName<string>({ '': '.', '{': '\\{', '}': '\\}' })
const delimiter = (sign: string): string => delimiters.get(sign) ?? inTex(sign)

function delimited(part: Part): string {
  const sign = (name: string, usual: string) => delimiter(property(part, name) ?? usual)
  const inner = part.parts.filter(({ name }) => name === 'e').map(inside)
  return `\\left${sign('begChr', '(')}${inner.join(`\\middle${sign('sepChr', '|')}`)}\\right${sign('endChr', ')')}`
}

const withLimits = /^\\(?:lim|liminf|limsup|max|min|sup|inf|det|gcd|sum|prod|underbrace|overbrace)\b/

function limit(part: Part, beside: (tex: string) => string, command: string): string {
  const [inner, more] = [at(part, 'e').trim(), at(part, 'lim')]
  const bracing = groups.get(more.trim())
  if (bracing !== undefined) return `\\${bracing}${group(inner)}`
  return withLimits.test(inner) ? `${inner}${beside(more)} ` : `\\${command}${group(more)}${group(inner)}`
}

const accents = byName<string>({
  '\u0300': 'grave',
  '\u0301': 'acute',
  '\u0302': 'hat',
  '\u0303': 'tilde',
  '\u0304': 'bar',
  '\u0305': 'overline',
  '\u0306': 'breve',
  '\u0307': 'dot',
  '\u0308': 'ddot',
  '\u030c': 'check',
  '\u0332': 'underline',
  '\u20d6': 'overleftarrow',
  '\u20d7': 'vec',
  '\u20db': 'dddot',
})
const wide = byName<string>({ hat: 'widehat', tilde: 'widetilde', vec: 'overrightarrow', bar: 'overline' })

function accent(part: Part): string {
  const name = accents.get(property(part, 'chr') ?? '\u0302') ?? 'hat'
  const inner = at(part, 'e').trim()
  const isWide = !/^(?:.|\\[a-z]+)$/iu.test(inner)
  return `\\${(isWide && wide.get(name)) || name}${group(inner)}`
}

const groups = byName<string>({
  '⏞': 'overbrace',
  '⏟': 'underbrace',
  '→': 'overrightarrow',
  '←': 'overleftarrow',
})

function grouped(part: Part): string {
  const sign = property(part, 'chr') ?? '⏟'
  const inner = group(at(part, 'e'))
  const name = groups.get(sign)
  if (name !== undefined) return `\\${name}${inner}`
  return `\\${property(part, 'pos') === 'top' ? 'overset' : 'underset'}${group(inTex(sign))}${inner}`
}

function matrix(part: Part): string {
  const rows = part.parts.filter(({ name }) => name === 'mr')
  const cells = rows.map(({ parts }) => parts.map((cell) => inside(cell).trim()).join(' & '))
  return `\\begin{matrix} ${cells.join(' \\\\ ')} \\end{matrix}`
}

/** Converts equations that are written one below the other. As in TeX, an ampersand marks where they are aligned. */
function equations(part: Part): string {
  const rows = part.parts.filter(({ name }) => name === 'e').map((row) => inside(row).trim().replaceAll('\\&', '&'))
  return `\\begin{aligned} ${rows.join(' \\\\ ')} \\end{aligned}`
}
