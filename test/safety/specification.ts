/** A specification in which every text, name and address is a payload. */
export function hostileSpec(payloads: readonly { text: string }[]): object {
  const groups = inGroups(payloads)
  return {
    openapi: '3.1.0',
    info: { title: payloads[0]!.text, version: payloads[1]!.text, description: payloads[2]!.text },
    servers: payloads.slice(0, 5).map(({ text }) => ({ url: text, description: text })),
    tags: payloads.slice(0, 5).map(({ text }) => ({ name: text, description: text, externalDocs: { url: text } })),
    paths: Object.fromEntries(
      groups.map((group, at) => [`/p${at}/{${name(group[0]!.text)}}`, { post: operationOf(group, at) }]),
    ),
    components: {
      securitySchemes: Object.fromEntries(groups.map((group, at) => [`way${at}`, signInOf(group)])),
    },
  }
}

export function operations(payloads: readonly { text: string }[]): string {
  return inGroups(payloads)
    .map(
      (group, at) =>
        `{% openapi-operation spec="shop" path="/p${at}/{${name(group[0]!.text)}}" method="post" %}\n{% endopenapi-operation %}\n`,
    )
    .join('\n')
}

/** Groups of five: the parts of one operation. */
function inGroups<Payload>(payloads: readonly Payload[]): Payload[][] {
  return Array.from({ length: Math.floor(payloads.length / 5) }, (_, at) => payloads.slice(at * 5, at * 5 + 5))
}

const name = (text: string) => text.replace(/[^a-z0-9]/gi, '')

function signInOf(group: { text: string }[]): object {
  const [a, b, c, d, e] = group.map(({ text }) => text) as [string, string, string, string, string]
  const flow = { authorizationUrl: b, tokenUrl: c, refreshUrl: d, scopes: { [e]: a } }
  return { type: 'oauth2', description: a, flows: { authorizationCode: flow } }
}

function operationOf(group: { text: string }[], at: number): object {
  const [a, b, c, d, e] = group.map(({ text }) => text) as [string, string, string, string, string]
  const schema = {
    type: 'object',
    title: a,
    description: b,
    required: [a],
    properties: {
      [a]: { type: 'string', description: c, enum: [a, b], default: c, pattern: d, format: e, example: a },
    },
    externalDocs: { url: e, description: a },
  }
  const asXml = { ...schema, xml: { name: a, prefix: b, namespace: c } }
  const callback = { summary: a, description: b, requestBody: { content: { 'application/xml': { schema: asXml } } } }
  return {
    operationId: a,
    summary: b,
    description: c,
    tags: [d],
    deprecated: true,
    security: [{ [`way${at}`]: [e] }],
    callbacks: { [d]: { [e]: { post: callback } } },
    externalDocs: { url: e, description: d },
    parameters: [
      { name: name(a), in: 'path', required: true, description: b, schema: { type: 'string', default: c } },
      { name: d, in: 'query', description: e, schema: { type: 'string', enum: [a, b, c] }, example: d },
      { name: e, in: 'header', description: a, schema: { type: 'string' } },
    ],
    requestBody: { description: c, content: { 'application/json': { schema, example: { [d]: e } } } },
    responses: {
      200: {
        description: a,
        headers: { [b]: { description: c, schema: { type: 'string' } } },
        content: { [d]: { schema } },
      },
      202: { description: b, content: { 'application/xml': { schema: asXml } } },
      400: { description: e, content: { 'application/json': { schema: { ...schema, title: e } } } },
    },
  }
}
