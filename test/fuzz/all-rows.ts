import { ofChangeRequests, ofContent } from '../matrix/rules-content.ts'
import { ofOrganizations } from '../matrix/rules-organizations.ts'
import { ofPeople } from '../matrix/rules-people.ts'
import { ofSites } from '../matrix/rules-sites.ts'
import { ofSpaces } from '../matrix/rules-spaces.ts'

/** Bodies that are right, by operation: what the matrix knows. */
export const allRows = { ...ofPeople, ...ofOrganizations, ...ofSpaces, ...ofContent, ...ofChangeRequests, ...ofSites }
