import { hash } from 'node:crypto'
import type { Static } from 'typebox'
import type { App } from '../http/routes.ts'
import { encodePath } from '../sites/redirects/match.ts'
import { unsignedFromText } from '../sites/adaptive/claims.ts'
import { readPath, readUntidyPath } from './addresses.ts'
import { writeContentToken } from './reader.ts'
import { type Resolution, pathOfPage } from './resolve.ts'
import { signInUrl } from './visitors/sign-in-url.ts'
import type { Section, SiteSnapshot, Variant } from './snapshots/snapshot.ts'
import { isDraft, segmentsTo } from './snapshots/structure.ts'
import type { Lookup } from './urls/urls.schema.ts'
import { type Presented, type Visitor, opens } from './visitors/visitor.ts'

export interface Question {
  url: URL
  token: string | undefined
  unsigned: object | undefined
  redirectOnError: boolean
}

/** Finds what a visitor gets at an address of a published site. Undefined if there is nothing that they may see. */
export async function lookUp(app: App, question: Question): Promise<Static<typeof Lookup> | undefined> {
  const { url } = question
  const located = await app.audience.locateUrl(url)
  if (!located) return undefined
  if ('front' in located) {
    // Such an address contains no share key.
    const isSecret = located.of.site.visibility === 'share-link'
    return isSecret ? undefined : { target: 'content', redirect: url.origin + located.front }
  }

  const { snapshot, rest = '' } = located
  // Extra slashes are removed from here on, because a sign-in could take the start of such a path for a host to come
  // back to.
  const untidy = readUntidyPath(rest)
  const { key, path } = keyIn(snapshot, untidy?.tidy ?? rest)
  const basePath = key === undefined ? located.basePath : `${located.basePath}${key}/`
  const asked = readPath(path)
  if (!asked) return undefined

  const presented = presentedBy(question, snapshot, key)
  const admission = await app.audience.admit(snapshot, presented)
  if ('refused' in admission) {
    if (admission.refused !== 'sign-in' || (presented.token !== undefined && !question.redirectOnError))
      return undefined
    const redirect = signInUrl(snapshot, path)
    return redirect === undefined ? undefined : { target: 'external', site: snapshot.site.id, redirect }
  }
  const { visitor } = admission
  const found = await app.audience.resolve(snapshot, visitor, untidy ? { ...asked, isUntidy: true } : asked)
  switch (found.kind) {
    case 'page':
      return { ...present(app, snapshot, visitor, found, { basePath, presented }), ...(key && { shareKey: key }) }
    case 'moved':
      return {
        target: 'content',
        redirect: url.origin + basePath + found.path + (found.behind?.search ?? '') + (found.behind?.hash ?? ''),
      }
    case 'external':
      return { target: 'external', site: snapshot.site.id, redirect: found.url }
    default:
      return undefined
  }
}

function keyIn(snapshot: SiteSnapshot, rest: string): { key: string | undefined; path: string } {
  const [, key, behind = ''] = /^([^/]+)(?:\/(.*))?$/s.exec(rest) ?? []
  const isNeeded = snapshot.site.visibility === 'share-link'
  return isNeeded && opens(snapshot, key) ? { key, path: behind } : { key: undefined, path: rest }
}

function presentedBy({ url, token, unsigned }: Question, { claims }: SiteSnapshot, key: string | undefined): Presented {
  const inUrl = [...url.searchParams].flatMap(([name, value]) =>
    name.startsWith('visitor.') ? [[name.slice('visitor.'.length), value] as const] : [],
  )
  return {
    shareKey: key,
    token: token ?? url.searchParams.get('jwt_token') ?? undefined,
    unsigned: { ...unsignedFromText(claims, inUrl), ...unsigned },
  }
}

type FoundPage = Extract<Resolution, { kind: 'page' }>

function present(
  app: App,
  snapshot: SiteSnapshot,
  visitor: Visitor,
  found: FoundPage,
  { basePath, presented }: { basePath: string; presented: Presented },
) {
  const { section, variant } = found.place
  const above = segmentsTo(snapshot, visitor, found.place, [])
  const path = pathOfPage(snapshot, visitor, found)
  const variantPath = above.length === 0 ? '' : `${encodePath(above)}/`
  // If a page could be mistaken for a section or a variant, its path names a section or variant that the path of its
  // own variant leaves out.
  const below = path.startsWith(variantPath) ? path.slice(variantPath.length) : path
  return {
    site: snapshot.site.id,
    ...(section && { siteSection: section.row.id }),
    siteSpace: variant.row.id,
    space: variant.space.id,
    organization: snapshot.organization.id,
    pathname: `/${below}`,
    basePath: basePath + variantPath,
    siteBasePath: basePath,
    apiToken: writeContentToken(app, snapshot, presented),
    complete: isComplete(snapshot, found),
    canonicalUrl: app.audience.canonicalAddress(snapshot) + path,
    ...(visitor.isKnown && { contextId: contextOf(visitor) }),
  }
}

/** False if a section or a variant could still follow in place of a page. */
function isComplete(snapshot: SiteSnapshot, { place: { section, variant } }: FoundPage) {
  const isNamed = ({ all }: { all: readonly (Section | Variant)[] }, isDefault: boolean) =>
    all.filter((each) => !isDraft(each)).length <= 1 || !isDefault
  const inSection = section === undefined || isNamed(snapshot.sections, section.isDefault)
  return inSection && isNamed(section?.variants ?? snapshot.root, variant.isDefault)
}

const contextOf = ({ scope }: Visitor) => hash('sha256', JSON.stringify(scope), 'base64url').slice(0, 22)
