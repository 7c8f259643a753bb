import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPath } from './addresses.ts'
import { resolve } from './resolve.ts'
import { type SiteSketch, sketchSite } from './testing/snapshots.ts'
import { type Visitor, visitorWith } from './visitors/visitor.ts'

/** Returns a function that describes in a few words what a visitor finds at a path. */
function finder(sketch: SiteSketch, claims: Record<string, unknown> = {}, more: Partial<Visitor> = {}) {
  const { snapshot, sources } = sketchSite(sketch)
  const { unsigned, ...signed } = claims
  const visitor = { ...visitorWith(snapshot, signed, unsigned), ...more }
  return async (path: string) => {
    const found = await resolve(snapshot, visitor, readPath(path)!, sources)
    switch (found.kind) {
      case 'page':
        return `${found.place.variant.row.id}: ${found.page.entry}`
      case 'moved':
        return `${found.status} /${found.path}`
      case 'external':
        return `${found.status} ${found.url}`
      case 'below':
        return `${found.place.variant.row.id} ~ ${found.rest.join(' ')}`
      default:
        return found.kind
    }
  }
}

async function expectAll(find: (path: string) => Promise<string>, expected: Record<string, string>) {
  for (const [path, what] of Object.entries(expected)) assert.equal(await find(path), what, `/${path}`)
}

const pages = [{ slug: 'start' }, { slug: 'guide', pages: [{ slug: 'deep', pages: [{ slug: 'deeper' }] }] }]

test('a page has one address, and a trailing slash or the path of its variant redirects there', async () => {
  await expectAll(finder({ root: [{ path: 'v1', pages }] }), {
    '': 'v1: start',
    start: '308 /',
    guide: 'v1: guide',
    'guide/': '308 /guide',
    'guide/deep/deeper': 'v1: deeper',
    v1: '308 /',
    'v1/': '308 /',
    'v1/guide': '308 /guide',
    'v1/start': '308 /',
    Guide: 'missing',
    'guide/nothing': 'missing',
    deep: 'missing',
  })
})

test('the landing page is the first visible document, even after hidden pages, links and inside a group', async () => {
  const hidden = [
    { slug: 'away', hidden: true },
    { slug: 'link', type: 'link' as const },
    { slug: 'made', type: 'computed' as const },
    { slug: 'never', condition: 'visitor.claims.nobody' },
    {
      slug: 'group',
      type: 'group' as const,
      pages: [{ slug: 'gone', hidden: true }, { slug: 'first' }, { slug: 'second' }],
    },
  ]
  await expectAll(finder({ root: [{ path: 'v1', pages: hidden }] }), {
    '': 'v1: first',
    'group/first': '308 /',
    // A group is not a page: it leads to its first page.
    group: '307 /',
    away: 'v1: away',
    link: 'missing',
    made: 'missing',
    never: 'missing',
  })
  await expectAll(finder({ root: [{ path: 'v1', pages: [] }] }), { '': 'missing' })
})

test('the default section and variant need no path segment, all others do', async () => {
  const sketch: SiteSketch = {
    sections: [
      {
        path: 'docs',
        variants: [
          { path: 'v2', pages },
          { path: 'v1', pages },
        ],
      },
      {
        path: 'api',
        variants: [
          { path: 'v2', pages },
          { path: 'v1', isDefault: false, pages },
        ],
      },
    ],
  }
  await expectAll(finder(sketch), {
    '': 'docs/v2: start',
    guide: 'docs/v2: guide',
    'v1/': 'docs/v1: start',
    v1: '308 /v1/',
    'v1/guide': 'docs/v1: guide',
    'docs/v1/guide': '308 /v1/guide',
    'docs/guide': '308 /guide',
    'docs/v2/guide': '308 /guide',
    'api/': 'api/v2: start',
    api: '308 /api/',
    'api/guide': 'api/v2: guide',
    'api/v1/guide': 'api/v1: guide',
    'api/v2/guide': '308 /api/guide',
    'api/start': '308 /api/',
    '~/files/x': 'docs/v2 ~ files x',
    'api/v1/~/files/x': 'api/v1 ~ files x',
    'other/guide': 'missing',
  })
})

