/**
 * Example bodies for a first call, where the schema is not enough: it does not say which of two fields is needed, or
 * what a text has to look like.
 */
export const bodies: Record<string, object> = {
  ...each(['updateSpaceContent', 'updateChangeRequestContent'], {
    changes: [{ operation: 'insert_page', document: { markdown: '# Hello\n\nHello, **world**.' } }],
  }),
  ...each(['inviteToSpace', 'inviteToCollection', 'inviteToSite'], { role: 'read', users: ['…'] }),
  ...each(['getComputedDocument', 'getComputedRevision'], {
    source: {
      type: 'builtin:openapi',
      props: { doc: 'operations', page: 'pets' },
      dependencies: { spec: { ref: { kind: 'openapi', spec: 'petstore' } } },
    },
    seed: 'petstore',
  }),
  createCustomFont: { fontFamily: 'Acme', fontFaces: [{ weight: 400, storageKey: '…' }] },
  updateSiteSpaceById: { title: 'Version 2', path: 'v2' },
  ...each(['scimCreateUser', 'scimReplaceUser'], { userName: 'ada@example.com' }),
  scimUpdateUser: { Operations: [{ op: 'replace', path: 'active', value: false }] },
  scimUpdateGroup: { Operations: [{ op: 'add', path: 'members', value: [{ value: '…' }] }] },
  createSiteRedirect: { source: '/old/page', destination: { kind: 'site-page', siteSpaceId: '…', pageId: '…' } },
  updateSiteAdaptiveSchema: {
    jsonSchema: { type: 'object', properties: { plan: { type: 'string', enum: ['free', 'pro'] } } },
  },
}

function each(operations: string[], body: object): Record<string, object> {
  return Object.fromEntries(operations.map((operation) => [operation, body]))
}
