// Content that other tools show from their files is shown here as well.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { projectImporter } from './testing/project.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })
const imported = projectImporter(app)
const isOk = (statuses: string[]) =>
  assert.deepEqual(
    statuses.filter((status) => status === 'broken'),
    [],
  )

test('a page takes its title from its first heading, even in HTML, after a comment, or after a logo', async () => {
  const { outline, markdown } = await imported({
    'a.md': '<h1 align="center">Shop &amp; <b>more</b></h1>\n\nText\n',
    'b.md': '<!-- lint off -->\n\n# Bread\n\nText\n',
    'c.md': '<p align="center">\n  <img src="x.png">\n</p>\n\n[![Build](x.png)](https://x.test)\n\n# Cheese\n\nText\n',
    'd.md': '<h1><img src="x.png"> Dates</h1>\n\nText\n',
    'e.md': 'Text first\n\n# Not a title\n',
    'x.png': 'x',
  })
  assert.equal(outline, 'Shop & more Bread Cheese Dates E')
  for (const path of ['c', 'd']) assert.match(await markdown(path), /img src="\/files\//)
  assert.equal((await markdown('c')).match(/Cheese/g)?.length, 1)
})

test('pictures and links in the first heading are kept below the title', async () => {
  const { outline, markdown, links } = await imported({
    'a.md': '# Apples [![Build](x.png)](https://x.test) ![npm][1]\n\nText\n\n[1]: x.png\n',
    'b.md': '# ![Logo](x.png) [Bread](https://x.test/bread)\nText\n',
    'c.md': 'Cheese [![Build](x.png)](https://x.test)\n======\n\nText\n',
    'd.md': '<h1 align="center"><a href="https://x.test"><img src="x.png"></a> <a href="#d">Dates</a></h1>\n\nText\n',
    'e.md': '---\ntitle: Eggs\n---\n\n# <img src="x.png"> Eggs\n\nText\n',
    'f.md': '# ![Figs](x.png)\n\nText\n',
    'g.md': '# [Grapes](#grapes) <a name="g"></a>\n\nText\n',
    'x.png': 'x',
  })
  assert.equal(outline, 'Apples Bread Cheese Dates Eggs Figs Grapes')
  const body = async (path: string) =>
    (await markdown(path)).replace(/^---\n[^]*?---\n/, '').replaceAll(/\/files\/[\w-]+/g, 'x.png')
  assert.equal(await body('a'), '# Apples\n\n[![Build](x.png)](https://x.test) ![npm][1]\n\nText\n\n[1]: x.png\n')
  assert.equal(await body('b'), '# Bread\n\n![Logo](x.png) [Bread](https://x.test/bread)\n\nText\n')
  assert.equal(await body('c'), '# Cheese\n\n[![Build](x.png)](https://x.test)\n\nText\n')
  assert.match(await body('d'), /<p align="center"><a href="https:\/\/x.test"><img src="x.png"><\/a><\/p>\n\nText/)
  assert.match(await body('e'), /<img src="x.png">\n\nText/)
  assert.equal(await body('f'), '# Figs\n\n![Figs](x.png)\n\nText\n')
  assert.match(await body('g'), /^# (?:(?!x\.png)[^])*\n\nText\n$/)
  isOk(await links())
})

test('a first heading that differs from the title stays in the text, and one that repeats the title does not', async () => {
  const { markdown } = await imported({
    'a.md': '---\ntitle: Home\n---\n\n# Welcome\n\nText\n',
    'b.md': '---\ntitle: Next one\n---\n\n# Next One\n\nText\n',
  })
  const body = async (path: string) => (await markdown(path)).split('---\n')[2]
  assert.equal(await body('a'), '# Welcome\n\nText\n')
  assert.equal(await body('b'), '\n# Next One\n\nText\n')
})

test('MkDocs theme overrides are not imported as pages, and HTML finds its pictures as on the site', async () => {
  const { outline, links, told } = await imported({
    'mkdocs.yml': 'site_name: X\nnav:\n  - index.md\n  - Setup: guide/setup.md\n',
    'overrides/main.html': '{% extends "base.html" %}<p>Theme</p>',
    'docs/overrides/home.html': '<p>Home</p>',
    'docs/index.md': '# Start\n',
    'docs/guide/setup.md': '# Setup\n\n<img src="../../img/a.png">\n',
    'docs/img/a.png': 'x',
  })
  assert.equal(outline, 'Start Setup')
  assert.deepEqual(told, [])
  isOk(await links())
})

test('all pictures of a srcset are imported, and an address that contains a comma is kept whole', async () => {
  const { markdown, links, told } = await imported({
    'a.md':
      '# A\n\n<picture><source srcset="a.png 1x, b.png 2x"><img src="a.png"></picture>\n\n<picture><source srcset="c, d.png" media="(prefers-color-scheme: dark)"><img src="a.png"></picture>\n',
    'a.png': 'x',
    'b.png': 'y',
    'c, d.png': 'z',
  })
  assert.match(await markdown('a'), /srcset="\/files\/[\w-]+ 1x, \/files\/[\w-]+ 2x"[^]*srcset="\/files\/[\w-]+" media/)
  assert.deepEqual(told, [])
  isOk(await links())
})

test("Hugo links are resolved from the page's address and from the site root, and included files are inserted", async () => {
  const { links, markdown } = await imported({
    'hugo.toml': 'title = "X"\n',
    'content/_index.md': '---\ntitle: Home\n---\n',
    'content/docs/a.md':
      '---\ntitle: A\n---\n\n[b](../b) [c]({{< relref "docs/c.md" >}})\n\n{{% include "part.txt" %}}\n',
    'content/docs/part.txt': 'Taken\n',
    'content/docs/b.md': '---\ntitle: B\n---\n',
    'content/docs/c.md': '---\ntitle: C\n---\n',
  })
  assert.match(await markdown('docs/a'), /\[b\]\(\/pages\/[^]*\[c\]\(\/pages\/[^]*Taken/)
  isOk(await links())
})

test('Sphinx pages are ordered by their toctrees', async () => {
  const { outline } = await imported({
    'docs/index.md': '# Project\n\n```{toctree}\n:maxdepth: 2\n\nusage\nThe API <api/index>\nextra\n```\n',
    'docs/api/index.md': '# API\n\n```{toctree}\nz\na\n```\n',
    'docs/api/a.md': '# A\n',
    'docs/api/z.md': '# Z\n',
    'docs/extra.md': '# Extra\n',
    'docs/usage.md': '# Usage\n',
  })
  assert.equal(outline, 'Project Usage API (Z A) Extra')
})

test('a wiki begins with its home, and Wiki.js titles in comments and languages in addresses are understood', async () => {
  const head = 'published: true\neditor: ckeditor\n'
  const { outline, links, told } = await imported({
    'about.html': `<!--\ntitle: About us\ndescription: Who\n${head}-->\n\n<p>Text <a href="/en/guide/setup">setup</a></p>\n`,
    'draft.html': `<!--\ntitle: Draft\npublished: false\neditor: code\n-->\n\n<p>Text</p>\n`,
    'guide/setup.md': '# Setup\n\n[home](/en/home)\n',
    'home.md': '---\ntitle: Welcome\n---\n\nText\n',
  })
  assert.equal(outline, 'Welcome About us Guide (Setup)')
  assert.match(told.join(), /^draft.html is a draft/)
  isOk(await links())
})

test('Confluence links by page id lead to the page', async () => {
  const page = (title: string, body: string) =>
    `<html><head><title>S : ${title}</title></head><body><div id="main"><h1 id="title-heading"><span id="title-text">S : ${title}</span></h1><div id="main-content" class="wiki-content">${body}</div></div><div id="footer">Document generated by Confluence</div></body></html>`
  const { markdown } = await imported({
    'S/Home_11.html': page('Home', '<p><a href="/wiki/pages/viewpage.action?pageId=12">a</a> <a href="https://x.test/wiki/spaces/S/pages/12/Next">b</a></p>'),
    'S/Next_12.html': page('Next', '<p>Text</p>'),
  }) // prettier-ignore
  assert.match(await markdown('home'), /\[a\]\(\/pages\/[\w-]+\) \[b\]\(\/pages\/[\w-]+\)/)
})

test('a book is imported with its covers, and a horizontal rule in its summary ends a group', async () => {
  const { space, outline } = await imported({
    'SUMMARY.md': '# Contents\n\n* [A](README.md)\n\n## Group\n\n* [B](b.md)\n\n***\n\n* [C](c.md)\n',
    'README.md': '---\ncover: .gitbook/assets/a.png\ncoverY: 10\n---\n\n# A\n',
    'b.md': '# B\n',
    'c.md': '# C\n',
    '.gitbook/assets/a.png': 'x',
  })
  assert.equal(outline, 'A Group (B) C')
  const [{ cover }] = (await space.who.get(`${space.path}/content`)).body.pages
  assert.deepEqual([cover.ref.kind, cover.yPos], ['file', 10])
})
