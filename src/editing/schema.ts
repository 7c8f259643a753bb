import type { Static, TSchema } from 'typebox'
import { ChangeRequest } from '../change-requests/schema.ts'
import { File } from '../files/schema.ts'
import { Name as OneLine, Nullable, OneOf, Tagged } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { pageTypes } from '../pages/entry-data.ts'

/** An id, or the `ref` of something that an earlier change of the same batch made. */
const Name = (description: string) => Type.String({ minLength: 1, maxLength: 100, description })

const Ref = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$',
  examples: ['first-page'],
  description: 'A name within this batch, which later changes and links (`./<ref>.md`, `./<ref>`) can refer to.',
})

const Document = Type.Object(
  {
    markdown: Type.Optional(
      Type.String({ description: 'Markdown; front matter and a leading heading become fields.' }),
    ),
    document: Type.Optional(Type.Object({ object: Type.Literal('document') }, { description: 'A tree of blocks.' })),
  },
  { description: 'One of `{markdown}`, `{document}` and `{}`.' },
)

const Title = OneLine(1, 500)

const PageWord = { page: Name('The page.') }

const Into = Type.Optional(Nullable(Name('The parent page; null for the top level.')))

const At = Type.Optional(
  Type.Integer({ minimum: 0, description: 'The position among its siblings, starting at 0. Default: last.' }),
)

const CoverReference = Tagged('kind', [
  Type.Object({ kind: Type.Literal('file'), file: Type.String() }),
  Type.Object({ kind: Type.Literal('url'), url: Type.String({ format: 'http-url', maxLength: 2048 }) }),
])

const Layout = Type.Object({
  width: Type.Optional(OneOf(['default', 'wide'] as const)),
  cover: Type.Optional(Type.Boolean()),
  coverSize: Type.Optional(OneOf(['hero', 'full'] as const)),
  title: Type.Optional(Type.Boolean()),
  description: Type.Optional(Type.Boolean()),
  tableOfContents: Type.Optional(Type.Boolean()),
  outline: Type.Optional(Type.Boolean()),
  pagination: Type.Optional(Type.Boolean()),
  metadata: Type.Optional(Type.Boolean()),
})

const pageFields = {
  title: Type.Optional(Title),
  slug: Type.Optional(
    Type.String({ maxLength: 100, description: 'Unique among its siblings. Empty: derived from the title.' }),
  ),
  emoji: Type.Optional(Type.String({ maxLength: 50, description: 'Empty removes it.' })),
  icon: Type.Optional(Type.String({ maxLength: 50, description: 'Empty removes it.' })),
  description: Type.Optional(Type.String({ maxLength: 10_000, description: 'Empty removes it.' })),
  hidden: Type.Optional(Type.Boolean()),
  noIndex: Type.Optional(Type.Boolean()),
  noRobotsIndex: Type.Optional(Type.Boolean()),
  condition: Type.Optional(
    Type.String({
      maxLength: 1024,
      description: 'The page is shown only if this expression is true. Empty removes the condition.',
    }),
  ),
}

/**
 * Everything that a change can say about a page. The fields that other servers of this API know as well can also be
 * given beside the document.
 */
export const Metadata = Type.Object({
  ...pageFields,
  layout: Type.Optional(Layout),
  cover: Type.Optional(
    Nullable(
      Type.Object({
        ref: CoverReference,
        refDark: Type.Optional(CoverReference),
        yPos: Type.Optional(Type.Number({ minimum: -100_000, maximum: 100_000 })),
      }),
    ),
  ),
  variables: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String({ maxLength: 256 }), Type.Number(), Type.Boolean()]), {
      maxProperties: 100,
      description: 'All variables of the page; replaces the existing ones.',
    }),
  ),
  translatedFrom: Type.Optional(
    Nullable(
      Type.Object(
        {
          page: Type.String({ description: 'The page in the source space.' }),
          revision: Type.String({ description: "The revision of the source's main content that was translated." }),
        },
        { description: 'In a variant of a translation: the page that this one translates. null removes it.' },
      ),
    ),
  ),
})

const Target = Type.Object(
  {
    kind: OneOf(['url', 'page', 'anchor', 'file', 'space'] as const),
    url: Type.Optional(Type.String({ format: 'http-url', maxLength: 2048 })),
    page: Type.Optional(Name('A page of this space, or of `space`.')),
    anchor: Type.Optional(Type.String({ maxLength: 256 })),
    file: Type.Optional(Name('A file of this space.')),
    space: Type.Optional(Type.String()),
  },
  { description: 'The target of a page of type `link`.' },
)

const Computed = Type.Object(
  {
    type: Type.String({
      pattern: '^(builtin:(openapi|translation)|integration:[^:]{1,100}:[^:]{1,100})$',
      examples: ['builtin:openapi'],
    }),
    props: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { maxProperties: 20 })),
    dependencies: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        maxProperties: 20,
        description:
          'Its inputs, by name: `spec` of `builtin:openapi` (`{ref: {kind: "openapi", spec}}`), `translation` ' +
          'of `builtin:translation` (`{ref: {kind: "translation", translation}}`).',
      }),
    ),
  },
  { description: 'The source of a page of type `computed`.' },
)

