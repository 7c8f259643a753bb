import { shortened } from '../../shortened.ts'

/**
 * The values that a specification consists of. Its author may have put anything anywhere, so nothing is taken for
 * granted.
 */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [name: string]: Json
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns an own property only: a name such as `constructor` must not be found on every object. */
export function at(value: unknown, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

export function objectAt(value: unknown, name: string): JsonObject {
  const found = at(value, name)
  return isObject(found) ? found : {}
}

export function listAt(value: unknown, name: string): readonly Json[] {
  const found = at(value, name)
  return Array.isArray(found) ? found : []
}

/** Returns a text that is not blank. */
export function textAt(value: unknown, name: string): string | undefined {
  const found = at(value, name)
  return typeof found === 'string' && found.trim() !== '' ? found : undefined
}

export function numberAt(value: unknown, name: string): number | undefined {
  const found = at(value, name)
  return typeof found === 'number' ? found : undefined
}

export const isTrue = (value: unknown, name: string) => at(value, name) === true

/** Formats a value for one line of a page. */
export function shortJson(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 200 ? `${shortened(text, 200)}…` : text
}
