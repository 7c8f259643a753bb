import { codeFromDocument } from './code.ts'
import { columnFromDocument, columnsFromDocument } from './columns.ts'
import { contentRefFromDocument } from './content-ref.ts'
import { detailsFromDocument } from './details.ts'
import { dividerFromDocument } from './divider.ts'
import { embedFromDocument } from './embed.ts'
import { fileFromDocument } from './file.ts'
import { headingFromDocument } from './heading.ts'
import { hintFromDocument } from './hint.ts'
import { ifFromDocument } from './if.ts'
import { drawingFromDocument, imageFromDocument, imagesFromDocument } from './images.ts'
import { includeFromDocument } from './include.ts'
import { listFromDocument, listItemFromDocument } from './list.ts'
import { mathFromDocument } from './math.ts'
import { integrationFromDocument } from './integration.ts'
import {
  openapiFromDocument,
  openapiOperationFromDocument,
  openapiSchemasFromDocument,
  openapiWebhookFromDocument,
} from './openapi.ts'
import { paragraphFromDocument } from './paragraph.ts'
import { promptFromDocument } from './prompt.ts'
import { quoteFromDocument } from './quote.ts'
import type { BlockFromDocument } from './reading.ts'
import { stepFromDocument, stepperFromDocument } from './stepper.ts'
import { tableFromDocument } from './table-from-document.ts'
import { tabFromDocument, tabsFromDocument } from './tabs.ts'
import { updateFromDocument, updatesFromDocument } from './updates.ts'

/** The blocks of the API's documents by their type there. */
export const blocksFromDocument: ReadonlyMap<string, BlockFromDocument> = new Map([
  ['blockquote', quoteFromDocument],
  ['code', codeFromDocument],
  ['column', columnFromDocument],
  ['columns', columnsFromDocument],
  ['content-ref', contentRefFromDocument],
  ['divider', dividerFromDocument],
  ['drawing', drawingFromDocument],
  ['embed', embedFromDocument],
  ['expandable', detailsFromDocument],
  ['file', fileFromDocument],
  ['heading-1', headingFromDocument],
  ['heading-2', headingFromDocument],
  ['heading-3', headingFromDocument],
  ['hint', hintFromDocument],
  ['if', ifFromDocument],
  ['image', imageFromDocument],
  ['images', imagesFromDocument],
  ['integration', integrationFromDocument],
  ['list-item', listItemFromDocument],
  ['list-ordered', listFromDocument],
  ['list-tasks', listFromDocument],
  ['list-unordered', listFromDocument],
  ['math', mathFromDocument],
  ['openapi-operation', openapiOperationFromDocument],
  ['openapi-schemas', openapiSchemasFromDocument],
  ['openapi-webhook', openapiWebhookFromDocument],
  ['paragraph', paragraphFromDocument],
  ['prompt', promptFromDocument],
  ['reusable-content', includeFromDocument],
  ['stepper', stepperFromDocument],
  ['stepper-step', stepFromDocument],
  ['swagger', openapiFromDocument],
  ['table', tableFromDocument],
  ['tabs', tabsFromDocument],
  ['tabs-item', tabFromDocument],
  ['update', updateFromDocument],
  ['updates', updatesFromDocument],
])
