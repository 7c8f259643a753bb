/** Where a login through the identity provider of this installation begins, and where the provider sends people back to. */
export const startPath = '/login/oidc'
export const callbackPath = '/login/oidc/callback'
