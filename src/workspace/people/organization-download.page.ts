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
  /** Of the organization. */
  path: string
  form: string
  /** Of everybody who administers it. */
  exports: ExportRun[]
}

/** All of an organization to take along, for its administrators: what is in it, and what is not. */
export function organizationDownloadPage(place: Place, parts: OrganizationDownloadParts): Html {
  const { membership, path, form, exports } = parts
  const { title } = membership.organization
  const sending = { path: `${path}/download`, action: `${path}/export`, form, exports, areOfMany: true }
  return frame(
    place,
    `Download · ${title}`,
    html`<p class="review-space">
        <a href="${place.link(path)}">${title}</a> · <a href="${place.link(`${path}/settings`)}">Settings</a>
      </p>
      <h1>Download</h1>
      ${saidOn(parts)}
      ${section('zip', 'All of it as a zip', 'Any tool opens it. “lectern import” brings it back: here, into another organization, or into another installation.', sendingPart(place, sending))}
      ${section('inside', 'What is in it', 'Each thing as it is now.', whatIsInside)}
      ${section('outside', 'What is not', 'For a copy of all there is, whoever runs this server takes a backup.', whatIsNot)}`,
    [],
    whileSending(exports),
  )
}

const whatIsInside = html`<ul class="work-list">
  <li>all spaces but those in the trash: pages as Markdown, files, reusable contents, variables, comments, settings</li>
  <li>collections, and who was given which role on what</li>
  <li>sites with their structure, look, pictures and fonts</li>
  <li>OpenAPI specifications, and which spaces say the same in other languages</li>
  <li>members by name and e-mail address, and teams: keep the file where only those look who may know them</li>
</ul>`

const whatIsNot = html`<ul class="work-list">
  <li>history and change requests</li>
  <li>secrets of any kind: tokens, share links, signing keys, what single sign-on and Git need</li>
  <li>webhooks, invites, and what was counted about readers</li>
</ul>`
