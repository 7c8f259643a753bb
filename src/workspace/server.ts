import type { Routes } from '../http/routes.ts'
import { workspaceAccess } from './access/access.routes.ts'
import { workspaceClaims } from './sites/claims.routes.ts'
import { workspaceCollections } from './spaces/collection.routes.ts'
import { workspaceDownload } from './download/download.routes.ts'
import { workspaceFont } from './fonts/font.routes.ts'
import { workspaceFonts } from './fonts/fonts.routes.ts'
import { workspaceGit } from './git/git.routes.ts'
import { workspaceImports } from './imports/imports.routes.ts'
import { workspaceInsights } from './sites/insights/insights.routes.ts'
import { workspaceInvited } from './people/invited.routes.ts'
import { workspaceInvites } from './people/invites.routes.ts'
import { workspaceNewOrganization } from './people/new-organization.routes.ts'
import { workspaceOpeners } from './access/openers.routes.ts'
import { workspaceOrganization } from './people/organization.routes.ts'
import { workspaceOrganizationDownload } from './people/organization-download.routes.ts'
import { workspacePeople } from './people/people.routes.ts'
import { workspaceExternalLinks } from './sites/structure/external-links.routes.ts'
import { workspaceMenus } from './sites/structure/menus.routes.ts'
import { workspaceRecord } from './record/record.routes.ts'
import { workspaceReading } from './reading/reading.routes.ts'
import { workspaceRedirect } from './sites/redirects/redirect.routes.ts'
import { workspaceRedirects } from './sites/redirects/redirects.routes.ts'
import { workspaceSearch } from './reading/search.routes.ts'
import { workspaceSections } from './sites/structure/sections.routes.ts'
import { workspaceShareLinks } from './sites/share-links/share-links.routes.ts'
import { workspaceProvider } from './single-sign-on/provider.routes.ts'
import { workspaceSignOn } from './single-sign-on/single-sign-on.routes.ts'
import { workspaceSiteAddress } from './sites/site-address.routes.ts'
import { workspaceSitePictures } from './sites/look/pictures.routes.ts'
import { workspaceSiteLook } from './sites/look/look.routes.ts'
import { workspaceSiteSpaces } from './sites/structure/site-spaces.routes.ts'
import { workspaceSite } from './sites/site.routes.ts'
import { workspaceSites } from './sites/sites.routes.ts'
import { workspaceSpecification } from './specifications/specification.routes.ts'
import { workspaceSpecifications } from './specifications/specifications.routes.ts'
import { workspaceSpaceSettings } from './spaces/space-settings.routes.ts'
import { workspaceSpaces } from './spaces/spaces.routes.ts'
import { workspaceTeams } from './people/teams.routes.ts'
import { workspaceWebhook } from './webhooks/webhook.routes.ts'
import { workspaceWebhooks } from './webhooks/webhooks.routes.ts'

/** The pages of an organization in the browser: what it contains, and who belongs to it. */
export const workspacePages: readonly Routes[] = [
  workspaceSpaces,
  workspaceSpaceSettings,
  workspaceCollections,
  workspaceReading,
  workspaceSearch,
  workspaceImports,
  workspaceDownload,
  workspaceGit,
  workspaceSites,
  workspaceSite,
  workspaceSiteSpaces,
  workspaceSections,
  workspaceExternalLinks,
  workspaceMenus,
  workspaceShareLinks,
  workspaceSiteLook,
  workspaceSitePictures,
  workspaceFonts,
  workspaceFont,
  workspaceInsights,
  workspaceRedirects,
  workspaceRedirect,
  workspaceSiteAddress,
  workspaceClaims,
  workspaceSpecifications,
  workspaceSpecification,
  workspacePeople,
  workspaceInvites,
  workspaceInvited,
  workspaceTeams,
  workspaceAccess,
  workspaceOpeners,
  workspaceNewOrganization,
  workspaceOrganization,
  workspaceOrganizationDownload,
  workspaceWebhooks,
  workspaceWebhook,
  workspaceSignOn,
  workspaceProvider,
  workspaceRecord,
]
