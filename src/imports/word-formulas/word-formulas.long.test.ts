import assert from 'node:assert/strict'
import { test } from 'node:test'
import temml from 'temml'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace } from '../../../test/editing.ts'
import { docx } from '../testing/docx.ts'
import { aSite } from '../testing/site.ts'
import { texOf } from './tex.ts'
import { treeOf } from './tree.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })

const r = (text: string, properties = '') =>
  `<m:r>${properties && `<m:rPr>${properties}</m:rPr>`}<m:t>${text}</m:t></m:r>`
const plain = (text: string) => r(text, '<m:sty m:val="p"/>')
const e = (xml: string) => `<m:e>${xml}</m:e>`
const of = (name: string, parts: Record<string, string>, properties = '') =>
  `<m:${name}>${properties && `<m:${name}Pr>${properties}</m:${name}Pr>`}${Object.entries(parts)
    .map(([part, xml]) => `<m:${part}>${xml}</m:${part}>`)
    .join('')}</m:${name}>`
const says = (name: string, value: string) => `<m:${name} m:val="${value}"/>`
const squared = of('sSup', { e: r('x'), sup: r('2') })

const formulas: Record<string, [xml: string, tex: string]> = {
  'letters, signs and numbers': [r('𝑎+𝑏≤2π−∞'), 'a+b\\le 2\\pi -\\infty'],
  'signs that mean something in TeX': [r('50% of {a} &amp; b_1 # $'), '50\\% of \\{a\\} \\& b\\_1 \\# \\$'],
  'letters in several cuts': [
    r('ℝ') + r('𝔹') + r('v', says('sty', 'b')) + r('L', says('scr', 'script')),
    '\\mathbb{R}\\mathbb{B}\\mathbf{v}\\mathcal{L}',
  ],
  words: [r('if ', '<m:nor/>') + plain('rate'), '\\text{if }\\mathrm{rate}'],
  'powers and indices': [
    squared + of('sSub', { e: r('ab'), sub: r('i') }) + of('sSubSup', { e: r('α'), sub: r('1'), sup: r('n+1') }),
    'x^{2}{ab}_{i}\\alpha_{1}^{n+1}',
  ],
  'what stands in front': [of('sPre', { sub: r('2'), sup: r('4'), e: plain('He') }), '{}_{2}^{4}{\\mathrm{He}}'],
  fractions: [of('f', { num: r('1'), den: squared }), '\\frac{1}{x^{2}}'],
  'fractions in a line, and without a bar': [
    of('f', { num: r('a'), den: r('b') }, says('type', 'lin')) +
      of('d', { e: of('f', { num: r('n'), den: r('k') }, says('type', 'noBar')) }),
    '{a}/{b}\\left({n \\atop k}\\right)',
  ],
  roots: [
    of('rad', { deg: '', e: r('2') }, says('degHide', '1')) + of('rad', { deg: r('3'), e: r('x') }),
    '\\sqrt{2}\\sqrt[3]{x}',
  ],
  'sums and integrals, with their limits where they stand': [
    of('nary', { sub: r('i=1'), sup: r('n'), e: r('i') }, says('chr', '∑') + says('limLoc', 'undOvr')) +
      of('nary', { sub: r('0'), sup: r('1'), e: r('xdx') }, says('limLoc', 'subSup')) +
      of('nary', { sub: r('A'), sup: '', e: r('f') }, says('chr', '∬') + says('limLoc', 'undOvr')),
    '\\sum_{i=1}^{n} i\\int_{0}^{1} xdx\\iint\\limits_{A} f',
  ],
  'brackets of all kinds': [
    of('d', { e: r('a') }, says('begChr', '[') + says('endChr', '⌋')) +
      `<m:d><m:dPr>${says('begChr', '⟨')}${says('endChr', '⟩')}</m:dPr>${e(r('a'))}${e(r('b'))}</m:d>`,
    '\\left[a\\right\\rfloor \\left\\langle a\\middle|b\\right\\rangle',
  ],
  'functions and limits': [
    of('func', { fName: plain('sin'), e: r('x') }) +
      of('func', { fName: of('limLow', { e: plain('lim'), lim: r('n→∞') }), e: r('a') }),
    '\\sin x\\lim_{n\\to \\infty} a',
  ],
  'accents, bars and braces': [
    of('acc', { e: r('v') }, says('chr', '⃗')) +
      of('acc', { e: r('ab') }) +
      of('bar', { e: r('z') }, says('pos', 'top')) +
      of('limLow', { e: of('groupChr', { e: r('a+b') }), lim: r('c') }) +
      of('limLow', { e: of('limLow', { e: r('a'), lim: r('⏟') }), lim: r('n') }),
    '\\vec{v}\\widehat{ab}\\overline{z}\\underbrace{a+b}_{c} \\underbrace{a}_{n}',
  ],
  matrices: [
    of('d', { e: `<m:m><m:mPr/><m:mr>${e(r('a'))}${e(r('b'))}</m:mr><m:mr>${e(r('c'))}${e(r('d'))}</m:mr></m:m>` }),
    '\\left(\\begin{matrix} a & b \\\\ c & d \\end{matrix}\\right)',
  ],
  'cases, aligned as they are there': [
    of(
      'd',
      { e: `<m:eqArr>${e(r('1 &amp;if x'))}${e(r('0 &amp;else'))}</m:eqArr>` },
      says('begChr', '{') + says('endChr', ''),
    ),
    '\\left\\{\\begin{aligned} 1 &if x \\\\ 0 &else \\end{aligned}\\right.',
  ],
  'what nobody knows, with what is in it': [`<m:new>${e(r('x'))}</m:new>`, 'x'],
  'words that every object knows, as words': [
    of('limLow', { e: r('a'), lim: r('constructor') }) + `<m:toString>${r('b')}</m:toString>`,
    '\\underset{constructor}{a}b',
  ],
  'without what a reviewer took out': [`${r('a')}<w:del>${r('b')}</w:del>`, 'a'],
}

