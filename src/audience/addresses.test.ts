import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindOfHost, plainHost, readPath, readReturnPath } from './addresses.ts'

test('a path is read as its decoded segments, and refused if it disguises another path or is malformed', () => {
  assert.deepEqual(readPath(''), { segments: [], hasSlash: true })
  assert.deepEqual(readPath('a/b'), { segments: ['a', 'b'], hasSlash: false })
  assert.deepEqual(readPath('caf%C3%A9/'), { segments: ['café'], hasSlash: true })
  const bad = [
    '/',
    '//',
    '/a',
    'a//b',
    'a//',
    './a',
    'a/..',
    '%2e%2e/a',
    'a%2Fb',
    'a%5cb',
    'a\\b',
    '%00',
    'a%0d%0a',
    '%',
    '%zz',
    '%ff',
  ]
  for (const path of [...bad, 'x'.repeat(3_000)]) assert.equal(readPath(path), undefined, path.slice(0, 20))
})

test('a return path stays on the same site or becomes empty', () => {
  assert.equal(readReturnPath('guide/one?x=1'), 'guide/one?x=1')
  assert.equal(readReturnPath('/guide'), 'guide')
  for (const bad of ['//evil.com', '/\\evil.com', 'a\\b', 'https://evil.com', '///x', 'a\r\nb', undefined]) {
    assert.equal(readReturnPath(bad), '')
  }
})

test('a host is recognized as the main address, that of an organization, or possibly that of a site', () => {
  const hosts = { url: 'https://docs.example.com:8443/below', sitesHost: 'sites.example.com:8443' }
  const kind = (host: string) => kindOfHost(hosts, plainHost(host))
  for (const main of [
    'docs.example.com',
    'DOCS.example.com:8443',
    'docs.example.com.',
    'localhost:3000',
    '127.0.0.1',
    '[::1]:80',
    '',
  ]) {
    assert.deepEqual(kind(main), { kind: 'main' }, main)
  }
  assert.deepEqual(kind('acme.sites.example.com'), { kind: 'organization', hostname: 'acme' })
  for (const other of ['help.acme.com', 'sites.example.com', 'xsites.example.com', 'example.com']) {
    assert.deepEqual(kind(other), { kind: 'custom' }, other)
  }
})
