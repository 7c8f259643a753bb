import { OneOf, Tagged, Time } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { User } from '../users/schema.ts'

/** All sources of the GitBook API. Some of them stand for exports that users have to make in the other tool first. */
const importSources = [
  'website',
  'docx',
  'markdown',
  'html',
  'zip',
  'confluence',
  'github-wiki',
  'notion',
  'google-docs',
] as const

const Address = (description: string) => Type.String({ format: 'http-url', maxLength: 2048, description })

export const ImportContent = Type.Object(
  {
    url: Address('The URL of the content.'),
    source: OneOf(importSources, {
      description:
        'The kind of source. `website`: all pages at this URL and below it. `zip`: an archive of Markdown or HTML, as exported by Notion and Confluence.',
    }),
  },
  { $id: 'ImportContent' },
)

const skipped = Type.Array(Type.Object({ source: Type.String(), reason: Type.String() }), {
  description: 'What could not be imported, and why. At most 1,000 are listed.',
})

export const ImportContentResult = Type.Object(
  {
    revision: Type.String({ description: 'The revision that contains the imported content.' }),
    importedResources: Type.Integer({ description: 'The number of imported pages.' }),
    totalResources: Type.Integer({ description: 'The number of pages found.' }),
    pages: Type.Array(Type.Object({ id: Type.String(), title: Type.String(), sourceURL: Type.String() })),
    skipped,
  },
  { $id: 'ImportContentResult' },
)

const WebsiteSource = Type.Object({
  type: Type.Literal('website'),
  url: Address('All pages at this URL and below it are imported.'),
})

const FileSource = Type.Object({
  type: Type.Literal('file'),
  files: Type.Array(Type.String({ maxLength: 100 }), {
    minItems: 1,
    maxItems: 50,
    description: 'Keys of uploads of kind `import_file`: Markdown, HTML, docx, or ZIP archives of them.',
  }),
})

const Target = Type.Object({
  space: Type.String(),
  changeRequest: Type.Optional(
    Type.String({ maxLength: 100, description: 'The id or number of a change request. Default: the main content.' }),
  ),
  page: Type.Optional(
    Type.String({ description: 'The parent of the imported pages. Default: the end of the top level.' }),
  ),
})

export const NewImportRun = Type.Object(
  {
    source: Tagged('type', [WebsiteSource, FileSource]),
    target: Target,
    site: Type.Optional(Type.String({ description: 'The site that it is for. Stored, but otherwise unused.' })),
    enhance: Type.Optional(Type.Boolean({ default: true, description: 'Accepted and ignored.' })),
  },
  { $id: 'NewImportRun' },
)

export const runStatuses = ['pending', 'in-progress', 'completed', 'failed', 'cancelled'] as const

export const ImportRun = Type.Object(
  {
    object: Type.Literal('import-run'),
    id: Type.String(),
    status: OneOf(runStatuses),
    reason: Type.Optional(Type.String({ description: 'Why it failed.' })),
    source: Type.Union([WebsiteSource, FileSource]),
    target: Target,
    site: Type.Optional(Type.String()),
    createdBy: Type.Optional(User),
    createdAt: Time,
    updatedAt: Time,
    startedAt: Type.Optional(Time),
    completedAt: Type.Optional(Time),
    progress: Type.Object({
      found: Type.Integer({ description: 'The number of pages found so far.' }),
      done: Type.Integer({ description: 'The number of pages read so far.' }),
    }),
    revision: Type.Optional(Type.String({ description: 'The revision that contains the imported content.' })),
    importedResources: Type.Optional(Type.Integer()),
    totalResources: Type.Optional(Type.Integer()),
    pages: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.String(),
          sourceURL: Type.Optional(Type.String()),
          type: OneOf(['page', 'folder'] as const),
          status: OneOf(['complete', 'pending'] as const),
        }),
        { description: 'Omitted in lists.' },
      ),
    ),
    skipped: Type.Optional(skipped),
    urls: Type.Object({ location: Type.String() }),
  },
  { $id: 'ImportRun' },
)
