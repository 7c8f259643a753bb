import { ofChangeRequests, ofContent } from '../matrix/rules-content.ts'
import { ofOrganizations } from '../matrix/rules-organizations.ts'
import { ofPeople } from '../matrix/rules-people.ts'
import { ofSites } from '../matrix/rules-sites.ts'
import { ofSpaces } from '../matrix/rules-spaces.ts'

/** Valid bodies by operation, from the rows of the matrix. */
export const allRows = { ...ofPeople, ...ofOrganizations, ...ofSpaces, ...ofContent, ...ofChangeRequests, ...ofSites }
