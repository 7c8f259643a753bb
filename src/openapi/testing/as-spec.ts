import type { JsonObject } from '../draw/json.ts'
import { Spec } from '../draw/spec.ts'

/** Returns a specification as it is after reading. */
export const asSpec = (document: object) => new Spec(JSON.parse(JSON.stringify(document)) as JsonObject)
