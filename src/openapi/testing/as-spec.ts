import type { JsonObject } from '../draw/json.ts'
import { Spec } from '../draw/spec.ts'

/** A specification as it is once it has been read. */
export const asSpec = (document: object) => new Spec(JSON.parse(JSON.stringify(document)) as JsonObject)
