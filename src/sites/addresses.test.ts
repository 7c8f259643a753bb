import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressBelow, mainAddress, mayBeHostOfSite, ownAddress, siteAddress } from './addresses.ts'

const site = { organization_hostname: 'acme', basename: 'docs', hostname: null, proxy: null }
const plain = { url: 'https://lectern.example.com', sitesHost: undefined }
const shared = { url: 'https://lectern.example.com', sitesHost: 'sites.example.com' }

test('the address shown for a site is its proxy, else its own host, else its subdomain, else the main address', () => {
  const hosted = { ...site, hostname: 'docs.acme.com' }
  const proxied = { ...hosted, proxy: 'acme.com/docs' }
  assert.equal(siteAddress(plain, site), 'https://lectern.example.com/sites/acme/docs/')
  assert.equal(siteAddress(shared, site), 'https://acme.sites.example.com/docs/')
  assert.equal(siteAddress(shared, hosted), 'https://docs.acme.com/')
  assert.equal(siteAddress(shared, proxied), 'https://acme.com/docs/')
  assert.equal(ownAddress(shared, proxied), 'https://docs.acme.com/')
  assert.equal(mainAddress(shared, proxied), 'https://lectern.example.com/sites/acme/docs/')
})

test('other hosts use the scheme and port of the main address, and the main address keeps its path prefix', () => {
  const local = { url: 'http://localhost:3000/lectern', sitesHost: 'sites.localhost' }
  assert.equal(siteAddress(local, site), 'http://acme.sites.localhost:3000/docs/')
  assert.equal(
    siteAddress({ ...local, sitesHost: 'sites.localhost:8080' }, site),
    'http://acme.sites.localhost:8080/docs/',
  )
  assert.equal(siteAddress(local, { ...site, hostname: 'docs.acme.com' }), 'http://docs.acme.com:3000/')
  assert.equal(mainAddress(local, site), 'http://localhost:3000/lectern/sites/acme/docs/')
})

test('the default of a level has no path in the address, and a share link key comes right after the site', () => {
  const step = (path: string, isDefault = false) => ({ path, isDefault })
  const at = (...steps: ({ path: string; isDefault: boolean } | null)[]) => addressBelow('https://acme.com/', ...steps)
  assert.equal(at(step('guides', true), step('v1', true)), 'https://acme.com/')
  assert.equal(at(step('guides', true), step('v2')), 'https://acme.com/v2/')
  assert.equal(at(step('api'), step('v1', true)), 'https://acme.com/api/')
  assert.equal(at(step('api'), step('日本')), 'https://acme.com/api/%E6%97%A5%E6%9C%AC/')
  assert.equal(at(null, step('v2')), 'https://acme.com/v2/')
  assert.equal(siteAddress(plain, site, 'k-1_x'), 'https://lectern.example.com/sites/acme/docs/k-1_x/')
})

test('a site cannot have the host of the instance, the shared host, or a host below the shared one', () => {
  const refused = ['lectern.example.com', 'sites.example.com', 'acme.sites.example.com', 'a.b.sites.example.com']
  for (const host of refused) assert.equal(mayBeHostOfSite(shared, host), false, host)
  for (const host of ['docs.example.com', 'mysites.example.com', 'x.lectern.example.com']) {
    assert.equal(mayBeHostOfSite(shared, host), true, host)
  }
  assert.equal(mayBeHostOfSite({ ...shared, sitesHost: 'sites.example.com:8080' }, 'acme.sites.example.com'), false)
  assert.equal(mayBeHostOfSite(plain, 'acme.sites.example.com'), true)
})
