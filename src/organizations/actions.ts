import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import { changedFields } from '../changes/changed-fields.ts'
import { recordChange } from '../changes/record.ts'
import type { OrganizationRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { invalid, taken } from '../http/errors.ts'
import { isDomain } from '../http/formats.ts'
import { newId } from '../ids.ts'
import { checkMergeRules } from '../spaces/merge-rules.ts'
import { hostnamesFor, isReserved } from './hostnames.ts'
import { insertMember } from './members.queries.ts'
import { findOrganization, insertOrganization, replaceEmailDomains, updateOrganization } from './queries.ts'
import type { OrganizationChanges } from './schema.ts'
import { constraintBroken } from '../db/constraints.ts'
import { isSiteOf } from '../sites/queries.ts'
import { touchSitesOf } from '../sites/touch.ts'

/** Creates an organization with its first administrator. */
export async function createOrganization(
  tx: Transaction,
  draft: { title: string; emailDomains?: string[]; adminId: string },
): Promise<OrganizationRow> {
  const id = newId()
  for (const hostname of hostnamesFor(draft.title)) {
    if (await insertOrganization(tx, { id, title: draft.title, hostname })) break
  }
  if (draft.emailDomains) await setEmailDomains(tx, id, draft.emailDomains)
  await insertMember(tx, { organizationId: id, userId: draft.adminId, role: 'admin', sso: false })
  recordChange(tx, { action: 'organization.created', organizationId: id, target: { type: 'organization', id } })
  return (await findOrganization(tx, id))!
}

/** Setting a field to the value it already has is not a change. */
export async function changeOrganization(
  tx: Transaction,
  row: OrganizationRow,
  changes: Static<typeof OrganizationChanges>,
): Promise<OrganizationRow> {
  const { title, hostname, defaultRole, logo, sso, ai, inviteLinks, emailDomains, defaultContent, mergeRules } = changes
  if (hostname !== undefined && isReserved(hostname)) throw invalid('body.hostname', 'reserved', 'is a reserved word')
  if (defaultContent && !(await isSiteOf(tx, row.id, defaultContent.site))) {
    throw invalid('body.defaultContent.site', 'exists', 'there is no such site in this organization')
  }
  const changed: OrganizationRow = {
    ...row,
    title: title ?? row.title,
    hostname: hostname ?? row.hostname,
    default_role: defaultRole === undefined ? row.default_role : defaultRole,
    logo: logo === undefined ? row.logo : logo,
    sso: sso ?? row.sso,
    ai: ai ?? row.ai,
    invite_links: inviteLinks ?? row.invite_links,
    merge_rules: mergeRules ? await checkMergeRules(tx, row.id, mergeRules, row.merge_rules) : row.merge_rules,
    default_site_id: defaultContent === undefined ? row.default_site_id : (defaultContent?.site ?? null),
  }
  if (emailDomains) changed.email_domains = await setEmailDomains(tx, row.id, emailDomains)
  if (isDeepStrictEqual(changed, row)) return row
  await constraintBroken(updateOrganization(tx, changed), 'organizations_hostname_key', () =>
    taken('body.hostname', 'Another organization already has this hostname.'),
  )
  if (shownOnSites.some((name) => changed[name] !== row[name])) touchSitesOf(tx, row.id)

  const fields = changedFields<OrganizationRow>(changed, row, columns)
  recordChange(tx, {
    action: 'organization.updated',
    organizationId: row.id,
    target: { type: 'organization', id: row.id },
    fields,
    details: {
      ...(fields.includes('sso') && { sso: String(sso) }),
      ...(fields.includes('inviteLinks') && { inviteLinks: String(inviteLinks) }),
      ...(fields.includes('defaultRole') && { defaultRole: defaultRole ?? 'guest' }),
    },
  })
  return changed
}

/** The fields that readers of its sites see, in addresses and elsewhere. */
const shownOnSites = ['title', 'hostname', 'logo', 'default_site_id'] as const

const columns = {
  title: ['title'],
  emailDomains: ['email_domains'],
  hostname: ['hostname'],
  defaultRole: ['default_role'],
  defaultContent: ['default_site_id'],
  logo: ['logo'],
  sso: ['sso'],
  ai: ['ai'],
  inviteLinks: ['invite_links'],
  mergeRules: ['merge_rules'],
} as const satisfies Record<keyof Static<typeof OrganizationChanges>, readonly (keyof OrganizationRow)[]>

async function setEmailDomains(tx: Transaction, organizationId: string, asGiven: string[]): Promise<string[]> {
  const domains = [...new Set(asGiven.map((domain) => domain.toLowerCase()))].toSorted()
  asGiven.forEach((domain, i) => {
    if (!isDomain(domain.toLowerCase()))
      throw invalid(`body.emailDomains.${i}`, 'format', 'must be a domain such as example.com')
  })
  await constraintBroken(replaceEmailDomains(tx, organizationId, domains), 'email_domains_pkey', () =>
    taken('body.emailDomains', 'One of these domains belongs to another organization.'),
  )
  return domains
}
