import { appPath } from '../../app-path.ts'
import type { Static } from 'typebox'
import { hidden, moment, section, writingOver } from '../../account/parts.ts'
import type { OrganizationRow, SpaceRow } from '../../db/tables.ts'
import type { Place } from '../../front/layout.ts'
import type { Operation } from '../../git/present.ts'
import type { GitSync as KnownSync } from '../../git/queries.ts'
import type { GitSync } from '../../git/schema.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { asking } from '../asking.ts'
import { fact } from '../fact.ts'
import { frame } from '../frame.ts'
import type { Said } from '../said.ts'
import { nameOfSpace } from '../spaces/space-name.ts'
import { saidOn, tabsOfSpace } from '../top.ts'
import { loadingAnew } from '../under-way.ts'
import { earlierOperations, isUnderWay, lastOperation, shortId } from './operations.page.ts'
import { type FollowingParts, followingPart } from './following.page.ts'
import { type HookParts, freshHook, hookPart } from './hook.page.ts'
import { syncForm } from './sync.form.ts'
import type { TypedSync } from './typed.ts'

export interface GitParts extends Said {
  /** Path of the space. */
  path: string
  organization: OrganizationRow
  space: SpaceRow
  /** What the API shows to the current user. Undefined if that is nothing. */
  shown: Static<typeof GitSync> | undefined
  /** The newest first. Empty for users who may not edit. */
  operations: Operation[]
  /** For users who may sync: everything else that is known, and the forms. */
  syncing:
    | { known: KnownSync | undefined; typed: TypedSync; seen: string; following: Following; hook: Hook | undefined }
    | undefined
  form: string
  /** The new secret of a push hook, shown only once. */
  secret?: string
}

type Following = Pick<FollowingParts, 'shown' | 'typed' | 'seen' | 'isRefused' | 'isElsewhere'>

/** Undefined if the space is not kept in sync. */
type Hook = Pick<HookParts, 'hook' | 'seen' | 'repository'>

/**
 * The page about the Git repository of a space: what is known of it and, for users who may, import, export and
 * disconnecting.
 */
export function gitPage(place: Place, parts: GitParts): Html {
  const { path, organization, space, operations } = parts
  const [last, ...earlier] = operations
  // The page does not reload while it shows an error with the form that was refused, or a secret that must be copied.
  const isKept = parts.error !== undefined || parts.secret !== undefined
  const running = last && isUnderWay(last) && !isKept ? last : undefined
  return frame(
    place,
    `Git · ${space.title}`,
    html`<p class="review-space">
        <a href="${place.link(appPath.organization(organization.id))}">${organization.title}</a> ›
        <a href="${place.link(path)}">${nameOfSpace(space)}</a>
      </p>
      <h1>Git</h1>
      ${tabsOfSpace(place, path, { management: parts.syncing !== undefined, git: true }, 'Git')} ${saidOn(parts)}
      ${parts.syncing?.hook && freshHook({ ...parts.syncing.hook, secret: parts.secret })}
      ${!isConnected(parts) && explanation(parts)} ${last && lastOperation(place, path, last)}
      ${isConnected(parts) && section('repository', 'Repository', 'The repository that was last imported from or exported to.', factsOf(place, parts))}
      ${parts.syncing && !running && syncingParts(place, parts)}
      ${earlier.length > 0 && section('earlier', 'Earlier', 'The last twenty are kept.', earlierOperations(earlier))}
      ${parts.syncing && isConnected(parts) && !running && section('forget', 'Disconnect', 'The pages stay on both sides.', forgetting(place, parts))}`,
    ['copy', 'check'],
    running && loadingAnew(new Date(running.startedAt)),
  )
}

/** Whether something was imported or exported, not only requested. */
const isConnected = ({ shown }: GitParts) => shown?.updatedAt !== undefined

