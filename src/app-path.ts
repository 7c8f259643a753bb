/**
 * Where people find things in a browser. The API returns these as `urls.app`, mail links to them, and pages link to
 * each other. `src/workspace` and `src/review` serve them.
 */
export const appPath = {
  organization: (organizationId: string) => `/app/o/${organizationId}`,
  collection: (organizationId: string, collectionId: string) => `/app/o/${organizationId}/c/${collectionId}`,
  site: (organizationId: string, siteId: string) => `/app/o/${organizationId}/sites/${siteId}`,
  space: (organizationId: string, spaceId: string) => `/app/o/${organizationId}/s/${spaceId}`,
  /** A change request, by its number. */
  change: (organizationId: string, spaceId: string, number: number | string) =>
    `/app/o/${organizationId}/s/${spaceId}/~/changes/${number}`,
}