test('a page with the slug of a section or variant keeps an address that names its own section or variant', async () => {
  const sketch: SiteSketch = {
    sections: [
      {
        path: 'docs',
        variants: [
          { path: 'v2', pages: [{ slug: 'start' }, { slug: 'api' }, { slug: 'v1' }] },
          { path: 'v1', pages },
        ],
      },
      { path: 'api', variants: [{ path: 'v2', pages }] },
    ],
  }
  await expectAll(finder(sketch), {
    api: '308 /api/',
    'docs/api': 'docs/v2: api',
    'v2/v1': 'docs/v2: v1',
    'docs/v2/v1': '308 /v2/v1',
    'docs/v2/api': '308 /docs/api',
  })
})

test('a page named like a file of the site, such as robots.txt, keeps an address that names its place', async () => {
  const named = [{ slug: 'start' }, { slug: 'robots.txt' }, { slug: 'guide', pages: [{ slug: 'llms.txt' }] }]
  await expectAll(finder({ root: [{ path: 'v1', pages: named }] }), {
    'v1/robots.txt': 'v1: robots.txt',
    'guide/llms.txt': 'v1: llms.txt',
  })
  await expectAll(finder({ sections: [{ path: 'docs', variants: [{ path: 'v1', pages: named }] }] }), {
    'docs/robots.txt': 'docs/v1: robots.txt',
    'docs/v1/robots.txt': '308 /docs/robots.txt',
    'guide/llms.txt': 'docs/v1: llms.txt',
  })
})

test('a page, section or variant that a condition hides is missing, with everything below it', async () => {
  const sketch: SiteSketch = {
    sections: [
      {
        path: 'docs',
        variants: [
          {
            path: 'v1',
            pages: [
              { slug: 'start' },
              { slug: 'pro', condition: 'visitor.claims.plan == "pro"', pages: [{ slug: 'inside' }] },
            ],
          },
        ],
      },
      { path: 'beta', condition: 'visitor.claims.beta === true', variants: [{ path: 'v1', pages }] },
      {
        path: 'api',
        variants: [
          { path: 'v1', pages },
          { path: 'v0', condition: 'visitor.claims.old.includes("v0")', pages },
        ],
      },
      { path: 'broken', condition: 'visitor.claims.(', variants: [{ path: 'v1', pages }] },
      {
        path: 'failing',
        condition: 'visitor.claims.plan.includes("x") || visitor.claims.beta.includes("x")',
        variants: [{ path: 'v1', pages }],
      },
    ],
  }
  const everybody = { '': 'docs/v1: start', 'api/': 'api/v1: start', 'broken/': 'missing' }
  const nothing = {
    pro: 'missing',
    'pro/inside': 'missing',
    'beta/': 'missing',
    'beta/guide': 'missing',
    'api/v0/guide': 'missing',
  }
  await expectAll(finder(sketch), { ...everybody, ...nothing, 'failing/': 'missing' })
  await expectAll(finder(sketch, { plan: 'free', beta: 'true', old: 'V0' }), {
    ...everybody,
    ...nothing,
    'failing/': 'missing',
  })
  await expectAll(finder(sketch, { plan: 'pro', beta: true, old: ['v0'] }), {
    ...everybody,
    pro: 'docs/v1: pro',
    'pro/inside': 'docs/v1: inside',
    'beta/guide': 'beta/v1: guide',
    'api/v0/guide': 'api/v0: guide',
    // The condition asks whether a boolean includes something, which fails.
    'failing/': 'missing',
  })
  // Unsigned claims do not count as signed ones.
  await expectAll(finder(sketch, { unsigned: { plan: 'pro', beta: true } }), { ...everybody, ...nothing })
  await expectAll(finder({ ...sketch, site: { adaptive_enabled: false } }, { plan: 'pro', beta: true, old: ['v0'] }), {
    ...everybody,
    ...nothing,
  })
})

