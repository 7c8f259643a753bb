import type { Routes } from '../http/routes.ts'
import { workspaceAccess } from './access.routes.ts'
import { workspaceCollections } from './collection.routes.ts'
import { workspaceImports } from './imports.routes.ts'
import { workspaceInvited } from './invited.routes.ts'
import { workspaceInvites } from './invites.routes.ts'
import { workspaceOrganization } from './organization.routes.ts'
import { workspacePeople } from './people.routes.ts'
import { workspaceMenus } from './menus.routes.ts'
import { workspaceReading } from './reading.routes.ts'
import { workspaceRedirects } from './redirects.routes.ts'
import { workspaceSearch } from './search.routes.ts'
import { workspaceSections } from './sections.routes.ts'
import { workspaceShareLinks } from './share-links.routes.ts'
import { workspaceSiteAddress } from './site-address.routes.ts'
import { workspaceSiteLook } from './site-look.routes.ts'
import { workspaceSiteSpaces } from './site-spaces.routes.ts'
import { workspaceSite } from './site.routes.ts'
import { workspaceSites } from './sites.routes.ts'
import { workspaceSpaceSettings } from './space-settings.routes.ts'
import { workspaceSpaces } from './spaces.routes.ts'
import { workspaceTeams } from './teams.routes.ts'

/** An organization for people with a browser: what it has, and who belongs to it. */
export const workspacePages: readonly Routes[] = [
  workspaceSpaces,
  workspaceSpaceSettings,
  workspaceCollections,
  workspaceReading,
  workspaceSearch,
  workspaceImports,
  workspaceSites,
  workspaceSite,
  workspaceSiteSpaces,
  workspaceSections,
  workspaceMenus,
  workspaceShareLinks,
  workspaceSiteLook,
  workspaceRedirects,
  workspaceSiteAddress,
  workspacePeople,
  workspaceInvites,
  workspaceInvited,
  workspaceTeams,
  workspaceAccess,
  workspaceOrganization,
]