function explanation({ syncing }: GitParts): Html {
  if (!syncing)
    return html`<p class="work-note">
      This space is not connected to a Git repository. People with the role <code>create</code> here can connect it.
    </p>`
  return html`<p class="work-note">
    A repository on GitHub, GitLab or any other host can hold the pages of this space as Markdown files. Changes there
    are imported here and changes here are exported there, on request or automatically. If both sides changed something,
    nothing is lost: it becomes a change request.
  </p>`
}

function factsOf(place: Place, { path, shown, syncing }: GitParts): Html {
  const { url, ref, commit, updatedAt } = shown!
  const { known } = syncing ?? {}
  return html`<dl class="work-roles">
    ${fact('Address', url !== undefined && html`<a href="${url}" rel="noopener noreferrer">${url}</a>`)}
    ${fact('Branch', ref?.replace('refs/heads/', ''))} ${fact('Folder', known?.project_directory)}
    ${fact('Commit', commit !== undefined && html`<code>${shortId(commit)}</code>`)}
    ${fact('Last synced', updatedAt !== undefined && moment(new Date(updatedAt)))}
    ${fact('To be merged', known && waiting(place, path, known))}
  </dl>`
}

/** The last import, if it is not part of the main content yet. Until it is, nothing is exported. */
function waiting(place: Place, path: string, { request_number, request_status }: KnownSync): HtmlValue {
  if (request_number === null || request_status === 'merged') return undefined
  return html`<a href="${place.link(`${path}/~/changes/${request_number}`)}">Change request #${request_number}</a>,
    ${request_status}. Nothing is exported before.`
}

/** By hand and automatic: the one in use comes first. */
function syncingParts(place: Place, parts: GitParts): Html {
  const both = [syncing(place, parts), html`${keepingInStep(place, parts)} ${hearing(place, parts)}`]
  return html`${parts.syncing!.following.shown ? both.toReversed() : both}`
}

/** If nothing is imported, there is no need for push notifications. */
function hearing(place: Place, { path, form, syncing, secret }: GitParts): HtmlValue {
  const { hook, following } = syncing!
  if (!hook || (following.shown?.direction === 'export' && !hook.hook)) return undefined
  const part = hookPart(place, { ...hook, path, form, secret })
  return section('hook', 'Push notifications', 'So that pushed changes arrive at once.', part)
}

function keepingInStep(place: Place, parts: GitParts): Html {
  const { path, form, syncing } = parts
  const part = followingPart(place, { ...syncing!.following, path, form, isConnected: isConnected(parts) })
  return section('following', 'Keep in sync', 'Import and export automatically.', part)
}

function syncing(place: Place, parts: GitParts): Html {
  const { path, form, syncing, error } = parts
  const [last] = parts.operations
  const title = isConnected(parts) ? 'Import and export' : 'Connect a repository'
  const lead = isConnected(parts)
    ? 'On request. If both sides changed something, it becomes a change request.'
    : 'The first time, import if the pages are in the repository, and export if they are here.'
  const isOpen =
    (error !== undefined && !syncing!.following.isRefused) || (last !== undefined && last.state !== 'success')
  const look = isConnected(parts) ? (isOpen ? 'open' : 'folded') : 'plain'
  return section('sync', title, lead, syncForm(place, { action: `${path}/~/git`, form, typed: syncing!.typed, look }))
}

const forgetting = (place: Place, { path, form, syncing }: GitParts) =>
  asking(
    'Disconnect',
    html`<form ${writingOver(place.link(`${path}/~/git/forget`))} class="review-ask">
      ${hidden({ form, seen: syncing!.seen })}
      <p>
        Disconnect this space from its repository? Its pages, its change requests and the repository itself stay as they
        are. The list of imports and exports is deleted, syncing stops, and sites no longer link to its files. Files
        that are not pages, such as a licence, stay here and are exported when the space is written to another
        repository.
      </p>
      <button class="btn danger">Disconnect</button>
    </form>`,
  )