test('the condition of a page can use variables of its space and its own', async () => {
  const conditional = [
    { slug: 'start' },
    { slug: 'big', condition: 'space.vars.edition == "big" && page.vars.kind == "x"', variables: { kind: 'x' } },
  ]
  await expectAll(finder({ root: [{ path: 'v1', pages: conditional }] }), { big: 'v1: big' })
})

test('if the default section or variant is hidden, the root redirects to the first visible one', async () => {
  const guarded = 'visitor.claims.staff'
  const sketch: SiteSketch = {
    sections: [
      { path: 'staff', condition: guarded, variants: [{ path: 'v1', pages }] },
      {
        path: 'docs',
        variants: [
          { path: 'v2', condition: guarded, pages },
          { path: 'v1', pages },
        ],
      },
    ],
  }
  await expectAll(finder(sketch), {
    '': '307 /docs/v1/',
    guide: 'missing',
    'docs/': '307 /docs/v1/',
    'docs/guide': 'missing',
    'docs/v1/guide': 'docs/v1: guide',
    'staff/': 'missing',
  })
  await expectAll(finder(sketch, { staff: true }), { '': 'staff/v1: start', 'docs/': 'docs/v2: start' })
  // A space in the trash is hidden from everybody, and the next one is the default.
  await expectAll(
    finder({
      root: [
        { path: 'v1', inTrash: true, pages },
        { path: 'v2', pages },
      ],
    }),
    {
      '': 'v2: start',
      guide: 'v2: guide',
      'v2/guide': '308 /guide',
    },
  )
})

test('if the default section or variant has no page for a visitor, the root redirects to the first place that has one', async () => {
  const staff = [{ slug: 'rules', condition: 'visitor.claims.staff' }]
  const sketch: SiteSketch = {
    sections: [
      {
        path: 'docs',
        variants: [
          { path: 'v2', pages: staff },
          { path: 'v1', pages: [] },
        ],
      },
      { path: 'beta', condition: 'visitor.claims.beta', variants: [{ path: 'v1', pages }] },
      {
        path: 'api',
        variants: [
          { path: 'v1', pages: staff },
          { path: 'v0', pages },
        ],
      },
    ],
  }
  await expectAll(finder(sketch), { '': '307 /api/v0/', 'docs/': 'missing', 'v1/': 'missing', 'api/': 'missing' })
  await expectAll(finder(sketch, { beta: true }), { '': '307 /beta/' })
  await expectAll(finder(sketch, { staff: true }), { '': 'docs/v2: rules', 'api/': 'api/v1: rules' })
  const redirects = [{ source: '/*', to: { kind: 'external', url: 'https://elsewhere.example/' } as const }]
  await expectAll(finder({ ...sketch, redirects }), { '': '307 https://elsewhere.example/' })

  // The variant that replaces a hidden default has no visible page either.
  const hidden = { path: 'v3', condition: 'visitor.claims.staff', pages }
  const root = [hidden, { path: 'v2', pages: staff }, { path: 'v1', pages }]
  await expectAll(finder({ root }), { '': '307 /v1/' })
  await expectAll(finder({ root: [hidden, { path: 'v2', pages: staff }] }), { '': 'missing' })
})

test('a former address of a page redirects to its current one', async () => {
  const sketch: SiteSketch = {
    root: [{ path: 'v1', pages: [...pages, { slug: 'secret', condition: 'visitor.claims.staff' }] }],
    former: {
      'v1 old': 'guide',
      'v1 taken': 'deep',
      'v1 older/deep': 'deeper',
      'v1 lost': 'not-there',
      'v1 hush': 'secret',
      'v1 begin': 'start',
      'v1 guide/moved': 'deep',
    },
  }
  await expectAll(finder(sketch), {
    old: '307 /guide',
    'old/deep': '307 /guide/deep',
    'old/nothing': 'missing',
    'older/deep': '307 /guide/deep/deeper',
    // It was below a page that has moved, and has moved separately before.
    'old/moved': '307 /guide/deep',
    taken: '307 /guide/deep',
    lost: 'missing',
    hush: 'missing',
    begin: '307 /',
  })
  await expectAll(finder(sketch, { staff: 1 }), { hush: '307 /secret' })
})

