import { pageQuery } from '../http/paging.ts'
import { Nullable, OneOf, Time } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { eventTypes } from './events.schema.ts'

const EventWord = OneOf(eventTypes as [string, ...string[]])

/** How many spaces, and how many sites, a filter can name. */
export const mostPlaces = 100

const Ids = Type.Array(Type.String(), { maxItems: mostPlaces, uniqueItems: true })

const Filter = Type.Object(
  { spaces: Ids, sites: Ids },
  {
    description:
      'Only events about these spaces and sites. Events of content, change requests and comments are about a space. ' +
      'null: about everything in the organization.',
  },
)

export const Webhook = Type.Object(
  {
    object: Type.Literal('webhook'),
    id: Type.String(),
    title: Type.String(),
    url: Type.String(),
    events: Nullable(Type.Array(Type.String(), { description: 'null: all types, including future ones.' })),
    filter: Nullable(Filter),
    active: Type.Boolean(),
    disabledReason: Type.Optional(
      Type.String({
        description: 'Why it was turned off automatically: it failed for three days, or 50 times in a row.',
      }),
    ),
    failingSince: Type.Optional(
      Type.String({ format: 'date-time', description: 'Since when all deliveries have failed.' }),
    ),
    secret: Type.Optional(
      Type.String({
        description:
          'The secret that deliveries are signed with: `X-Lectern-Signature: t=<unix seconds>,v1=<hex>`, where v1 is HMAC-SHA256 of ' +
          '`<t>.<body>`. Omitted in lists.',
      }),
    ),
    formerSecretUntil: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Until then, deliveries are also signed with the previous secret, in a second `v1`.',
      }),
    ),
    createdAt: Time,
    updatedAt: Time,
    urls: Type.Object({ location: Type.String() }),
  },
  { $id: 'Webhook' },
)

const title = Type.String({ maxLength: 100 })
const url = Type.String({
  format: 'http-url',
  maxLength: 2048,
  description: 'A public URL. Redirects are not followed.',
})
const events = Nullable(
  Type.Array(EventWord, {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description: 'The types of events to send; null: all.',
  }),
)

const filter = Nullable(
  Type.Object(
    { spaces: Type.Optional(Ids), sites: Type.Optional(Ids) },
    {
      description:
        'Restricts it to these spaces and sites, by their ids. Other events, such as those about members, are not ' +
        'sent. null: everything in the organization.',
    },
  ),
)

export const NewWebhook = Type.Object({
  title: Type.Optional(title),
  url,
  events: Type.Optional(events),
  filter: Type.Optional(filter),
  active: Type.Optional(Type.Boolean({ default: true })),
})

export const WebhookChanges = Type.Object({
  title: Type.Optional(title),
  url: Type.Optional(url),
  events: Type.Optional(events),
  filter: Type.Optional(filter),
  active: Type.Optional(
    Type.Boolean({
      description: 'While it is turned off, nothing is sent; pending deliveries are sent once it is turned on again.',
    }),
  ),
})

export const NewSecret = Type.Object({
  revokeFormer: Type.Optional(
    Type.Boolean({ default: false, description: '`true`: the previous secret becomes invalid immediately.' }),
  ),
})

const deliveryStates = ['pending', 'delivered', 'failed'] as const

export const WebhookDelivery = Type.Object(
  {
    object: Type.Literal('webhook-delivery'),
    id: Type.String({ description: 'Sent as `X-Lectern-Delivery`.' }),
    webhook: Type.String({ description: 'The id of the webhook.' }),
    eventId: Type.String(),
    type: Type.String({ description: 'The type of the event; sent as `X-Lectern-Event`.' }),
    status: OneOf(deliveryStates),
    attempts: Type.Array(
      Type.Object({
        at: Time,
        durationMs: Type.Integer(),
        status: Type.Optional(Type.Integer({ description: 'The HTTP status of the response.' })),
        error: Type.Optional(Type.String({ description: 'Why there was no response.' })),
      }),
    ),
    nextAttemptAt: Type.Optional(Type.String({ format: 'date-time' })),
    replayOf: Type.Optional(Type.String({ description: 'The delivery that this one repeats.' })),
    payload: Type.Object({}, { additionalProperties: true, description: 'The body that is sent.' }),
    createdAt: Time,
    finishedAt: Type.Optional(Time),
    urls: Type.Object({ location: Type.String() }),
  },
  { $id: 'WebhookDelivery' },
)

export const DeliveryQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(OneOf(deliveryStates)),
  type: Type.Optional(Type.String({ maxLength: 100, description: 'Only events of this type.' })),
})
