import type { Static } from 'typebox'
import { OneOf, Time } from '../http/schemas.ts'
import Type from '../http/type.ts'

const slugPattern = '^[a-z0-9]+(?:-[a-z0-9]+)*$'

export const SpecSlug = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: slugPattern,
  examples: ['teapot-api'],
})

const states = ['pending', 'progress', 'complete'] as const
const errorCodes = ['FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR'] as const
export const visibilities = ['private', 'public'] as const
export const formats = ['json', 'yaml'] as const

export type SpecErrorCode = (typeof errorCodes)[number]
export type SpecVisibility = (typeof visibilities)[number]
export type SpecFormat = (typeof formats)[number]

export const OpenAPISpec = Type.Object(
  {
    object: Type.Literal('openapi-spec'),
    id: Type.String(),
    createdAt: Time,
    updatedAt: Time,
    slug: Type.String(),
    sourceURL: Type.Optional(
      Type.String({ description: 'Where it is fetched from, every six hours (sooner after a failure) and on PUT.' }),
    ),
    processingState: OneOf(states, { description: 'Also `complete` after a failure, with an error code.' }),
    visibility: OneOf(visibilities, { description: '`public`: anybody can download it from `urls.published`.' }),
    lastVersion: Type.Optional(Type.String({ description: 'The id of the latest valid version.' })),
    lastProcessedAt: Type.Optional(Time),
    lastProcessErrorCode: Type.Optional(OneOf(errorCodes)),
    lastProcessedErrors: Type.Optional(
      Type.Array(Type.Object({ message: Type.String() }), { description: 'Why it could not be read.' }),
    ),
    lastProcessedErrorCount: Type.Optional(Type.Integer()),
    permissions: Type.Object({ view: Type.Boolean(), edit: Type.Boolean() }),
    urls: Type.Object({ location: Type.String(), app: Type.String(), published: Type.Optional(Type.String()) }),
  },
  { $id: 'OpenAPISpec' },
)

export const OpenAPISpecVersion = Type.Object(
  {
    object: Type.Literal('openapi-spec-version'),
    id: Type.String(),
    createdAt: Time,
    url: Type.String({ description: 'A signed URL of the whole specification as one JSON document.' }),
    urls: Type.Object({ location: Type.String() }),
  },
  { $id: 'OpenAPISpecVersion' },
)

const SpecFile = Type.Object({
  filename: Type.String(),
  dir: Type.String(),
  isEntrypoint: Type.Boolean(),
  references: Type.Array(Type.String()),
  specification: Type.Unknown(),
})

export const OpenAPISpecContent = Type.Object(
  {
    filesystem: Type.Unsafe<Record<string, Static<typeof SpecFile>>>({
      type: 'object',
      description:
        'Every document by its name. `openapi.json` is the entry point: the whole specification in the form of ' +
        'OpenAPI 3.1, with external references included, and with absolute addresses of servers if it was fetched. The ' +
        'others are the referenced documents, unchanged.',
      additionalProperties: SpecFile,
    }),
    url: Type.String({ description: 'A signed URL of the entry point.' }),
  },
  { $id: 'OpenAPISpecContent' },
)

export const OpenAPISpecText = Type.Object(
  { text: Type.String({ description: 'As it was sent or fetched.' }), format: OneOf(formats) },
  { $id: 'OpenAPISpecText' },
)

const Source = Type.Object(
  {
    url: Type.Optional(
      Type.String({
        format: 'http-url',
        maxLength: 2048,
        description: 'A public URL, which is fetched again regularly.',
      }),
    ),
    text: Type.Optional(Type.String({ minLength: 1, description: 'The specification itself, as JSON or YAML.' })),
  },
  { description: 'Exactly one of `url` and `text`.' },
)

export const NewOpenAPISpec = Type.Object({
  slug: SpecSlug,
  source: Source,
})

export const OpenAPISpecSource = Type.Object({ source: Source })

export const OpenAPISpecChanges = Type.Object({ visibility: OneOf(visibilities) })
