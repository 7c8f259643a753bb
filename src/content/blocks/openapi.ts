import type { Block } from '../blocks.ts'
import { fileReference } from '../document/nodes.ts'
import { block as node, fragment, type DocumentBlock, type WrittenBlock } from '../document/shape.ts'
import { html } from '../html/template.ts'
import { otherAttributes, textAttributes, writeTag, writeTagBlock } from '../markdown/tag.ts'
import type { Attributes, BlockBase } from '../tree.ts'
import type { BlockKind, DocumentWriter } from './kind.ts'
import {
  otherFields,
  othersFrom,
  textField,
  textFields,
  type BlockFromDocument,
  type DocumentReader,
  type TagContent,
} from './reading.ts'

/** `{% openapi src="…" path="…" method="…" %}`: the older form, with the address of the specification. */
export interface OpenApi extends BlockBase {
  readonly type: 'openapi'
  readonly src?: string
  readonly path?: string
  readonly method?: string
  readonly others?: Attributes
  /** What readers of the plain Markdown see instead. */
  readonly blocks: readonly Block[]
}

/** One operation of a specification of the organization, referred to by its name. */
export interface OpenApiOperation extends BlockBase {
  readonly type: 'openapi-operation'
  readonly spec?: string
  readonly path?: string
  readonly method?: string
  readonly others?: Attributes
  readonly blocks: readonly Block[]
}

export interface OpenApiSchemas extends BlockBase {
  readonly type: 'openapi-schemas'
  readonly spec?: string
  /** Names separated by commas, as written. */
  readonly schemas?: string
  readonly others?: Attributes
  readonly blocks: readonly Block[]
}

export interface OpenApiWebhook extends BlockBase {
  readonly type: 'openapi-webhook'
  readonly spec?: string
  readonly name?: string
  readonly method?: string
  readonly others?: Attributes
  readonly blocks: readonly Block[]
}

const openapiNames = ['src', 'path', 'method'] as const
const operationNames = ['spec', 'path', 'method'] as const
const schemasNames = ['spec', 'schemas'] as const
const webhookNames = ['spec', 'name', 'method'] as const

export const readOpenApi = ({ attributes, blocks }: TagContent): OpenApi => ({
  type: 'openapi',
  ...textAttributes(attributes, openapiNames),
  ...otherAttributes(attributes, openapiNames),
  blocks,
})

/**
 * Reads `{% swagger %}`, the older name of `{% openapi %}`. Without a file, the operation is described by tags inside
 * it.
 */
export const readSwagger = (tag: TagContent): OpenApi | undefined =>
  typeof tag.attributes['src'] === 'string' ? readOpenApi(tag) : undefined

export const readOpenApiOperation = ({ attributes, blocks }: TagContent): OpenApiOperation => ({
  type: 'openapi-operation',
  ...textAttributes(attributes, operationNames),
  ...otherAttributes(attributes, operationNames),
  blocks,
})

export const readOpenApiSchemas = ({ attributes, blocks }: TagContent): OpenApiSchemas => ({
  type: 'openapi-schemas',
  ...textAttributes(attributes, schemasNames),
  ...otherAttributes(attributes, schemasNames),
  blocks,
})

export const readOpenApiWebhook = ({ attributes, blocks }: TagContent): OpenApiWebhook => ({
  type: 'openapi-webhook',
  ...textAttributes(attributes, webhookNames),
  ...otherAttributes(attributes, webhookNames),
  blocks,
})

export const openapi: BlockKind<OpenApi> = {
  toMarkdown: ({ type, src, path, method, others, blocks }, write) =>
    specTag(type, { src, path, method, ...others }, write.blocks(blocks)),
  toHtml: (block, draw) => placeholder(block.method, block.path ?? block.src, draw.blocks(block.blocks)),
  toDocument({ src = '', path = '', method = '', others, blocks }, to) {
    const ref = fileReference(to.ref(src), src)
    return specNode('swagger', { ref, path, method }, others, blocks, to)
  },
}

