import type { Static, TObject, TSchema } from 'typebox'
import { roles } from '../access/roles.ts'
import Type from './type.ts'

/** Shapes that many resources share. */
export const Id = (description: string) => Type.String({ description })

export const Time = Type.String({ format: 'date-time' })

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** The name of something or somebody: not blank, and on one line. */
export const Name = (minLength: number, maxLength: number) =>
  Type.String({ minLength, maxLength, pattern: '\\S', format: 'one-line' })

/** One word of a closed list. */
export const OneOf = <const Words extends readonly string[]>(
  words: Words,
  options: { description?: string; default?: Words[number] } = {},
) => Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], ...options })

/** An id in a query. A malformed id is refused instead of looked up. */
export const AnId = (description?: string) =>
  Type.String({
    pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    examples: ['01990000-0000-7000-8000-000000000000'],
    ...(description !== undefined && { description }),
  })

/**
 * Objects of several kinds in a body, told apart by one word in them. A caller who sends an invalid one is told what is
 * wrong with it, and not what the other kinds require.
 */
export const Tagged = <const Kinds extends readonly TObject[]>(
  word: string,
  kinds: Kinds,
  options: { description?: string } = {},
) =>
  Type.Unsafe<Static<Kinds[number]>>({
    type: 'object',
    required: [word],
    discriminator: { propertyName: word },
    oneOf: kinds,
    ...options,
  })

export const RoleWord = OneOf(roles, { description: 'Weakest first: read, comment, edit, review, create, admin.' })

/** null is a guest: no access except for what was granted directly. */
export const MaybeRole = Nullable(RoleWord)

export const Order = OneOf(['asc', 'desc'] as const, { default: 'desc' })

export const SearchForPeople = Type.Optional(
  Type.String({ maxLength: 256, description: 'Part of the name or e-mail address.' }),
)

export const ErrorBody = Type.Object(
  {
    error: Type.Object({
      code: Type.Integer({ description: 'The HTTP status.' }),
      type: Type.String({ description: 'A stable error code; docs/errors.md lists them.' }),
      message: Type.String(),
      details: Type.Optional(
        Type.Array(Type.Object({ path: Type.String(), rule: Type.String(), message: Type.String() })),
      ),
    }),
  },
  { $id: 'Error', description: 'Refused' },
)

/** The errors that any operation may answer with instead. */
export const refusals = { '4xx': ErrorBody, '5xx': ErrorBody }

/** An answer without a body. */
export const Nothing = (description: string) => Type.Null({ description })
