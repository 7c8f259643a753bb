import { pageQuery } from '../http/paging.ts'
import { OneOf, Time } from '../http/schemas.ts'
import Type from '../http/type.ts'

export const AuditEvent = Type.Object(
  {
    object: Type.Literal('audit-event'),
    id: Type.String(),
    action: Type.String({ description: 'What happened: `audit-event-actions` lists the words.' }),
    label: Type.String({ description: 'The same for people.' }),
    createdAt: Time,
    actor: Type.Object(
      {
        type: OneOf(['user', 'system'] as const, { description: '`system`: the program itself, or its command line.' }),
        id: Type.Optional(Type.String()),
        displayName: Type.Optional(Type.String()),
        email: Type.Optional(Type.String()),
        token: Type.Optional(Type.String({ description: 'The id of the token they used.' })),
      },
      { description: 'Who did it. The name is the one they have now.' },
    ),
    target: Type.Object({ type: Type.String(), id: Type.String() }, { description: 'What it was done to.' }),
    request: Type.Object({
      id: Type.Optional(Type.String({ description: 'The `X-Request-Id` of the answer; it is in the log as well.' })),
      address: Type.Optional(Type.String({ description: 'Where it came from.' })),
    }),
    payload: Type.Object(
      {
        fields: Type.Optional(Type.Array(Type.String(), { description: 'Names of what changed, without the values.' })),
        details: Type.Optional(
          Type.Record(Type.String(), Type.String(), {
            description: 'Ids of what it is part of, roles that were given, and the like.',
          }),
        ),
      },
      { description: 'Never content, never a secret.' },
    ),
    urls: Type.Object({ location: Type.String() }),
  },
  { $id: 'AuditEvent' },
)

export const AuditEventAction = Type.Object(
  { object: Type.Literal('audit-event-action'), id: Type.String(), label: Type.String() },
  { $id: 'AuditEventAction' },
)

const filter = {
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Not before this moment.' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Before this moment.' })),
  action: Type.Optional(Type.String({ maxLength: 100, description: 'Only this action.' })),
  actor: Type.Optional(Type.String({ description: 'The id of a user: only what they did.' })),
  target: Type.Optional(Type.String({ maxLength: 200, description: 'Only what was done to the thing with this id.' })),
}

export const AuditEventQuery = Type.Object({
  page: pageQuery.page,
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'How many items a page has.' }),
  ),
  ...filter,
})

export const AuditExportQuery = Type.Object(filter)
