import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../test/growth.ts'
import { readBook } from './book.ts'
import { readLayoutConfig } from './config.ts'
import { encodePath, isPlainPath, relativePath, resolvePath, spellings } from './paths.ts'
import type { BookPage, Listed } from './shape.ts'
import { readSummary } from './summary.ts'
import { writeSummary } from './write-summary.ts'

type Files = Record<string, string>

const bookOf = (files: Files) =>
  readBook(new Map(Object.keys(files).map((path) => [path, { oid: '', size: 0 }])), (path) => files[path])

/** Each page as its path or as `type:title→target`, followed by the pages below it in parentheses. */
const shown = (pages: readonly BookPage[]): string =>
  pages
    .map((page) => {
      const target =
        page.target &&
        ('path' in page.target ? `→${page.target.path}#${page.target.anchor ?? ''}` : `→${page.target.href}`)
      const own = page.type === 'document' ? page.path : `${page.type}:${page.title}${target ?? ''}`
      return page.pages.length > 0 ? `${own} (${shown(page.pages)})` : own
    })
    .join(', ')

test('headings of a table of contents become groups, nested lists keep their nesting, and its title is ignored', () => {
  const files = {
    'SUMMARY.md':
      '# Summary\n\n[Intro](intro.md)\n\n* [A](a/README.md)\n    * [B](a/b.md)\n        * [C](<a/c d.md>)\n* Plain\n  1. [D](d.md)\n\n## Group\n\n- [E](e.md "In the menu")\n\n---\n\n### Empty\n',
    'README.md': '',
    'intro.md': '',
    'a/README.md': '',
    'a/b.md': '',
    'a/c d.md': '',
    'd.md': '',
    'e.md': '',
    'not-listed.md': '',
  }
  const { pages, problems, hasSummary } = bookOf(files)
  assert.equal(
    shown(pages),
    'README.md, intro.md, a/README.md (a/b.md (a/c d.md)), group:Plain (d.md), group:Group (e.md), group:Empty',
  )
  assert.deepEqual([problems, hasSummary], [[], true])
})

test('listed items that are not new pages become links or groups, or are reported, and pages below them are kept', () => {
  const files = {
    'SUMMARY.md':
      '* [A](a.md)\n* [Again](a.md)\n* [Part](a.md#part)\n* [Web](https://x.test/y)\n  * [B](b.md)\n* [Gone](gone.md)\n* [Gone too](gone/)\n  * [C](c)\n* [File](files/x.pdf)\n* [Out](../../etc/passwd)\n',
    'a.md': '',
    'b.md': '',
    'c.md': '',
    'files/x.pdf': '',
  }
  const { pages, problems } = bookOf(files)
  assert.equal(
    shown(pages),
    'a.md, link:Again→a.md#, link:Part→a.md#part, group:Web (link:Web→https://x.test/y, b.md), group:Gone too (c.md), link:File→files/x.pdf#',
  )
  assert.deepEqual(
    problems.map(({ message }) => message),
    ['gone.md', 'gone/', '../../etc/passwd'].map((path) => `lists ${path}, which is not in the repository`),
  )
})

test('a listed file whose name differs only in case is reported with its actual name', () => {
  const files = {
    'SUMMARY.md': '* [One](Readme.md)\n* [Setup](guide/Setup.md)\n',
    'README.md': '',
    'Guide/setup.md': '',
  }
  assert.deepEqual(
    bookOf(files).problems.map(({ message }) => message),
    ['lists guide/Setup.md, which is not in the repository: case matters, and the file is called Guide/setup.md'],
  )
})

