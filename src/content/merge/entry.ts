import { nilId } from '../../ids.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type Data = Record<string, Json>

/** 1 page, 2 file, 3 reusable content, 4 variable. */
export type Kind = 1 | 2 | 3 | 4

/** A versioned entry that exists. At the top level, the parent is the nil uuid; `doc` is the hash of the body. */
export type Entry = {
  entry: string
  kind: Kind
  state: 0
  parent: string
  slug: string | null
  position: string | null
  doc: string | null
  refs: Data | null
  data: Data | null
}

/** A new entry that has no address, no place among others and no content yet. */
export function newEntry(entry: string, kind: Kind): Entry {
  return { entry, kind, state: 0, parent: top, slug: null, position: null, doc: null, refs: null, data: null }
}

/** An entry that is deleted (state 1) or, only on a branch, as on main (state 2). */
export type Gone = {
  entry: string
  kind: Kind
  state: 1 | 2
  parent: null
  slug: null
  position: null
  doc: null
  refs: null
  data: null
}

/** What a line stores about an entry. */
export type Row = Entry | Gone

/** Whether the entry of a row exists. */
export const isHere = (row: Row): row is Entry => row.state === 0

export const top = nilId

/**
 * Git metadata and dates describe how an entry was made, not what it contains: they are neither compared nor merged.
 */
export const unmerged: ReadonlySet<string> = new Set(['git', 'createdAt', 'updatedAt'])

export function gone(entry: string, kind: Kind, state: 1 | 2): Gone {
  return { entry, kind, state, parent: null, slug: null, position: null, doc: null, refs: null, data: null }
}

/** Whether two states of an entry have the same content. Null means absent. */
export function sameEntry(a: Entry | null, b: Entry | null): boolean {
  if (!a || !b) return a === b
  return sameRow({ ...a, data: merged(a.data) }, { ...b, data: merged(b.data) })
}

/** Whether two rows are equal, including their dates. */
export function sameRow(a: Row, b: Row): boolean {
  return sameJson(a, b)
}

export function samePlace(a: Entry | null, b: Entry | null): boolean {
  return a?.parent === b?.parent && a?.position === b?.position
}

/** Compares values as canonical JSON: the order of keys does not matter, and an undefined key counts as absent. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((item, i) => sameJson(item, b[i]))
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (!sameJson(valueAt(a, key), valueAt(b, key))) return false
  }
  return true
}

/**
 * Returns the value of an own key only. Data comes from users, and a key such as `__proto__` must not find an inherited
 * value.
 */
export function valueAt(data: Data | null | undefined, key: string): Json | undefined {
  return data && Object.hasOwn(data, key) ? data[key] : undefined
}

function merged(data: Data | null): Data | null {
  return data && Object.fromEntries(Object.entries(data).filter(([key]) => !unmerged.has(key)))
}
