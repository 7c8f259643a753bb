import { pageQuery } from '../http/paging.ts'
import { OneOf, Time } from '../http/schemas.ts'
import Type from '../http/type.ts'

export const AuditEvent = Type.Object(
  {
    object: Type.Literal('audit-event'),
    id: Type.String(),
    action: Type.String({ description: 'What happened. `audit-event-actions` lists all actions.' }),
    label: Type.String({ description: 'Human-readable.' }),
    createdAt: Time,
    actor: Type.Object(
      {
        type: OneOf(['user', 'system'] as const, { description: '`system`: Lectern itself, or its command line.' }),
        id: Type.Optional(Type.String()),
        displayName: Type.Optional(Type.String()),
        email: Type.Optional(Type.String()),
        token: Type.Optional(Type.String({ description: 'The id of the token that was used.' })),
      },
      { description: 'Who did it, with their current name.' },
    ),
    target: Type.Object({ type: Type.String(), id: Type.String() }, { description: 'What was changed.' }),
    request: Type.Object({
      id: Type.Optional(Type.String({ description: 'The `X-Request-Id` of the response; also in the server log.' })),
      address: Type.Optional(Type.String({ description: 'Where it came from.' })),
    }),
    payload: Type.Object(
      {
        fields: Type.Optional(
          Type.Array(Type.String(), { description: 'The names of the changed fields, without their values.' }),
        ),
        details: Type.Optional(
          Type.Record(Type.String(), Type.String(), {
            description: 'Related ids, granted roles and similar details.',
          }),
        ),
      },
      { description: 'Never contains content or secrets.' },
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
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Only events at or after this time.' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Only events before this time.' })),
  action: Type.Optional(Type.String({ maxLength: 100, description: 'Only events with this action.' })),
  actor: Type.Optional(Type.String({ description: 'Only events by the user with this id.' })),
  target: Type.Optional(Type.String({ maxLength: 200, description: 'Only events about the object with this id.' })),
}

export const AuditEventQuery = Type.Object({
  page: pageQuery.page,
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'The number of items per page.' }),
  ),
  ...filter,
})

export const AuditExportQuery = Type.Object(filter)
