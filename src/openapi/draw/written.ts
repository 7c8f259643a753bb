import { type Json, type JsonObject, at } from './json.ts'
import { isJson, isXml } from './request.ts'
import type { Spec } from './spec.ts'
import { writeXml } from './xml.ts'

/** Returns an example in the format in which it is sent. */
export function written(spec: Spec, { type, media }: { type: string; media: JsonObject }, example: Json) {
  if (typeof example === 'string' && !isJson(type)) {
    return { code: example, language: isXml(type) || /html/.test(type) ? 'xml' : 'text' }
  }
  if (isXml(type)) return { code: writeXml(spec, at(media, 'schema'), example), language: 'xml' }
  return { code: JSON.stringify(example, null, 2), language: 'json' }
}
