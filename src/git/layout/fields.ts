import { splitPage } from '../../content/page/split.ts'
import { packageOnFirstUse } from '../../on-first-use.ts'
import type { PageData } from '../../pages/entry-data.ts'
import { readPageSource, writePageSource } from '../../pages/source.ts'
import type { WrittenPageFields } from './shape.ts'

const yaml = packageOnFirstUse<typeof import('yaml')>('yaml')

/** The fields of a page that has no file, under the names that front matter has for them. */
export function fieldsOf(data: PageData): Record<string, unknown> {
  return { ...splitPage(writePageSource({ ...data, source: '' }, '')).fields }
}

/** The reverse. Values that front matter would not accept are ignored here as well. */
export function readFieldsOf(values: Record<string, unknown>): WrittenPageFields {
  return readPageSource(`---\n${yaml().stringify(values)}---\n`).fields
}
