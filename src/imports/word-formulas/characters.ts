/** Characters that word processors write, with their TeX commands. Greek letters are added below. */
const names: Record<string, string> = {
  '−': '-',
  '⋅': 'cdot',
  '·': 'cdot',
  '×': 'times',
  '÷': 'div',
  '±': 'pm',
  '∓': 'mp',
  '∗': 'ast',
  '∘': 'circ',
  '≤': 'le',
  '≥': 'ge',
  '≠': 'ne',
  '≈': 'approx',
  '≡': 'equiv',
  '∼': 'sim',
  '≃': 'simeq',
  '≅': 'cong',
  '∝': 'propto',
  '≪': 'll',
  '≫': 'gg',
  '→': 'to',
  '←': 'leftarrow',
  '↔': 'leftrightarrow',
  '⇒': 'Rightarrow',
  '⇐': 'Leftarrow',
  '⇔': 'Leftrightarrow',
  '↦': 'mapsto',
  '↑': 'uparrow',
  '↓': 'downarrow',
  '∞': 'infty',
  '∂': 'partial',
  '∇': 'nabla',
  '∆': 'Delta',
  ℏ: 'hbar',
  ℓ: 'ell',
  ℵ: 'aleph',
  '∈': 'in',
  '∉': 'notin',
  '∋': 'ni',
  '⊂': 'subset',
  '⊃': 'supset',
  '⊆': 'subseteq',
  '⊇': 'supseteq',
  '∪': 'cup',
  '∩': 'cap',
  '∖': 'setminus',
  '∅': 'emptyset',
  '∀': 'forall',
  '∃': 'exists',
  '¬': 'neg',
  '∧': 'land',
  '∨': 'lor',
  '⊕': 'oplus',
  '⊗': 'otimes',
  '⊥': 'perp',
  '∥': 'parallel',
  '∠': 'angle',
  '°': 'degree',
  '′': 'prime',
  '…': 'dots',
  '⋯': 'cdots',
  '⋮': 'vdots',
  '⋱': 'ddots',
  '∑': 'sum',
  '∏': 'prod',
  '∐': 'coprod',
  '∫': 'int',
  '∬': 'iint',
  '∭': 'iiint',
  '∮': 'oint',
  '⋃': 'bigcup',
  '⋂': 'bigcap',
  '⋁': 'bigvee',
  '⋀': 'bigwedge',
  '⨁': 'bigoplus',
  '⨂': 'bigotimes',
  '⟨': 'langle',
  '⟩': 'rangle',
  '⌈': 'lceil',
  '⌉': 'rceil',
  '⌊': 'lfloor',
  '⌋': 'rfloor',
  '‖': '|',
  ϵ: 'epsilon',
  ε: 'varepsilon',
  ϑ: 'vartheta',
  ϕ: 'phi',
  φ: 'varphi',
  ϱ: 'varrho',
  ς: 'varsigma',
  ϖ: 'varpi',
}

const smallGreek = 'α β γ δ ζ η θ ι κ λ μ ν ξ π ρ σ τ υ χ ψ ω'.split(' ')
const smallNames =
  'alpha beta gamma delta zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon chi psi omega'.split(' ')
const largeGreek = 'Γ Δ Θ Λ Ξ Π Σ Υ Φ Ψ Ω'.split(' ')
const largeNames = 'Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega'.split(' ')
for (const [i, letter] of smallGreek.entries()) names[letter] = smallNames[i]!
for (const [i, letter] of largeGreek.entries()) names[letter] = largeNames[i]!

/** The ranges of letters that Unicode has in several styles for formulas. Italic is the default style. */
const cuts: readonly (readonly [from: number, to: number, command: string])[] = [
  [0x1d400, 0x1d433, 'mathbf'],
  [0x1d434, 0x1d467, ''],
  [0x1d468, 0x1d49b, 'boldsymbol'],
  [0x1d49c, 0x1d503, 'mathcal'],
  [0x1d504, 0x1d537, 'mathfrak'],
  [0x1d538, 0x1d56b, 'mathbb'],
  [0x1d56c, 0x1d59f, 'mathfrak'],
  [0x1d5a0, 0x1d66f, 'mathsf'],
  [0x1d670, 0x1d6a3, 'mathtt'],
]
/** The double-struck letters that Unicode already had outside these ranges. */
const doubled = 'ℂℍℕℙℚℝℤ'

const inFormulas = /[\\{}$&#_^%~]/g
const escapes: Record<string, string> = { '\\': '\\backslash ', '^': '\\text{\\^{}}', '~': '\\sim ' }
const inTexts: Record<string, string> = { '\\': '\\textbackslash ', '^': '\\^{}', '~': '\\~{}' }

/** Converts one or more characters of a formula to TeX. */
export const inTex = (text: string): string => Array.from(text, character).join('')

function character(sign: string): string {
  if (sign < '\u007f') return sign.replace(inFormulas, (each) => escapes[each] ?? `\\${each}`)
  const name = names[sign]
  if (name !== undefined) return command(name)
  if (doubled.includes(sign)) return `\\mathbb{${sign.normalize('NFKC')}}`
  const point = sign.codePointAt(0)!
  const plain = sign.normalize('NFKC')
  if (point < 0x1d400 || point > 0x1d7ff) return sign
  const cut = cuts.find(([from, to]) => from <= point && point <= to)
  return cut && cut[2] !== '' ? `\\${cut[2]}{${inTex(plain)}}` : inTex(plain)
}

/** Adds a space after the command, because a letter may follow. */
export const command = (name: string): string =>
  /^[a-z]/i.test(name) ? `\\${name} ` : name === '|' ? String.raw`\| ` : name

/** Converts words within a formula to TeX. */
export const textInTex = (text: string): string =>
  `\\text{${text.replace(inFormulas, (each) => inTexts[each] ?? `\\${each}`)}}`
