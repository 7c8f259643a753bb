import { formToken } from '../../src/account/forms.ts'
import type { FuzzWorld } from './cases.ts'
import type { Door } from './doors.ts'

/** The pages that people write, review, publish and bring others in with, for somebody who is signed in and whose forms are ours. */
export function reviewDoors({ app, own, spare }: FuzzWorld, session: { id: string; secret: string }): Door[] {
  const headers = { cookie: `lectern-session=${session.secret}` }
  const home = `/app/o/${own.organizationId}`
  const space = `${home}/s/${own.spaceId}`
  const change = `${space}/~/changes/${own.changeRequestId}`
  const page = `${change}/pages/${own.pageId}`
  const comment = `${change}/comments/${own.requestCommentId}`
  // Others read the site of their own, which has to stay.
  const site = `${home}/sites/${spare.siteId}`
  const inSite = { at: spare.siteSpaceId!, space: spare.spaceId! }
  const section = `${site}/sections/${spare.siteSectionId}`
  const outward = `${site}/external-links/${spare.siteExternalLinkId ?? own.pageId}`
  const menu = `${site}/menus/${spare.siteSectionGroupId}`
  const collection = `${home}/c/${own.collectionId}`
  const shared = [`${space}/~/access`, `${collection}/access`, `${site}/access`]
  const people = `${home}/people`
  const teams = `${home}/teams`
  const team = `${teams}/${own.teamId}`
  const fonts = `${home}/fonts`
  const font = `${fonts}/${own.fontId}`
  const spec = `${home}/specifications/${own.specSlug}`
  const webhook = `${home}/webhooks/${own.webhookId}`
  const signOn = `${home}/single-sign-on`
  const provider = `${signOn}/${own.samlProviderId ?? own.pageId}`
  const form = formToken(app.app, { session })
  const files = ['x', form].flatMap((token) => [uploadOf(token), uploadOf(token).slice(0, -9)])
  const seen = [
    ...[
      '',
      '/preview',
      '?done=merged',
      '?find=x&page=x',
      '/conflicts',
      '/files',
      '/files?done=uploaded&added=x.x',
      '/links?find=x',
    ].map((each) => change + each),
    ...['', '?done=saved', '/place', '/delete', '/preview'].map((each) => page + each),
    `${change}/pages/new`,
    `${space}/${own['*']}`,
    `${home}/search?query=zebra&page=x`,
    `${space}/~/settings`,
    ...shared.map((each) => `${each}/who?search=x&role=read`),
    ...['?page=x', `/${own.revisionId}`].map((each) => `${space}/~/history${each}`),
    `${collection}/settings`,
    collection,
    `${home}/settings?done=saved`,
    ...shared.flatMap((each) => [each, `${each}?of=teams&page=x`]),
    `${space}/~/import`,
    `${space}/~/git?done=forgotten`,
    `${space}/~/imports/${own.importRunId ?? own.pageId}`,
    space,
    `${space}?find=x`,
    home,
    `${home}/sites`,
    ...[
      '',
      '/preview',
      '?done=made',
      '/sections',
      '/sections?done=moved',
      '/look',
      '/pictures',
      '/pictures?done=picture',
      '/redirects?search=x&page=x&drafts=on',
      '/redirects?source=x',
      '/insights?days=7',
      ...['pages', 'searches', 'unfound', 'missing'].map((list) => `/insights/${list}?days=x&page=x`),
      `/redirects/${own.siteRedirectId ?? own.pageId}`,
      '/claims',
      '/address',
    ].map((each) => site + each),
    section,
    outward,
    `${site}/preview?of=${spare.siteSpaceId}`,
    ...['', '?search=a&role=edit&page=x', '?done=removed', '/invites', '/invited', `/${own.userId}`].map(
      (each) => people + each,
    ),
    ...['', '?page=x', `/${own.teamId}`, `/${own.teamId}?page=x`].map((each) => teams + each),
    ...['?page=x', `/${own.specSlug}`, `/${own.specSlug}?search=x&page=x`].map(
      (each) => `${home}/specifications${each}`,
    ),
    ...['', '?done=deleted', '/faces.css', `/${own.fontId}`, `/${own.fontId}?done=added`].map((each) => fonts + each),
    `${home}/webhooks`,
    `${webhook}?status=failed&page=x&done=tested`,
    ...['', '?what=spaces&person=x&from=2026-01-01&to=2026-12-31&page=x', '/export?what=sites&from=x'].map(
      (each) => `${home}/record${each}`,
    ),
    signOn,
    `${signOn}?page=x`,
    provider,
    '/account',
  ]
  // What ends something comes last: there would be nothing left for the others.
  const sent: [string, Record<string, string>][] = [
    [`${change}/review`, { status: 'approved', comment: 'x', revision: own.revisionId ?? 'x' }],
    [`${change}/about`, { subject: 'x', description: 'x', seen: 'x' }],
    [`${change}/reviewers`, { user: own.userId!, email: '' }],
    [`${change}/reviewers/${own.userId}/remove`, {}],
    [`${change}/open`, {}],
    [`${change}/update`, {}],
    [`${change}/conflicts/${own.pageId}`, { side: 'ours', seen: 'x' }],
    [`${change}/pages`, { title: 'x', kind: 'link', address: 'https://example.org', below: own.pageId! }],
    [`${page}/preview`, { text: 'x', seen: 'x' }],
    [`${change}/pasted`, { html: '<b>x</b>' }],
    [page, { text: 'x', seen: 'x', next: 'stay' }],
    [`${page}/place`, { spot: 'first', near: own.pageId! }],
    [`${comment}/reply`, { text: 'x' }],
    [`${comment}/resolve`, {}],
    [`${comment}/reopen`, {}],
    [`${space}/~/changes`, { subject: 'x' }],
    [
      `${space}/~/git`,
      { address: 'http://127.0.0.1:9/x.git', branch: 'main', folder: 'x', user: 'x', token: 'x', direction: 'import' },
    ],
    [
      `${space}/~/git`,
      { address: 'http://127.0.0.1:9/', branch: 'x', message: 'x', over: 'force', direction: 'export' },
    ],
    [
      `${space}/~/git/following`,
      { address: 'http://127.0.0.1:9/x.git', branch: 'main', user: 'x', token: 'x', direction: 'both', seen: '' },
    ],
    [`${space}/~/git/following/hook`, { seen: 'x' }],
    [`${space}/~/git/following/hook/remove`, { seen: 'x' }],
    [`${space}/~/git/following/end`, { seen: 'x' }],
    [`${space}/~/git/forget`, { seen: 'x' }],
    [`${space}/~/imports/website`, { address: 'http://127.0.0.1:9/', into: 'change' }],
    [`${space}/~/imports/${own.importRunId ?? own.pageId}/cancel`, {}],
    [`${home}/spaces`, { title: 'x' }],
    [`${home}/spaces/restore`, { space: own.spaceId! }],
    [`${space}/~/settings`, { title: 'x', seen: 'x' }],
    [`${space}/~/move`, { into: own.collectionId!, seen: '' }],
    [`${space}/~/order`, { near: own.spaceId!, seen: '' }],
    [`${space}/~/language`, { language: 'de', seen: '' }],
    [`${space}/~/icon`, { icon: 'x', seen: '' }],
    [`${space}/~/copy`, {}],
    [`${space}/~/merge-rules`, { type: 'rules', require_author_to_merge: 'on', seen: 'x' }],
    [`${home}/collections`, { title: 'x' }],
    [`${collection}/collections`, { title: 'x' }],
    [`${collection}/spaces`, { title: 'x' }],
    [`${collection}/settings`, { title: 'x', description: 'x', seen: 'x' }],
    [`${collection}/move`, { into: own.collectionId!, seen: '' }],
    [`${collection}/order`, { near: own.spaceId!, seen: '' }],
    [`${home}/settings/title`, { title: 'xx', seen: 'x' }],
    [`${home}/settings/role`, { role: 'read', seen: 'guest' }],
    [`${home}/settings/domains`, { domains: 'example.org', seen: '' }],
    [`${home}/settings/invite-links`, { inviting: 'on', seen: 'on' }],
    [`${home}/settings/merge-rules`, { type: 'none', seen: 'x' }],
    ...shared.flatMap((each): [string, Record<string, string>][] => [
      [`${each}/people`, { user: own.userId!, email: '', role: 'read' }],
      [`${each}/people/${own.userId}/role`, { role: 'edit', seen: 'read' }],
      [`${each}/people/${own.userId}/remove`, { seen: 'edit' }],
      [`${each}/teams`, { team: own.teamId!, name: '', role: 'read' }],
      [`${each}/teams/${own.teamId}/role`, { role: 'edit', seen: 'read' }],
      [`${each}/teams/${own.teamId}/remove`, { seen: 'edit' }],
      [`${each}/everybody`, { level: 'inherit', seen: 'inherit' }],
    ]),
    [`${space}/~/edits`, { page: own.pageId!, change: '' }],
    [`${home}/sites`, { title: 'x', [`space-${own.spaceId}`]: 'on' }],
    [`${site}/publish`, { seen: 'share-link' }],
    [`${site}/title`, { title: 'xx', seen: 'x' }],
    [`${site}/visibility`, { visibility: 'share-link', seen: 'share-link' }],
    [`${site}/spaces`, { space: own.spaceId! }],
    ...[site, section].flatMap((level): [string, Record<string, string>][] => [
      [`${level}/spaces/first`, { ...inSite, seen: 'x' }],
      [`${level}/spaces/move`, { ...inSite, near: spare.otherSiteSpaceId!, side: 'after' }],
      [`${level}/spaces/condition`, { ...inSite, condition: 'visitor.claims.x', seen: '' }],
      [`${level}/spaces/draft`, { ...inSite, draft: 'on' }],
      [`${level}/spaces/copy`, { ...inSite, title: 'x', shown: 'on' }],
      [`${level}/spaces/section`, { ...inSite, to: spare.otherSectionId!, path: 'x', seenPath: 'x' }],
      [`${level}/spaces/title`, { ...inSite, title: 'x', path: 'x', seenTitle: '', seenPath: 'x' }],
    ]),
    [`${site}/sections`, { space: own.spaceId!, title: 'xx', path: 'x', draft: 'on' }],
    [`${section}/spaces`, { space: own.spaceId! }],
    [`${section}/move`, { near: spare.otherSectionId!, side: 'before' }],
    [`${section}/first`, { seen: spare.otherSectionId! }],
    [`${section}/title`, { title: 'xx', path: 'xx', seenTitle: 'x', seenPath: 'x' }],
    [`${section}/icon`, { icon: 'book', seen: '' }],
    [`${section}/condition`, { condition: 'visitor.claims.x', seen: '' }],
    [`${section}/draft`, { draft: 'on' }],
    [`${section}/menu`, { menu: spare.siteSectionGroupId!, seen: '' }],
    [`${site}/external-links`, { title: 'xx', url: 'https://x.example', draft: 'on' }],
    [
      outward,
      { title: 'xx', url: 'https://x.example', icon: 'book', menu: 'x', condition: 'x', state: 'x', seen: 'x' },
    ],
    [`${outward}/move`, { near: spare.otherSectionId!, side: 'before' }],
    [`${site}/menus`, { title: 'x', [`section-${spare.otherSectionId}`]: 'on' }],
    [`${menu}/title`, { title: 'x', seen: 'x' }],
    [`${menu}/move`, { near: spare.otherSectionId!, side: 'before' }],
    [`${site}/links`, { name: 'x', end: 'date', day: '2999-01-01' }],
    [`${site}/links/end`, { link: spare.shareLinkId!, end: 'week', day: '', seen: '' }],
    [`${site}/pictures/delete`, { picture: spare.pictureId! }],
    [`${font}/title`, { title: 'x', seen: 'x' }],
    [`${font}/faces/delete`, { weight: '700', seen: 'x' }],
    [`${site}/links/revoke`, { link: spare.shareLinkId! }],
    [
      `${site}/look`,
      {
        theme: 'bold',
        font: own.fontId!,
        light: '#123456',
        logo: 'https://x.example',
        'title-0': 'x',
        'address-0': '/x',
        seen: 'x',
      },
    ],
    [`${site}/redirects`, { source: '/x', to: 'x', space: own.spaceId!, capture: 'on' }],
    [`${site}/redirects/${spare.siteRedirectId ?? own.pageId}`, { source: '/x', to: 'x', seenTo: 'y', seen: 'x' }],
    [`${site}/redirects/publish`, { redirect: spare.siteRedirectId ?? own.pageId!, seen: 'x' }],
    [`${site}/claims`, { claims: '{"type":"object","properties":{}}', seen: 'x' }],
    [`${site}/claims/switch`, { conditions: 'on' }],
    [`${site}/redirects/delete`, { redirect: spare.siteRedirectId ?? own.pageId!, seen: 'x' }],
    [`${site}/address/name`, { basename: 'x', seen: 'x' }],
    [`${site}/address/host`, { hostname: 'docs.x.example', seen: '' }],
    [`${site}/address/host/remove`, { seen: 'docs.x.example' }],
    [`${site}/spaces/remove`, inSite],
    [`${section}/spaces/remove`, inSite],
    [`${outward}/remove`, {}],
    [`${section}/remove`, { seen: 'x' }],
    [`${menu}/remove`, {}],
    [`${site}/unpublish`, {}],
    [`${site}/delete`, { seen: 'false' }],
    [`${people}/${own.userId}/role`, { role: 'edit', seen: 'read' }],
    [`${people}/${own.userId}/access`, { to: 'on' }],
    [`${people}/invites`, { emails: 'a@example.org', role: 'read', sso: '' }],
    [`${people}/links`, { role: 'read' }],
    [`${people}/links/${own.inviteId}/role`, { role: 'edit', seen: 'read' }],
    [`${people}/${own.userId}/single-sign-on`, {}],
    [signOn, { label: 'x' }],
    [`${signOn}/insisting`, { insisting: 'off', seen: 'on' }],
    [`${signOn}/token`, { life: '30' }],
    [provider, { label: 'x', entity: 'x', address: 'https://x.example', certificate: 'x', role: 'read', seen: 'x' }],
    [teams, { title: 'x' }],
    [`${team}/title`, { title: 'x' }],
    [`${spec}/again`, {}],
    [`${spec}/visibility`, { visibility: 'private', seen: 'public' }],
    [
      `${home}/webhooks`,
      {
        address: 'https://x.example',
        title: 'x',
        which: 'some',
        'event-site_created': 'on',
        about: 'some',
        'site-x': 'on',
      },
    ],
    [`${webhook}/test`, {}],
    [`${webhook}/again`, { delivery: own.deliveryId! }],
    [`${webhook}/switch`, { to: 'on' }],
    [`${webhook}/change`, { address: 'https://x.example', title: 'x', which: 'all', about: 'all', seen: 'x' }],
    [`${webhook}/secret`, { revoke: 'on' }],
    [`${team}/members`, { user: own.userId!, email: '' }],
    [`${team}/members/${own.userId}/role`, { role: 'owner' }],
    [`${change}/files/delete`, { file: own.fileId! }],
    [`${comment}/replies/${own.requestReplyId}/delete`, {}],
    [`${comment}/delete`, {}],
    [`${page}/delete`, { seen: 'x' }],
    [`${change}/archive`, {}],
    [`${space}/~/history/${own.revisionId}/revert`, {}],
    [`${change}/merge`, { revision: own.revisionId ?? 'x' }],
    [`${space}/~/delete`, {}],
    [`${collection}/delete`, {}],
    [`${people}/links/${own.inviteId}/remove`, {}],
    [`${people}/invited/${own.inviteId}/remove`, {}],
    [`${team}/members/${own.userId}/remove`, {}],
    [`${team}/remove`, {}],
    [`${spec}/delete`, { seen: 'x' }],
    [`${font}/delete`, {}],
    [`${webhook}/delete`, {}],
    [`${provider}/delete`, {}],
    [`${people}/${own.userId}/remove`, {}],
  ]
  const takingFiles = [
    `${change}/files`,
    `${space}/~/imports/files`,
    `${site}/pictures`,
    fonts,
    `${font}/faces`,
    `${home}/specifications`,
    `${spec}/source`,
  ]
  return [
    ...seen.map((url) => ({ method: 'GET', url, headers })),
    ...takingFiles.map((url) => ({
      method: 'POST',
      url,
      headers: { ...headers, 'content-type': 'multipart/form-data; boundary=x' },
      bodies: files,
    })),
    ...sent.map(([url, fields]) => ({ method: 'POST', url, form: { form, ...fields }, headers })),
  ]
}

const uploadOf = (token: string) =>
  `--x\r\ncontent-disposition: form-data; name="form"\r\n\r\n${token}\r\n--x\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\n\r\nabc\r\n--x--\r\n`
