import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RedirectMatcher, externalTarget, matchOf } from './match.ts'

function matcher(...sources: string[]) {
  const redirects = sources.map((source) => ({ source, match: matchOf(source)!, captureWildcard: true }))
  const made = new RedirectMatcher(redirects)
  return (path: string) => {
    const found = made.find(path)
    return found && [found.redirect.source, ...found.rest]
  }
}

test('a redirect source consists of unreserved characters and percent codes, with an optional wildcard at its end', () => {
  const good = ['/a', '/a/b-c_d~e.f', '/caf%C3%A9', '/docs/*', '/docs*', '/a/b-*', '/*', '/a%2Fb', '/x%2A']
  for (const source of good) assert.ok(matchOf(source), source)
  const bad = ['', '/', 'a', '//a', '/a/', '/a//b', '/a b', '/a?b', '/a#b', '/a/*/b', '/**', '/a**', '*', '/é', '/%zz']
  const worse = ['/%ff', '/a/..', '/%2e%2E/a', '/./a', '/a\\b', 'https://a/b', '/a\n', '/%']
  for (const source of [...bad, ...worse]) assert.equal(matchOf(source), undefined, source)
})

test('redirect sources match regardless of case, encoding and a trailing slash', () => {
  const find = matcher('/Guides/Caf%C3%A9')
  for (const path of [
    '/guides/café',
    '/GUIDES/CAF%C3%89',
    'guides/caf%c3%a9/',
    '/guides//cafe%CC%81',
    '/%67uides/café',
  ]) {
    assert.deepEqual(find(path), ['/Guides/Caf%C3%A9'], path)
  }
  for (const path of ['/guides', '/guides/café/x', '/guides%2Fcafé', '/guides/caf%E9', '/']) {
    assert.equal(find(path), undefined, path)
  }
})

test('an encoded slash or star in a source matches only itself', () => {
  const find = matcher('/a%2Fb', '/all%2A')
  assert.deepEqual(find('/a%2fb'), ['/a%2Fb'])
  assert.equal(find('/a/b'), undefined)
  assert.deepEqual(find('/all*'), ['/all%2A'])
  assert.equal(find('/all-of-it'), undefined)
  assert.equal(matcher('/a%252Fb')('/a%2Fb'), undefined)
})

test('an exact source comes before a wildcard, a longer wildcard before a shorter one', () => {
  const find = matcher('/*', '/docs*', '/docs/*', '/docs/api/*', '/docs/api/v1')
  assert.deepEqual(find('/docs/api/v1'), ['/docs/api/v1'])
  assert.deepEqual(find('/docs/api/v1/x'), ['/docs/api/*', 'v1', 'x'])
  assert.deepEqual(find('/docs/api'), ['/docs/api/*'])
  assert.deepEqual(find('/docs/apis'), ['/docs/*', 'apis'])
  assert.deepEqual(find('/docs'), ['/docs/*'])
  assert.deepEqual(find('/docs-old/x'), ['/docs*', '-old', 'x'])
  assert.deepEqual(find('/other'), ['/*', 'other'])
  assert.deepEqual(find('/'), ['/*'])
})

test('the part captured by a wildcard keeps its case and is decoded, and without capture there is none', () => {
  assert.deepEqual(matcher('/OLD/*')('/old/Caf%C3%89/B%2Fc'), ['/OLD/*', 'CafÉ', 'B/c'])
  assert.deepEqual(matcher('/v%C3%89*')('/VÉ2/İx'), ['/v%C3%89*', '2', 'İx'])
  // A capital İ is two characters in lower case.
  assert.deepEqual(matcher('/i%CC%87*')('/İx'), ['/i%CC%87*', 'x'])
  const plain = new RedirectMatcher([{ match: matchOf('/old/*')!, captureWildcard: false }])
  assert.deepEqual(plain.find('/old/x')?.rest, [])
})

test('paths with . or .. segments match no redirect, in any encoding', () => {
  const find = matcher('/old/*', '/*')
  for (const path of ['/old/../x', '/old/%2e%2e/x', '/old/.%2E', '/./old', '/old/%2E/x', '/old/%zz']) {
    assert.equal(find(path), undefined, path)
  }
})

test('a captured part of a segment is never . or .., so the target stays below the destination', () => {
  const find = matcher('/old*', '/docs/v*')
  for (const [path, ...rest] of [
    ['/old..'],
    ['/old%2E%2e/x', 'x'],
    ['/old./x', 'x'],
    ['/docs/v../x', 'x'],
    ['/old...', '...'],
  ]) {
    assert.deepEqual(find(path!)?.slice(1), rest, path)
    const target = externalTarget('https://example.com/ours/docs', rest)
    assert.ok(target.startsWith('https://example.com/ours/docs'), target)
  }
})

test('captured parts go into the path of an external destination and change nothing else of it', () => {
  assert.equal(externalTarget('https://example.com', ['a', 'b']), 'https://example.com/a/b')
  assert.equal(externalTarget('https://example.com/docs/?q=1#top', ['a']), 'https://example.com/docs/a?q=1#top')
  assert.equal(externalTarget('https://example.com/docs?q=1', []), 'https://example.com/docs?q=1')
  const hostile = [
    '@evil.example',
    '.evil.example',
    '//evil.example',
    '\\evil.example',
    ':8080',
    '?x',
    '#x',
    'é',
    '%2e%2e',
  ]
  for (const segment of hostile) {
    const { origin, pathname, search, hash, username } = new URL(externalTarget('https://example.com/docs', [segment]))
    assert.deepEqual([origin, search, hash, username], ['https://example.com', '', '', ''], segment)
    assert.equal(pathname, `/docs/${encodeURIComponent(segment)}`)
  }
})
