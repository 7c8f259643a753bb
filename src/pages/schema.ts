import { File } from '../files/schema.ts'
import { OneOf, Time } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { type PageType, pageTypes } from './entry-data.ts'

const Git = Type.Object({ oid: Type.String(), path: Type.String() }, { description: 'The file in the Git repository.' })

/** A page inside another one has the same shape. */
export interface NestedPage {
  id: string
  title: string
  type: PageType
}

const Nested = Type.Array(
  Type.Unsafe<NestedPage>(
    Type.Object(
      { id: Type.String(), title: Type.String(), type: OneOf(pageTypes) },
      { description: 'A page like this one.' },
    ),
  ),
)

const common = {
  id: Type.String(),
  title: Type.String(),
  emoji: Type.Optional(Type.String()),
  icon: Type.Optional(Type.String()),
  createdAt: Type.Optional(Time),
  updatedAt: Type.Optional(Time),
  condition: Type.Optional(Type.String({ description: 'The page is shown only if this expression is true.' })),
}

const flags = { hidden: Type.Boolean(), noIndex: Type.Boolean(), noRobotsIndex: Type.Boolean() }

const inTree = {
  slug: Type.String(),
  path: Type.String({ description: 'The slugs from the top level down to the page.' }),
}

const Layout = Type.Object({
  width: OneOf(['default', 'wide'] as const),
  cover: Type.Boolean(),
  coverSize: OneOf(['hero', 'full'] as const),
  title: Type.Boolean(),
  description: Type.Boolean(),
  tableOfContents: Type.Boolean(),
  outline: Type.Boolean(),
  pagination: Type.Boolean(),
  metadata: Type.Boolean(),
})

const CoverReference = Type.Union([
  Type.Object({ kind: Type.Literal('file'), file: Type.String() }),
  Type.Object({ kind: Type.Literal('url'), url: Type.String() }),
])

const Cover = Type.Object({
  ref: Type.Optional(CoverReference),
  refDark: Type.Optional(CoverReference),
  yPos: Type.Number(),
})

const Computed = Type.Object(
  {
    type: Type.String(),
    props: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    dependencies: Type.Optional(Type.Record(Type.String(), Type.Object({ ref: Type.Object({ kind: Type.String() }) }))),
  },
  { description: 'The source of the page.' },
)

const VariableValue = Type.Union([Type.String(), Type.Number(), Type.Boolean()])

const Fields = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })

const DocumentBlock = Type.Object({
  object: Type.Literal('block'),
  type: Type.String({ description: '`paragraph`, `heading-1`, `list-unordered`, `code`, `hint`, `table`…' }),
  key: Type.Optional(Type.String({ description: 'Derived from its content: stays the same after edits elsewhere.' })),
  data: Fields('Properties of the type.'),
  isVoid: Type.Boolean({ description: 'Whether it has no editable text.' }),
  nodes: Type.Optional(Type.Array(Type.Unknown(), { description: 'Blocks, or inlines and text.' })),
  fragments: Type.Optional(Type.Array(Type.Unknown(), { description: 'Parts beside the body: captions, cells.' })),
  meta: Type.Optional(Type.Object({ id: Type.String({ description: 'Its anchor in the page.' }) })),
  extra: Type.Optional(Fields('Markdown that the document format cannot express.')),
})

export const JSONDocument = Type.Object(
  {
    object: Type.Literal('document'),
    data: Type.Object({ schemaVersion: Type.Optional(Type.Integer()) }),
    nodes: Type.Array(DocumentBlock),
  },
  { $id: 'JSONDocument', description: 'Content as a tree of blocks.' },
)

/** The fields that `format` adds. */
const body = {
  markdown: Type.Optional(Type.String({ description: 'With `format=markdown`.' })),
  document: Type.Optional(JSONDocument),
  html: Type.Optional(Type.String({ description: 'With `format=html`: sanitized HTML without styles.' })),
}

export const DocumentPage = Type.Object(
  {
    ...common,
    type: Type.Literal('document'),
    kind: Type.Literal('sheet'),
    ...inTree,
    ...flags,
    description: Type.Optional(Type.String()),
    documentId: Type.Optional(Type.String()),
    computed: Type.Optional(Computed),
    computedSeed: Type.Optional(Type.String({ description: 'For pages that are generated.' })),
    layout: Layout,
    cover: Type.Optional(Cover),
    variables: Type.Optional(Type.Record(Type.String(), VariableValue)),
    git: Type.Optional(Git),
    urls: Type.Object({ app: Type.String() }),
    ...body,
    pages: Nested,
  },
  { $id: 'DocumentPage' },
)