test('a page listed only by one of its headings is a page, and a file name with a colon is not taken for a URL', () => {
  const files = {
    'SUMMARY.md':
      '* [Early](a.md#early)\n* [A](a.md)\n* [B](b.md#top)\n  * [Late](b.md#late)\n* [C](Foo::Bar.md)\n* [Web](https://x.test/Foo::Bar.md)\n* [Mail](mailto:a@x.test)\n',
    'a.md': '',
    'b.md': '',
    'Foo::Bar.md': '',
  }
  const { pages, problems } = bookOf(files)
  assert.equal(
    shown(pages),
    'link:Early→a.md#early, a.md, b.md (link:Late→b.md#late), Foo::Bar.md, link:Web→https://x.test/Foo::Bar.md, link:Mail→mailto:a@x.test',
  )
  assert.deepEqual(problems, [])
})

test('malformed links of a table of contents are read as intended, and entries without a target become groups', () => {
  const files = {
    'SUMMARY.md':
      '* [Spaces](my page.md)\n  * [Never closed](a.md\n* [Titled](b c.md "Menu")\n* [Draft]()\n  * [D](d.md)\n* \\[Words\\](e.md)\n* [Gone](not there.md)\n',
    'README.md': '',
    'my page.md': '',
    'a.md': '',
    'b c.md': '',
    'd.md': '',
    'e.md': '',
  }
  const { pages, problems } = bookOf(files)
  assert.equal(shown(pages), 'README.md, my page.md (a.md), b c.md, group:Draft (d.md), group:[Words](e.md)')
  assert.deepEqual(
    problems.map(({ message }) => message),
    ['lists not there.md, which is not in the repository'],
  )
})

test('an unreadable table of contents is reported, and the folders are used instead', () => {
  const pages = { 'README.md': '', 'a.md': '', 'b/c.md': '' }
  for (const text of ['', 'Nothing here is a list.\n', '\uFFFD\u0001\uFFFD{]\n']) {
    const { pages: found, problems } = bookOf({ ...pages, 'SUMMARY.md': text })
    assert.equal(shown(found), 'README.md, a.md, group:B (b/c.md)', text)
    assert.deepEqual(problems, [
      { path: 'SUMMARY.md', message: 'lists no pages: the folders are the table of contents instead' },
    ])
  }
  const large = new Map(
    Object.keys({ ...pages, 'SUMMARY.md': '', '.gitbook/vars.yaml': '', '.gitbook.yaml': '' }).map((path) => [
      path,
      { oid: '', size: 9e6 },
    ]),
  )
  const { pages: found, problems } = readBook(large, () => undefined)
  assert.equal(shown(found), 'README.md, a.md, group:B (b/c.md)')
  assert.deepEqual(
    problems.map(({ path, message }) => `${path} ${message}`),
    [
      '.gitbook.yaml is too large to be read: it is treated as empty',
      'SUMMARY.md is too large to be read: the folders are the table of contents instead',
      '.gitbook/vars.yaml is too large to be read: there are no variables',
    ],
  )
  // Somebody removed all pages on purpose, so this is not a problem.
  assert.deepEqual(bookOf({ 'a.md': '', 'SUMMARY.md': '# Table of contents\n' }).problems, [])
})

test('without a table of contents, folders with a README become pages, others groups, and numbers sort by value', () => {
  const files = {
    'README.md': '',
    'b-page.md': '',
    'A-page.md': '',
    'guide/README.md': '',
    'guide/step-10.md': '',
    'guide/step-2.md': '',
    'no_readme/deep/x.md': '',
    '.github/ISSUE.md': '',
    '.gitbook/includes/note.md': '',
    'image.png': '',
  }
  const { pages, includes } = bookOf(files)
  assert.equal(
    shown(pages),
    'README.md, A-page.md, b-page.md, guide/README.md (guide/step-2.md, guide/step-10.md), group:No readme (group:Deep (no_readme/deep/x.md))',
  )
  assert.deepEqual(includes, ['.gitbook/includes/note.md'])
})

