// Tests about formulas: which are drawn as mathematics, which stay as they were written, and whether the typesetter
// accepts all that are drawn.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Formulas } from '../../published/blocks/formulas-of-page.ts'
import { Press } from '../press.ts'
import { sheetsOf } from '../testing/book.ts'
import { printFormula } from './formulas.ts'

const printed = (formula: string) => printFormula(formula, new Formulas())

const formulas = [
  'x^2 + y_1 = z_i^{2n}',
  "f'(x) = f''_1 + g'^2",
  '\\frac{a}{\\frac{b}{c}} \\binom{n}{k} \\dfrac{1}{2}',
  '\\sqrt{2} + \\sqrt[3]{x}',
  '\\sum_{i=0}^{n} i^2, \\prod_i, \\int_0^\\infty e^{-x^2}\\,dx, \\lim_{x \\to 0} \\sin x',
  '\\left( \\frac{a}{b} \\right] \\left\\{ x \\middle| y \\right. \\bigl( z \\bigr)',
  '\\begin{cases} a & x > 0 \\\\ b & \\text{otherwise} \\end{cases}',
  '\\begin{aligned} a &= b \\\\ c &= d + e \\end{aligned}',
  '\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix} \\begin{array}{l|r} a & b \\end{array}',
  '\\hat{x} \\vec{v} \\tilde{a} \\dot{a} \\ddot{a} \\bar{a} \\overline{AB} \\underline{c} \\widehat{abc}',
  '\\overbrace{a+b}^{2} \\underbrace{c}_{\\text{x}} \\overset{!}{=} \\underset{x}{y} \\xrightarrow{f}',
  '\\mathbb{R} \\mathbf{x} \\mathcal{L} \\mathrm{d} \\mathfrak{g} \\mathsf{A} \\mathtt{b} \\operatorname{argmax}',
  'x = 1 \\tag{2}',
  'x \\begin{array}{|r|c:l|} \\hline a & b & c \\\\ \\hline d & e \\\\ \\hline \\end{array} \\fbox{y} \\textcolor{#00f}{z}',
  'f = \\left\\{ \\begin{aligned} a &= b \\\\ cc &= d \\end{aligned} \\right.',
  '\\alpha \\Gamma \\infty \\leq \\neq \\in \\subset \\forall \\exists \\partial \\nabla \\to \\mapsto',
  '\\color{red}{x} \\boxed{y} \\phantom{z} \\cancel{5} \\; \\quad a \\bmod b \\pmod{n}',
  '# "quoted" \\text{#eval("x")}'.replaceAll('#', '\\#'),
  `${'\\sqrt{1+'.repeat(6)}x${'}'.repeat(6)}`,
  Array.from({ length: 50 }, (_, number) => `a_{${number}}`).join(' + '),
  `\\frac{${'abcdefgh'.repeat(10)}}{2}`,
]

test('common formulas are typeset, and invalid, too deep or too long ones are not', () => {
  for (const formula of formulas.filter((each) => !each.includes('\\color'))) {
    assert.ok(printed(formula), formula)
  }
  assert.deepEqual(printed('\\frac{1}{x}'), {
    m: 'fraction',
    over: { m: 'text', text: '1' },
    under: { m: 'symbol', text: 'x' },
    hasLine: true,
  })
  const lined = printed('x \\begin{array}{l|c|r} a & b & c \\\\ \\hline d & e & f \\end{array}')
  const array = lined?.m === 'row' ? lined.c[1] : undefined
  assert.partialDeepStrictEqual(array, {
    m: 'table',
    align: ['left', 'center', 'right'],
    lines: { h: [1], v: [1, 2] },
  })
  assert.equal(printed('\\boxed{y}')?.m, 'boxed')
  assert.partialDeepStrictEqual(printed('\\color{red}{x}'), { m: 'coloured', colour: '#ff0000' })
  assert.equal(printed('x = 1 \\tag{2}')?.m, 'row')
  for (const formula of ['\\frac{1', '\\nothing', `${'\\sqrt{1+'.repeat(40)}x${'}'.repeat(40)}`, 'x'.repeat(5000)]) {
    assert.equal(printed(formula), undefined, formula.slice(0, 20))
  }
})

test('the typesetter accepts every formula, in running text, in blocks and deeply nested', async () => {
  const blocks = formulas.map((formula) => `Inline $$${formula}$$\n\n$$\n${formula}\n$$\n`).join('\n')
  const deep = formulas.map((formula) => `${'> '.repeat(9)}**A $$${formula}$$ b**\n`).join('\n')
  const press = new Press(undefined)
  try {
    const pdf = await press.print(await sheetsOf(`${blocks}\n\n${deep}`))
    assert.equal(Buffer.from(pdf.subarray(0, 5)).toString(), '%PDF-')
  } finally {
    press.close()
  }
})