const GroupPage = Type.Object({
  ...common,
  type: Type.Literal('group'),
  kind: Type.Literal('group'),
  ...inTree,
  ...flags,
  pages: Nested,
})

const LinkPage = Type.Object({
  ...common,
  type: Type.Literal('link'),
  kind: Type.Literal('link'),
  target: Type.Object({ kind: Type.String() }),
  href: Type.Optional(Type.String()),
  hidden: Type.Boolean(),
})

const ComputedPage = Type.Object({ ...common, type: Type.Literal('computed'), computed: Computed })

export const Page = Type.Union([DocumentPage, GroupPage, LinkPage, ComputedPage], { $id: 'Page' })

export const Pages = Type.Object({ pages: Type.Array(Page) })

export const ReusableContent = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    document: Type.Optional(Type.String({ description: 'The id of its document.' })),
    git: Type.Optional(Git),
    markdown: body.markdown,
    html: body.html,
  },
  { $id: 'ReusableContent' },
)

export const revisionTypes = ['edits', 'merge', 'rollback', 'update', 'computed'] as const

const Commit = Type.Object({
  oid: Type.String(),
  message: Type.Optional(Type.String()),
  createdByService: Type.Optional(Type.Boolean()),
  createdByGitBook: Type.Optional(Type.Boolean()),
  url: Type.Optional(Type.String()),
  ref: Type.Optional(Type.String()),
})

export const Revision = Type.Object(
  {
    object: Type.Literal('revision'),
    id: Type.String(),
    type: OneOf(revisionTypes),
    parents: Type.Array(Type.String()),
    createdAt: Time,
    mergedFrom: Type.Optional(
      Type.Object({ id: Type.String() }, { description: 'The change request that was merged.' }),
    ),
    git: Type.Optional(Commit),
    variables: Type.Record(Type.String(), Type.String()),
    urls: Type.Object({
      app: Type.String(),
      published: Type.Optional(
        Type.String({ description: 'The public URL of the space, as long as this is its current revision.' }),
      ),
      public: Type.Optional(Type.String({ description: 'The same, if it is public.' })),
    }),
    pages: Type.Array(Page),
    files: Type.Array(File),
    reusableContents: Type.Array(ReusableContent),
  },
  { $id: 'Revision' },
)

/** The parameters of every operation that reads content. */
export const contentQuery = {
  metadata: Type.Optional(Type.Boolean({ default: true, description: '`false` omits all `git` fields.' })),
  computed: Type.Optional(
    Type.Boolean({
      default: true,
      description:
        '`true`: generated pages contain what they are generated from, if this server can generate it. `false`: they are ' +
        'returned as stored.',
    }),
  ),
}

const evaluations = ['true', 'false', 'deterministic-only'] as const

const evaluated = Type.Optional(
  OneOf(evaluations, {
    default: 'false',
    description:
      '`true`: variables, expressions, includes and conditions are resolved, as for an anonymous reader. ' +
      '`deterministic-only`: expressions that depend on the reader are left unevaluated.',
  }),
)

const dereferenced = Type.Optional(
  OneOf(['true', 'false', 'reusable-contents'] as const, {
    default: 'false',
    description:
      '`true`: included pages and reusable contents are inserted; expressions and conditions stay as they are. ' +
      '`reusable-contents`: only reusable contents are inserted. With `evaluated`, everything is inserted anyway.',
  }),
)

const refs = Type.Optional(
  OneOf(['relative', 'stable'] as const, {
    default: 'relative',
    description:
      'Links in Markdown: `relative` as written; `stable` by id (`/pages/<id>`, `/files/<id>`), which a ' +
      'rename or a move does not change, and which can be used when writing content.',
  }),
)

export const PageQuery = Type.Object({
  ...contentQuery,
  format: Type.Optional(
    OneOf(['markdown', 'document', 'html'] as const, {
      description: 'If omitted, the page is returned without its body.',
    }),
  ),
  'format.markdown.refs': refs,
  evaluated,
  dereferenced,
  cachedMetadata: Type.Optional(Type.Boolean({ description: 'Has no effect.' })),
})

export const DocumentQuery = Type.Object({ evaluated, dereferenced })

/** In a reusable content, `document` is the id of its document, so its body is available as text only. */
export const ReusableQuery = Type.Object({
  ...contentQuery,
  format: Type.Optional(
    OneOf(['markdown', 'html'] as const, { description: 'If omitted, it is returned without its body.' }),
  ),
  'format.markdown.refs': refs,
  evaluated,
  dereferenced,
})

export const ContentQuery = Type.Object(contentQuery)