test('.gitbook.yaml sets the root, README, table of contents and redirects, and an invalid one is reported and ignored', () => {
  const files = {
    '.gitbook.yaml':
      'root: ./docs/\nstructure:\n  readme: intro.md\n  summary: ./toc/LIST.md\nredirects:\n  /old/page/: new.md\n',
    'docs/toc/LIST.md': '* [New](../new.md)\n* [From the root](/other.md)\n',
    'docs/intro.md': '',
    'docs/new.md': '',
    'docs/other.md': '',
    'README.md': '',
  }
  const { pages, config } = bookOf(files)
  assert.equal(shown(pages), 'docs/intro.md, docs/new.md, docs/other.md')
  assert.deepEqual([...config.redirects], [['old/page', 'docs/new.md']])

  for (const yaml of ['root: ../..\n', 'root: [1]\n', '- a\n- b\n', 'a: &a [*a]\n', `root: ${'x'.repeat(100_000)}\n`]) {
    const { pages: plain, problems } = bookOf({ '.gitbook.yaml': yaml, 'README.md': '' })
    assert.equal(shown(plain), 'README.md')
    assert.equal(problems.length, 1, yaml.slice(0, 20))
  }
})

test('files that are not Markdown are reported in one message where the folders are the table of contents', () => {
  const files = { 'a.md': '', 'b.mdx': '', 'c/d.rst': '', '.github/e.rst': '', 'f.html': '' }
  assert.deepEqual(bookOf(files).problems, [
    {
      path: 'b.mdx',
      message:
        'and 1 other file are not Markdown, so they are not pages here. Import a zip of MDX, or the website that is built from them',
    },
  ])
  assert.deepEqual(bookOf({ 'a.md': '', 'b.rst': '' }).problems, [
    {
      path: 'b.rst',
      message: 'is not Markdown, so it is not a page here. Convert it, or import the website that is built from it',
    },
  ])
  assert.deepEqual(bookOf({ ...files, 'SUMMARY.md': '* [A](a.md)\n' }).problems, [])
})

test('files that .gitbook.yaml names but the repository lacks are reported', () => {
  const { pages, problems } = bookOf({
    '.gitbook.yaml': 'structure:\n  readme: intro.md\n  summary: TOC.md\n',
    'README.md': '',
    'SUMMARY.md': '',
  })
  assert.equal(shown(pages), 'README.md, SUMMARY.md')
  assert.deepEqual(
    problems.map(({ message }) => message),
    [
      'names TOC.md as structure.summary, which is not in the repository: the folders are the table of contents instead',
      'names intro.md as structure.readme, which is not in the repository',
    ],
  )
  assert.deepEqual(bookOf({ 'a.md': '' }).problems, [])
})

test('variables are names with plain values, and anything else is reported', () => {
  const path = '.gitbook/vars.yaml'
  const { variables, problems } = bookOf({ [path]: 'a: 1\nb: "x"\nc: true\n"d-e": 1\nf: [1]\n__proto__: x\n' })
  assert.deepEqual({ ...variables }, { a: '1', b: 'x', c: 'true', ['__proto__']: 'x' })
  assert.equal(problems.length, 2)
})

test('a written table of contents reads back as the same, whatever the titles', () => {
  const page = (title: string, href: string, items: Listed[] = []): Listed => ({ title, href, items })
  const lists: Listed[][] = [
    [page('A [b] *c* `d` <e> \\ # $x$ {{ y }} #', 'a.md', [page('1. One', 'b.md'), page('- dash', 'c.md')])],
    [{ title: 'First', items: [page('A', 'a.md')] }, page('After it', 'b.md'), { title: 'Last', items: [] }],
    [{ title: '', fields: { type: 'group', title: '', icon: 'x`` `y' }, items: [page('A', 'a.md')] }],
    [{ ...page('A', 'a.md'), menuTitle: 'In "the" menu \\' }],
    [{ title: 'Outer', items: [{ title: 'Inner', items: [page('A', 'a.md')] }, page('B', 'b.md')] }, page('C', 'c.md')],
  ]
  for (const list of lists) {
    for (const before of [undefined, '# Contents\r\n\r\n- [x](y)\r\n']) {
      const text = writeSummary(list, before)
      assert.deepEqual(plain(readSummary(text)), plain(list), text)
    }
  }
})

