import { appPath } from '../app-path.ts'
import type { Static } from 'typebox'
import { accessSpace } from '../access/content.ts'
import type { Caller } from '../access/caller.ts'
import { type Entry, top } from '../content/merge/entry.ts'
import { parse } from '../content/parse.ts'
import { File } from '../files/schema.ts'
import { invalid, notFound } from '../http/errors.ts'
import { type App, type Routes, token } from '../http/routes.ts'
import { OneOf, refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { isGuest } from '../organizations/members.queries.ts'
import { presentDocument } from '../pages/body.ts'
import { presentTree } from '../pages/present.ts'
import { JSONDocument, Page, ReusableContent } from '../pages/schema.ts'
import { PageTree } from '../pages/tree.ts'
import { wordsFor } from '../published/words/words.ts'
import { page } from '../revisions/entries.ts'
import { isTrue, textAt } from './draw/json.ts'
import { bodyOf } from './generate/body.ts'
import { expandPages, idOfGenerated, specOf, specsAskedFor } from './generate/expand.ts'
import type { PageSource } from './generate/outline.ts'

const Computation = Type.Object({
  source: Type.Object({
    type: Type.String({ maxLength: 250 }),
    props: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { maxProperties: 20 })),
    dependencies: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { maxProperties: 20 })),
  }),
  seed: Type.String({ maxLength: 250, description: 'Ids are derived from it: the same seed gives the same ids.' }),
})

const inSpace = Type.Object({ spaceId: Type.String() })
const config = { policy: token('space:read', 'the role read') }
const tags = ['computed-content']

/** Shows what would be generated from a specification. Nothing is stored. */
export const computedRoutes: Routes = async (app) => {
  app.post(
    '/spaces/:spaceId/content/computed/document',
    {
      config,
      schema: {
        operationId: 'getComputedDocument',
        summary: 'Get the body of a page that is generated from a specification',
        tags,
        params: inSpace,
        querystring: Type.Object({
          schema: Type.Optional(
            OneOf(['current', 'next'] as const, { description: 'Has no effect: there is only one schema.' }),
          ),
        }),
        body: Computation,
        response: { 200: JSONDocument, ...refusals },
      },
    },
    async (request) => {
      const { organizationId, slug, language } = await accessSource(
        app,
        request.caller,
        request.params.spaceId,
        request.body,
      )
      const source = pageSourceOf(request.body)
      const [version] = await app.openapi.newest(organizationId, [slug])
      if (!version) throw notFound('specification')
      const spec = await app.openapi.spec(organizationId, version)
      return presentDocument(parse(bodyOf(spec, slug, source, { words: wordsFor(language ?? 'en') })))
    },
  )

  app.post(
    '/spaces/:spaceId/content/computed/revision',
    {
      config,
      schema: {
        operationId: 'getComputedRevision',
        summary: 'Get the pages that are generated from a specification',
        tags,
        params: inSpace,
        body: Computation,
        response: {
          200: Type.Object({
            pages: Type.Array(Page),
            files: Type.Array(File),
            reusableContents: Type.Array(ReusableContent),
          }),
          ...refusals,
        },
      },
    },
    async (request) => {
      const { spaceId } = request.params
      const { organizationId, slug, language } = await accessSource(app, request.caller, spaceId, request.body)
      const models = isTrue(request.body.source.props, 'models')
      const asking = askingFor(request.body.seed, slug, models)
      const { tree, stamp } = await expandPages(app, { organizationId, language }, PageTree.of([asking]))
      if (stamp === '') throw notFound('specification')
      const view = { appUrl: `${app.url}${appPath.space(organizationId, spaceId)}/`, withGit: false }
      return { pages: presentTree(tree, view), files: [], reusableContents: [] }
    },
  )
}

type Computation = Static<typeof Computation>

async function accessSource(app: App, caller: Caller, spaceId: string, { source }: Computation) {
  const { space, main } = await accessSpace(app.db, caller, spaceId, 'view')
  if (source.type !== 'builtin:openapi') {
    throw invalid('body.source.type', 'enum', 'must be builtin:openapi: nothing else is computed here')
  }
  const slug = specOf(source as Parameters<typeof specOf>[0])
  if (slug === undefined) {
    throw invalid('body.source.dependencies.spec.ref', 'required', 'must name a specification: {kind: openapi, spec}')
  }
  const { organization_id: organizationId, language } = space
  // Guests, and tokens that cannot read specifications, may only use those from which pages of the space are generated.
  const { scopes } = caller.token
  const isNarrowed = scopes !== null && !scopes.includes('openapi:read')
  const isOutside = isNarrowed || (await isGuest(app.db, organizationId, caller.user.id))
  if (isOutside && !specsAskedFor(await app.content.tree(main)).includes(slug)) throw notFound('specification')
  return { organizationId, slug, language }
}

function pageSourceOf({ source: { props = {} } }: Computation): PageSource {
  const { doc } = props
  if (doc === 'models') return { doc }
  if (doc !== 'operations' && doc !== 'info') {
    throw invalid('body.source.props.doc', 'enum', 'must be one of operations, info, models')
  }
  const name = textAt(props, 'page')
  if (name === undefined) throw invalid('body.source.props.page', 'required', 'must be the name of a tag')
  return { doc, page: name }
}

/** A placeholder page as it would be in a space. */
function askingFor(seed: string, slug: string, models: boolean): Entry {
  const source = {
    type: 'builtin:openapi',
    props: { models },
    dependencies: { spec: { ref: { kind: 'openapi', spec: slug } } },
  }
  return {
    entry: idOfGenerated(seed),
    kind: page,
    state: 0,
    parent: top,
    slug: 'computed',
    position: 'a0',
    doc: null,
    refs: null,
    data: { type: 'computed', title: 'API', computed: source },
  }
}
