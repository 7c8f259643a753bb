import { codeFromDocument } from './code.ts'
import { columnFromDocument, columnsFromDocument } from './columns.ts'
import { contentRefFromDocument } from './content-ref.ts'
import { definitionFromDocument } from './definition.ts'
import { detailsFromDocument } from './details.ts'
import { dividerFromDocument } from './divider.ts'
import { elementFromDocument } from './element.ts'
import { embedFromDocument } from './embed.ts'
import { fileFromDocument } from './file.ts'
import { footnoteFromDocument } from './footnote.ts'
import { headingFromDocument } from './heading.ts'
import { hintFromDocument } from './hint.ts'
import { htmlFromDocument } from './html.ts'
import { ifFromDocument } from './if.ts'
import { imageFromDocument, imagesFromDocument } from './images.ts'
import { includeFromDocument } from './include.ts'
import { listFromDocument, listItemFromDocument } from './list.ts'
import { mathFromDocument } from './math.ts'
import { openapiFromDocument, openapiOperationFromDocument, openapiSchemasFromDocument } from './openapi.ts'
import { paragraphFromDocument } from './paragraph.ts'
import { promptFromDocument } from './prompt.ts'
import { quoteFromDocument } from './quote.ts'
import { rawFromDocument } from './raw.ts'
import type { BlockFromDocument } from './reading.ts'
import { stepFromDocument, stepperFromDocument } from './stepper.ts'
import { tableFromDocument } from './table-document.ts'
import { tabFromDocument, tabsFromDocument } from './tabs.ts'
import { unknownFromDocument } from './unknown.ts'
import { updateFromDocument, updatesFromDocument } from './updates.ts'

/** The blocks of the API's documents by their type there. */
export const blocksFromDocument: ReadonlyMap<string, BlockFromDocument> = new Map([
  ['blockquote', quoteFromDocument],
  ['code', codeFromDocument],
  ['column', columnFromDocument],
  ['columns', columnsFromDocument],
  ['content-ref', contentRefFromDocument],
  ['definition', definitionFromDocument],
  ['divider', dividerFromDocument],
  ['element', elementFromDocument],
  ['embed', embedFromDocument],
  ['expandable', detailsFromDocument],
  ['file', fileFromDocument],
  ['footnote', footnoteFromDocument],
  ['heading-1', headingFromDocument],
  ['heading-2', headingFromDocument],
  ['heading-3', headingFromDocument],
  ['hint', hintFromDocument],
  ['html', htmlFromDocument],
  ['if', ifFromDocument],
  ['image', imageFromDocument],
  ['images', imagesFromDocument],
  ['list-item', listItemFromDocument],
  ['list-ordered', listFromDocument],
  ['list-tasks', listFromDocument],
  ['list-unordered', listFromDocument],
  ['math', mathFromDocument],
  ['openapi-operation', openapiOperationFromDocument],
  ['openapi-schemas', openapiSchemasFromDocument],
  ['paragraph', paragraphFromDocument],
  ['prompt', promptFromDocument],
  ['raw', rawFromDocument],
  ['reusable-content', includeFromDocument],
  ['stepper', stepperFromDocument],
  ['stepper-step', stepFromDocument],
  ['swagger', openapiFromDocument],
  ['table', tableFromDocument],
  ['tabs', tabsFromDocument],
  ['tabs-item', tabFromDocument],
  ['unknown', unknownFromDocument],
  ['update', updateFromDocument],
  ['updates', updatesFromDocument],
])