test('entries of a table of contents keep their spelling while it matches the title', () => {
  const lines = ['* [Expand `--x`](a.md)', '  * [-d vs -F](b.md)', '  * [multi\\_socket](<c.md>)', '* [*Gone*](d.md)']
  const before = `# Table of contents\n\n${lines.join('\n')}\n`
  const [a, d] = readSummary(before)
  const [b, c] = a!.items
  assert.equal(writeSummary([{ ...a!, items: [b!] }], before), `# Table of contents\n\n${lines[0]}\n${lines[1]}\n`)
  assert.equal(
    writeSummary([c!, { ...d!, title: 'Back' }, { ...a!, title: 'Expand', items: [] }], before),
    '# Table of contents\n\n* [multi\\_socket](c.md)\n* [Back](d.md)\n* [Expand](a.md)\n',
  )
})

test('text above the list and its indentation are kept, unless they would hide the list', () => {
  const above = ['', '\uFEFF# Contents\n', 'Contents\n========\n\n', '---\na:\n  - b\n---\n\n<!-- Ask Jo. -->\n']
  for (const opening of above) {
    for (const step of ['  ', '   ', '    ', '\t']) {
      const before = `${opening}- [A](a.md)\n${step}- [B](b.md)\n${step}${step}- [C](c.md)\n`
      const added: Listed = { title: 'D', href: 'd.md', items: [] }
      assert.equal(writeSummary([...readSummary(before), added], before), `${before}- [D](d.md)\n`)
    }
  }
  const usual = '# Table of contents\n\n* [A](a.md)\n'
  const list = readSummary(usual)
  for (const before of ['<!--\n* [X](x.md)\n-->\n* [A](a.md)\n', 'None.\n', ''])
    assert.equal(writeSummary(list, before), usual, before)
  assert.equal(writeSummary([], '* [A](a.md)\n'), '# Table of contents\n')
})

const plain = (items: readonly Listed[]): unknown =>
  items.map(({ title, href, menuTitle, fields, items: below }) => ({
    title,
    href,
    menuTitle,
    fields,
    items: plain(below),
  }))

test('paths resolve within the repository, and unsafe ones are recognized', () => {
  assert.equal(resolvePath('a/b', '../c/./d.md'), 'a/c/d.md')
  assert.equal(resolvePath('a', '../../x'), undefined)
  assert.equal(relativePath('a/b/c.md', 'a/d.md'), '../d.md')
  assert.equal(relativePath('a.md', 'b/c.md'), 'b/c.md')
  assert.ok(spellings(encodePath("a b(1)#?'%.md")).includes("a b(1)#?'%.md"))
  assert.deepEqual(['Foo::Bar.md', 'a/Foo::Bar.md'].map(encodePath), ['Foo%3A%3ABar.md', 'a/Foo::Bar.md'])
  assert.deepEqual(
    ['a/b.md', '', 'a//b', '../a', 'a/./b', '.git/config', 'a/.GIT/x', 'a\nb', 'a\\b', 'x'.repeat(1001)].map(
      isPlainPath,
    ),
    [true, ...Array.from({ length: 9 }, () => false)],
  )
})

test('the time to read a redirect grows linearly with its slashes', () => {
  const read = (length: number) => readLayoutConfig(`redirects:\n  ./a${'/'.repeat(length)}b/: README.md\n`)
  assert.deepEqual([...read(2).config.redirects], [['a//b', 'README.md']])
  assertLinear(read, 60_000)
})

test('a rule is written before pages that follow a group, and ends the group when read', () => {
  const page = (title: string, href: string): Listed => ({ title, href, items: [] })
  const list = [page('A', 'a.md'), { title: 'G', items: [page('B', 'b.md')] }, page('C', 'c.md')]
  const text = '# Table of contents\n\n* [A](a.md)\n\n## G\n\n* [B](b.md)\n\n***\n\n* [C](c.md)\n'
  assert.equal(writeSummary(list, undefined), text)
  assert.deepEqual(readSummary(text), list)
})