const NewFile = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 256 }),
  url: Type.Optional(Type.String({ maxLength: 2048, description: 'A public URL to fetch the file from.' })),
  base64: Type.Optional(Type.String({ maxLength: 1_398_104, description: 'At most 1 MB; needs `contentType`.' })),
  key: Type.Optional(Type.String({ maxLength: 512, description: 'The key of an earlier upload.' })),
  contentType: Type.Optional(
    Type.String({ maxLength: 255, description: 'The declared type. The actual type is detected from the bytes.' }),
  ),
  ref: Type.Optional(Ref),
})

const operation = <const Word extends string, Fields extends Record<string, TSchema>>(word: Word, fields: Fields) =>
  Type.Object({ operation: Type.Literal(word), ...fields })

const InsertPage = operation('insert_page', {
  type: Type.Optional(OneOf(pageTypes, { default: 'document' })),
  document: Type.Optional(Document),
  into: Into,
  at: At,
  ref: Type.Optional(Ref),
  ...pageFields,
  metadata: Type.Optional(Metadata),
  target: Type.Optional(Target),
  computed: Type.Optional(Computed),
})

const UpdatePage = operation('update_page', {
  ...PageWord,
  document: Type.Optional(Document),
  into: Into,
  at: At,
  ...pageFields,
  metadata: Type.Optional(Metadata),
  target: Type.Optional(Target),
  computed: Type.Optional(Computed),
})

const DeletePage = operation('delete_page', PageWord)

const RevertPage = operation('revert_page', {
  ...PageWord,
  revision: Type.Optional(
    Type.String({
      description: 'The revision to restore the page from. Default: the one that the change request is based on.',
    }),
  ),
  block: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 1000, description: 'Only these blocks.' }),
  ),
})

const InsertFiles = operation('insert_files', {
  files: Type.Array(NewFile, { minItems: 1, maxItems: 20 }),
})

const UpdateFile = operation('update_file', {
  file: Name('The file.'),
  name: Type.String({ minLength: 1, maxLength: 256 }),
})

const DeleteFile = operation('delete_file', { file: Name('The file.') })

const InsertReusableContent = operation('insert_reusable_content', {
  title: Title,
  document: Document,
  ref: Type.Optional(Ref),
})

const UpdateReusableContent = operation('update_reusable_content', {
  reusableContent: Name('The reusable content.'),
  title: Type.Optional(Title),
  document: Type.Optional(Document),
})

const DeleteReusableContent = operation('delete_reusable_content', {
  reusableContent: Name('The reusable content.'),
})

const UpdateVariables = operation('update_variables', {
  variables: Type.Record(Type.String(), Nullable(Type.String({ maxLength: 256 })), {
    minProperties: 1,
    maxProperties: 500,
    description: 'The variables to set; null removes one. Variables that are not named stay as they are.',
  }),
})

const operations = [
  InsertPage,
  UpdatePage,
  DeletePage,
  RevertPage,
  InsertFiles,
  UpdateFile,
  DeleteFile,
  InsertReusableContent,
  UpdateReusableContent,
  DeleteReusableContent,
  UpdateVariables,
] as const

/** One change of a batch, of the kind given by `operation`. */
export type Change = Static<(typeof operations)[number]>

export type ChangeOf<Word extends Change['operation']> = Extract<Change, { operation: Word }>

const AnyChange = Tagged('operation', operations)

export const Batch = Type.Object({
  changes: Type.Array(AnyChange, { minItems: 1, maxItems: 50, description: 'Applied in order, all or none.' }),
})

const TouchedPage = Type.Object({
  object: Type.Literal('page'),
  id: Type.String(),
  urls: Type.Object({ location: Type.String() }),
})

const Made = Type.Union([
  Type.Object({
    object: Type.Literal('created_page'),
    ref: Type.Optional(Type.String()),
    page: TouchedPage,
  }),
  Type.Object({ object: Type.Literal('updated_page'), page: TouchedPage }),
  Type.Object({ object: Type.Literal('deleted_page'), page: Type.String() }),
  Type.Object({
    object: OneOf(['created_reusable_content', 'updated_reusable_content', 'deleted_reusable_content'] as const),
    ref: Type.Optional(Type.String()),
    reusableContent: Type.String(),
  }),
  Type.Object({ object: OneOf(['updated_file', 'deleted_file'] as const), file: Type.String() }),
])

const outcome = {
  changes: Type.Array(Made, { description: 'Everything that was changed, once each, in the order of the changes.' }),
  insertedFiles: Type.Optional(Type.Array(File)),
}

export const EditedSpace = Type.Object(
  { revision: Type.String({ description: 'The new revision, or the current one if nothing changed.' }), ...outcome },
  { $id: 'EditedSpace' },
)

export const EditedChangeRequest = Type.Union([
  ChangeRequest,
  Type.Object({ changeRequest: ChangeRequest, ...outcome }, { description: 'With `compat=false`.' }),
])
