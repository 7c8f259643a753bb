import type { Block } from '../blocks.ts'
import { data } from '../document/shape.ts'
import { html } from '../html/template.ts'
import { otherAttributes, textAttributes, writeTag, writeTagBlock } from '../markdown/tag.ts'
import type { Attributes, BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import { textFields, type BlockFromDocument, type TagContent } from './reading.ts'

/** `{% openapi src="…" path="…" method="…" %}`: the older form, with the address of the specification. */
export interface OpenApi extends BlockBase {
  readonly type: 'openapi'
  readonly src?: string
  readonly path?: string
  readonly method?: string
  readonly others?: Attributes
  readonly blocks: readonly Block[]
}

/** One operation of a specification that the organization keeps, by its name. */
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

const openapiNames = ['src', 'path', 'method'] as const
const operationNames = ['spec', 'path', 'method'] as const
const schemasNames = ['spec', 'schemas'] as const

export const readOpenApi = ({ attributes, blocks }: TagContent): OpenApi => ({
  type: 'openapi',
  ...textAttributes(attributes, openapiNames),
  ...otherAttributes(attributes, openapiNames),
  blocks,
})

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

export const openapi: BlockKind<OpenApi> = {
  toMarkdown: ({ type, src, path, method, others, blocks }, write) =>
    specTag(type, { src, path, method, ...others }, write.blocks(blocks)),
  toHtml: (block, draw) => placeholder(block.method, block.path ?? block.src, draw.blocks(block.blocks)),
  toDocument: ({ src, path, method }, to) => ({
    object: 'block',
    type: 'swagger',
    isVoid: true,
    data: data({ ref: src === undefined ? undefined : to.ref(src), path, method }),
  }),
}

export const openapiOperation: BlockKind<OpenApiOperation> = {
  toMarkdown: ({ type, spec, path, method, others, blocks }, write) =>
    specTag(type, { spec, path, method, ...others }, write.blocks(blocks)),
  toHtml: (block, draw) => placeholder(block.method, block.path, draw.blocks(block.blocks)),
  toDocument: ({ spec, path, method }) => ({
    object: 'block',
    type: 'openapi-operation',
    isVoid: true,
    data: data({ ref: spec === undefined ? undefined : { kind: 'openapi', spec }, path, method }),
  }),
}

export const openapiSchemas: BlockKind<OpenApiSchemas> = {
  toMarkdown: ({ type, spec, schemas, others, blocks }, write) =>
    specTag(type, { spec, schemas, ...others }, write.blocks(blocks)),
  toHtml: (block, draw) => placeholder(undefined, block.schemas, draw.blocks(block.blocks)),
  toDocument: ({ spec, schemas }) => ({
    object: 'block',
    type: 'openapi-schemas',
    isVoid: true,
    data: data({
      ref: spec === undefined ? undefined : { kind: 'openapi', spec },
      schemas: schemas?.split(',').map((name) => name.trim()),
    }),
  }),
}

function specTag(name: string, attributes: Record<string, string | true | undefined>, content: string): string {
  return content === '' ? writeTag(name, attributes) : writeTagBlock(name, attributes, content)
}

/** The engine has no specification at hand: whoever has draws the operation itself. */
function placeholder(method: string | undefined, path: string | undefined, content: ReturnType<typeof html>) {
  return html`<section class="openapi">
    <p><code>${[method?.toUpperCase(), path].filter(Boolean).join(' ')}</code></p>
    ${content}
  </section>`
}

export const openapiFromDocument: BlockFromDocument = (node, read) => {
  const src = read.href(node.data?.['ref'])
  return { type: 'openapi', ...(src === '' ? {} : { src }), ...textFields(node, ['path', 'method']), blocks: [] }
}

export const openapiOperationFromDocument: BlockFromDocument = (node) => ({
  type: 'openapi-operation',
  ...specField(node.data?.['ref']),
  ...textFields(node, ['path', 'method']),
  blocks: [],
})

export const openapiSchemasFromDocument: BlockFromDocument = (node) => {
  const schemas = node.data?.['schemas']
  const names = Array.isArray(schemas) ? schemas.filter((name) => typeof name === 'string') : []
  return {
    type: 'openapi-schemas',
    ...specField(node.data?.['ref']),
    ...(names.length > 0 ? { schemas: names.join(',') } : {}),
    blocks: [],
  }
}

function specField(reference: unknown): { spec?: string } {
  const spec = typeof reference === 'object' && reference !== null && 'spec' in reference ? reference.spec : undefined
  return typeof spec === 'string' ? { spec } : {}
}