export const openapiOperation: BlockKind<OpenApiOperation> = {
  toMarkdown: ({ type, spec, path, method, others, blocks }, write) =>
    specTag(type, { spec, path, method, ...others }, write.blocks(blocks)),
  toHtml: (block, draw) => placeholder(block.method, block.path, draw.blocks(block.blocks)),
  toDocument: ({ type, spec = '', path = '', method = '', others, blocks }, to) =>
    specNode(type, { ref: { kind: 'openapi', spec }, path, method }, others, blocks, to),
}

export const openapiSchemas: BlockKind<OpenApiSchemas> = {
  toMarkdown: ({ type, spec, schemas, others, blocks }, write) =>
    specTag(type, { spec, schemas, ...others }, write.blocks(blocks)),
  toHtml: (block, draw) => placeholder(undefined, block.schemas, draw.blocks(block.blocks)),
  toDocument({ type, spec = '', schemas, others, blocks }, to) {
    const names = (schemas ?? '').split(',').flatMap((name) => name.trim() || [])
    return specNode(type, { ref: { kind: 'openapi', spec }, schemas: names }, others, blocks, to)
  },
}

export const openapiWebhook: BlockKind<OpenApiWebhook> = {
  toMarkdown: ({ type, spec, name, method, others, blocks }, write) =>
    specTag(type, { spec, name, method, ...others }, write.blocks(blocks)),
  toHtml: (block, draw) => placeholder(block.method, block.name, draw.blocks(block.blocks)),
  toDocument: ({ type, spec = '', name = '', method = '', others, blocks }, to) =>
    specNode(type, { ref: { kind: 'openapi', spec }, name, method }, others, blocks, to),
}

function specTag(name: string, attributes: Record<string, string | true | undefined>, content: string): string {
  return content === '' ? writeTag(name, attributes) : writeTagBlock(name, attributes, content)
}

/** The engine has no access to specifications: callers that do draw the operation themselves. */
function placeholder(method: string | undefined, path: string | undefined, content: ReturnType<typeof html>) {
  return html`<section class="openapi">
    <p><code>${[method?.toUpperCase(), path].filter(Boolean).join(' ')}</code></p>
    ${content}
  </section>`
}

const flags = ['expanded', 'fullWidth', 'grouped']

function specNode(
  type: string,
  data: Record<string, unknown>,
  others: Attributes | undefined,
  blocks: readonly Block[],
  to: DocumentWriter,
): WrittenBlock {
  const more = otherFields(others, flags)
  return node(type, {
    data: { ...data, ...more.data },
    ...(blocks.length > 0 ? { fragments: [fragment('fallback', to.blocks(blocks))] } : {}),
    extra: more.extra,
  })
}

export const openapiFromDocument: BlockFromDocument = (node, read) => {
  const src = read.href(node.data?.['ref'])
  return {
    type: 'openapi',
    ...(src === '' ? {} : { src }),
    ...textFields(node, ['path', 'method']),
    ...specParts(node, read),
  }
}

export const openapiOperationFromDocument: BlockFromDocument = (node, read) => ({
  type: 'openapi-operation',
  ...specField(node.data?.['ref']),
  ...textFields(node, ['path', 'method']),
  ...specParts(node, read),
})

export const openapiSchemasFromDocument: BlockFromDocument = (node, read) => {
  const schemas = node.data?.['schemas']
  const names = Array.isArray(schemas) ? schemas.filter((name) => typeof name === 'string') : []
  return {
    type: 'openapi-schemas',
    ...specField(node.data?.['ref']),
    ...(names.length > 0 ? { schemas: names.join(',') } : {}),
    ...specParts(node, read),
  }
}

export const openapiWebhookFromDocument: BlockFromDocument = (node, read) => ({
  type: 'openapi-webhook',
  ...specField(node.data?.['ref']),
  ...textFields(node, ['name', 'method']),
  ...specParts(node, read),
})

function specField(reference: unknown): { spec?: string } {
  const spec =
    typeof reference === 'object' && reference !== null ? textField({ data: { ...reference } }, 'spec') : undefined
  return spec === undefined ? {} : { spec }
}

function specParts(node: DocumentBlock, read: DocumentReader) {
  return { ...othersFrom(node, flags), blocks: read.blocks(read.fragment(node, 'fallback')?.nodes) }
}
