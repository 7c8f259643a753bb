import type { Block } from '../blocks.ts'
import { readCodeTag } from './code.ts'
import { readColumn, readColumns } from './columns.ts'
import { readContentRef, readPageRef } from './content-ref.ts'
import { readEmbed } from './embed.ts'
import { readFile } from './file.ts'
import { readHint } from './hint.ts'
import { readIf } from './if.ts'
import { readInclude } from './include.ts'
import { readIntegration } from './integration.ts'
import { readOpenApi, readOpenApiOperation, readOpenApiSchemas, readOpenApiWebhook, readSwagger } from './openapi.ts'
import { readPrompt } from './prompt.ts'
import type { TagContent } from './reading.ts'
import { readStep, readStepper } from './stepper.ts'
import { readTab, readTabs } from './tabs.ts'
import { readUpdate, readUpdates } from './updates.ts'

type TagReader = (tag: TagContent) => Block | undefined

/** Every `{% tag %}` that is a block. If a reader returns undefined, the tag becomes an unknown block. */
const tagReaders: ReadonlyMap<string, TagReader> = new Map<string, TagReader>([
  ['code', readCodeTag],
  ['column', readColumn],
  ['columns', readColumns],
  ['content-ref', readContentRef],
  ['embed', readEmbed],
  ['file', readFile],
  ['hint', readHint],
  ['if', readIf],
  ['include', readInclude],
  ['openapi', readOpenApi],
  ['openapi-operation', readOpenApiOperation],
  ['openapi-schemas', readOpenApiSchemas],
  ['openapi-webhook', readOpenApiWebhook],
  ['page-ref', readPageRef],
  ['prompt', readPrompt],
  ['step', readStep],
  ['stepper', readStepper],
  ['swagger', readSwagger],
  ['tab', readTab],
  ['tabs', readTabs],
  ['update', readUpdate],
  ['updates', readUpdates],
])

export const tagReader = (name: string): TagReader | undefined =>
  name.startsWith('@') ? readIntegration : tagReaders.get(name)

/** Whether a tag is a block that needs no closing line. */
export const isVoidTag = (name: string): boolean => name.startsWith('@') || voidTags.has(name)

const voidTags: ReadonlySet<string> = new Set([
  'content-ref',
  'embed',
  'file',
  'include',
  'openapi',
  'openapi-operation',
  'openapi-schemas',
  'openapi-webhook',
  'page-ref',
  'swagger',
])
