/** Where a provider's logins happen. From the configured address alone: no header of a request has a say in it. */
export function serviceOf(url: string, { organization_id, id }: { organization_id: string; id: string }) {
  const base = `${url}/saml/${organization_id}/${id}`
  return { entityID: base, acsURL: `${base}/acs`, startURL: `${base}/start`, doneURL: `${base}/done` }
}