for (const [what, [xml, tex]] of Object.entries(formulas)) {
  test(`a word processor formula becomes TeX that can be drawn: ${what}`, () => {
    const found = texOf(treeOf(`<m:oMath>${xml}</m:oMath>`)!)
    assert.equal(found, tex)
    temml.renderToString(found, { throwOnError: true })
  })
}

test('a document is imported with its formulas, inline and on lines of their own', async () => {
  const space = await aLiveSpace(app)
  const word = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
  const text =
    `<w:p>${word('The area is ')}<m:oMath>${r('π')}${of('sSup', { e: r('r'), sup: r('2') })}</m:oMath>${word(', and &lt;b&gt;.')}</w:p>` +
    `<w:p><m:oMathPara><m:oMathParaPr>${says('jc', 'left')}</m:oMathParaPr><m:oMath>${r('a&lt;b')}</m:oMath></m:oMathPara></w:p>` +
    `<w:p>${word('After it.')}</w:p>`
  const site = await aSite({ '/sums.docx': docx(text) })
  const made = await space.who.post(`${space.path}/content/import`, { url: site.url('/sums.docx'), source: 'docx' })
  assert.equal(made.status, 201, made.text)
  const { body } = await space.who.get(`${space.path}/content/path/sums?format=markdown`)
  assert.match(body.markdown, /The area is \$\$\\pi r\^\{2\}\$\$, and [\s\S]*?\n\n\$\$\na<b\n\$\$\n\nAfter it\.\n$/)
})

test('a document with a deeply nested formula and thousands of others is imported', async () => {
  const space = await aLiveSpace(app)
  const deep = `${'<m:e>'.repeat(200)}<m:r><m:t>deep</m:t></m:r>${'</m:e>'.repeat(200)}`
  const many = `<m:oMath>${r('x')}</m:oMath>`.repeat(2_000)
  const site = await aSite({ '/odd.docx': docx(`<w:p><m:oMath>${deep}</m:oMath>${many}</w:p>`) })
  const made = await space.who.post(`${space.path}/content/import`, { url: site.url('/odd.docx'), source: 'docx' })
  assert.equal(made.status, 201, made.text)
  const { body } = await space.who.get(`${space.path}/content/path/odd?format=markdown`)
  assert.match(body.markdown, /deep/)
})
