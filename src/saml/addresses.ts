/**
 * Returns the addresses for logins through a provider. They depend on the configured address alone, not on any request
 * header.
 */
export function serviceOf(url: string, { organization_id, id }: { organization_id: string; id: string }) {
  const base = `${url}/saml/${organization_id}/${id}`
  return { entityID: base, acsURL: `${base}/acs`, startURL: `${base}/start`, doneURL: `${base}/done` }
}
