/** Where a login through the identity provider of this installation starts, and where the provider redirects to. */
export const startPath = '/login/oidc'
export const callbackPath = '/login/oidc/callback'
