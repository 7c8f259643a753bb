import type { Membership } from '../../access/caller.ts'
import { section } from '../../account/parts.ts'
import type { ExportRun } from '../../exports/runs/runs.queries.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import { sendingPart, whileSending } from '../download/sent.part.ts'
import { frame } from '../frame.ts'
import type { Said } from '../said.ts'
import { saidOn } from '../top.ts'

interface OrganizationDownloadParts extends Said {
  membership: Membership
  /** Path of the organization. */
  path: string
  form: string
  /** Those of all administrators. */
  exports: ExportRun[]
}

/** The page to download a whole organization, for its administrators: what the archive contains, and what not. */
export function organizationDownloadPage(place: Place, parts: OrganizationDownloadParts): Html {
  const { membership, path, form, exports } = parts
  const { title } = membership.organization
  const sending = { path: `${path}/download`, action: `${path}/export`, form, exports, areOfMany: true }
  return frame(
    place,
    `Download · ${title}`,
    html`<p class="review-space">
        <a href="${place.link(path)}">${title}</a> › <a href="${place.link(`${path}/settings`)}">Settings</a>
      </p>
      <h1>Download</h1>
      ${saidOn(parts)}
      ${section('zip', 'Everything as a zip file', 'Any tool can open it. “lectern import” restores it: here, in another organization or in another installation.', sendingPart(place, sending))}
      ${section('inside', 'What is in it', 'Everything in its current state.', whatIsInside)}
      ${section('outside', 'What is not in it', 'For a complete copy, ask the operator of this server for a backup.', whatIsNot)}`,
    [],
    whileSending(exports),
  )
}

const whatIsInside = html`<ul class="work-list">
  <li>
    all spaces except those in the trash: pages as Markdown, files, reusable content, variables, comments, settings
  </li>
  <li>collections, and who has which role where</li>
  <li>sites with their structure, design, pictures and fonts</li>
  <li>OpenAPI specifications, and which spaces are translations of each other</li>
  <li>members with names and e-mail addresses, and teams: store the file where only authorized people can see it</li>
</ul>`

const whatIsNot = html`<ul class="work-list">
  <li>history and change requests</li>
  <li>secrets: tokens, share links, signing keys, credentials for single sign-on and Git</li>
  <li>webhooks, invitations and reader statistics</li>
</ul>`