test('site redirects apply where no page is, ignore case, and pass on what a wildcard captured', async () => {
  const sketch: SiteSketch = {
    sections: [
      { path: 'docs', variants: [{ path: 'v1', pages }] },
      {
        path: 'api',
        variants: [
          { path: 'v1', pages },
          { path: 'v0', condition: 'visitor.claims.old', pages },
        ],
      },
    ],
    redirects: [
      { source: '/Old', to: { kind: 'site-page', siteSpaceId: 'docs/v1', pageId: 'deep' }, permanent: true },
      { source: '/guide', to: { kind: 'external', url: 'https://elsewhere.example/' } },
      { source: '/reference', to: { kind: 'site-section', siteSectionId: 'api' } },
      { source: '/reference/*', to: { kind: 'site-section', siteSectionId: 'api' }, capture: true },
      { source: '/zero', to: { kind: 'site-space', siteSpaceId: 'api/v0' } },
      { source: '/blog/*', to: { kind: 'external', url: 'https://blog.example/posts?x=1' }, capture: true },
      { source: '/draft', to: { kind: 'external', url: 'https://draft.example/' }, draft: true },
      { source: '/gone', to: { kind: 'site-page', siteSpaceId: 'docs/v1', pageId: 'no-such-page' } },
      { source: '/home', to: { kind: 'site-page', siteSpaceId: 'docs/v1', pageId: 'start' } },
    ],
    former: { 'docs/v1 home': 'guide' },
  }
  await expectAll(finder(sketch), {
    old: '308 /guide/deep',
    'OLD/': '308 /guide/deep',
    // Existing content comes first.
    guide: 'docs/v1: guide',
    reference: '307 /api/',
    'reference/guide': '307 /api/guide',
    'reference/nothing': 'missing',
    zero: 'missing',
    'blog/a%20b/c': '307 https://blog.example/posts/a%20b/c?x=1',
    draft: 'missing',
    gone: 'missing',
    // The new path of a page comes before a redirect that an editor has set.
    home: '307 /guide',
  })
  assert.equal(await finder(sketch, { old: true })('zero'), '307 /api/v0/')
  assert.equal(await finder(sketch, {}, { seesDrafts: true })('draft'), '307 https://draft.example/')
})

test('redirects in a circle lead to a missing page, and chained redirects lead to their end at once', async () => {
  const toRoot = { kind: 'site-space', siteSpaceId: 'v1' } as const
  const sketch: SiteSketch = {
    root: [{ path: 'v1', pages }],
    redirects: [
      { source: '/a/*', to: toRoot, capture: true },
      { source: '/b', to: { kind: 'site-page', siteSpaceId: 'v1', pageId: 'guide' } },
      { source: '/loop/*', to: toRoot, capture: true },
    ],
  }
  await expectAll(finder(sketch), {
    'a/guide': '307 /guide',
    'a/b': '307 /guide',
    'a/loop/loop/x': 'missing',
    'a/x': 'missing',
  })
  const forEver: SiteSketch = {
    root: [{ path: 'v1', pages }],
    redirects: [{ source: '/*', to: toRoot, capture: true }],
  }
  await expectAll(finder(forEver), { guide: 'v1: guide', nothing: 'missing' })
})

test('a preview shows only spaces that its creator may see', async () => {
  const sketch: SiteSketch = {
    root: [
      { path: 'v1', pages },
      { path: 'v2', pages },
    ],
  }
  await expectAll(finder(sketch, {}, { spaces: new Set(['space of v2']) }), {
    '': '307 /v2/',
    'v2/guide': 'v2: guide',
    'v1/guide': 'missing',
  })
})
