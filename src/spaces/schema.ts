import { ContentTitle, DefaultLevel } from '../collections/schema.ts'
import { GitSyncOfSpace } from '../git/schema.ts'
import { MaybeRole, Nullable, OneOf, Time } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { languages } from './languages.ts'
import { MergeRules } from './merge-rules.ts'

const visibilities = ['public', 'unlisted', 'share-link', 'visitor-auth', 'in-collection', 'private'] as const

const EditMode = OneOf(['live', 'locked'] as const, {
  description: 'live: pages can be edited directly; locked: through change requests only.',
})

export const Space = Type.Object(
  {
    object: Type.Literal('space'),
    id: Type.String(),
    title: Type.String(),
    emoji: Type.String(),
    visibility: OneOf(visibilities),
    createdAt: Time,
    updatedAt: Time,
    deletedAt: Type.Optional(Time),
    editMode: Type.Optional(EditMode),
    urls: Type.Object({
      location: Type.String(),
      app: Type.String(),
      published: Type.Optional(Type.String()),
      public: Type.Optional(Type.String()),
      icon: Type.Optional(Type.String()),
    }),
    organization: Type.String(),
    parent: Type.Optional(Type.String({ description: 'The collection that contains it.' })),
    language: Type.Optional(OneOf(languages)),
    mergeRules: Type.Optional(MergeRules),
    gitSync: Type.Optional(GitSyncOfSpace),
    visitorAuth: Type.Optional(
      Type.Object({ backend: OneOf(['custom'] as const) }, { description: 'The visitor sign-in of its site.' }),
    ),
    revision: Type.String({ description: 'The current revision of the main content.' }),
    defaultLevel: MaybeRole,
    comments: Type.Integer({ description: 'The number of open comments.' }),
    changeRequests: Type.Integer(),
    changeRequestsOpen: Type.Integer(),
    changeRequestsDraft: Type.Integer(),
    permissions: Type.Object({
      view: Type.Boolean(),
      access: Type.Boolean(),
      admin: Type.Boolean(),
      viewInviteLinks: Type.Boolean(),
      edit: Type.Boolean(),
      triggerGitSync: Type.Boolean(),
      comment: Type.Boolean(),
      merge: Type.Boolean(),
      review: Type.Boolean(),
    }),
  },
  { $id: 'Space' },
)

export const SpaceQuery = Type.Object({
  shareKey: Type.Optional(Type.String({ maxLength: 512, description: 'For sites with share links.' })),
})

const Emoji = Type.String({
  maxLength: 50,
  format: 'emoji',
  description: 'An emoji character, or its code points in hex, joined by `-`.',
})

export const NewSpace = Type.Object({
  title: Type.Optional(ContentTitle),
  emoji: Type.Optional(Emoji),
  parent: Type.Optional(Type.String({ description: 'The parent collection. Default: the top level.' })),
  language: Type.Optional(OneOf(languages)),
  editMode: Type.Optional(EditMode),
  empty: Type.Optional(Type.Boolean({ description: 'Create the space without an initial empty page.' })),
  template: Type.Optional(Type.Unknown({ description: 'Templates are not supported.' })),
  computedSource: Type.Optional(Type.Unknown({ description: 'Computed spaces are not supported.' })),
})

export const SpaceChanges = Type.Object({
  editMode: Type.Optional(EditMode),
  title: Type.Optional(ContentTitle),
  defaultLevel: Type.Optional(DefaultLevel),
  emoji: Type.Optional(Nullable(Emoji)),
  icon: Type.Optional(Nullable(Type.String({ maxLength: 2048, format: 'http-url' }))),
  language: Type.Optional(Nullable(OneOf(languages))),
  mergeRules: Type.Optional(MergeRules),
})
