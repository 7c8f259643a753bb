import type { Static, TSchema } from 'typebox'
import { isPosition } from '../content/positions.ts'
import { Explained } from '../explained.ts'
import { ApiError, type ErrorDetail, invalid } from '../http/errors.ts'
import { asBody } from '../http/validation.ts'
import type { Archive } from './open-archive.ts'

/**
 * Reads a file of an archive and checks it against its schema. People edit archives by hand: an error names the file
 * and the field, before anything is written, and does not use messages of the database.
 */
export async function readArchived<Schema extends TSchema>(
  archive: Archive,
  path: string,
  schema: Schema,
  check: (said: Static<Schema>) => void = () => {},
): Promise<Static<Schema>> {
  const said = await archive.json<unknown>(path)
  return namingFile(path, () => {
    const known = asBody(schema, said)
    check(known)
    return known
  })
}

/** Adds the place in the archive to errors that are worded for the API. */
export function namingFile<Answer>(path: string, work: () => Answer): Answer {
  try {
    return work()
  } catch (error) {
    const [detail] = (error instanceof ApiError && error.details) || []
    throw detail ? refused(path, detail) : error
  }
}

function refused(path: string, { path: at, message }: ErrorDetail): Explained {
  const field = at.replace(/^body\.?/, '')
  const place = field === '' ? path : `${path}, ${field}`
  return new Explained(`The archive cannot be restored: in ${place}: ${message}. Nothing was changed.`)
}

/**
 * Checks that no two rows have the same key, and returns the keys. `at` is where the rows are, `field` the one to name
 * in the error.
 */
export function inSet<Row>(rows: readonly Row[], at: string, field: string, keyOf: (row: Row) => string): Set<string> {
  const keys = new Set<string>()
  for (const [index, row] of rows.entries()) {
    if (keys.has(keyOf(row))) throw wrongIn(at, index, field, 'is there twice')
    keys.add(keyOf(row))
  }
  return keys
}

/**
 * Checks the positions of rows among their siblings: next to an invalid one, there would be no place for rows inserted
 * later.
 */
export function inPlaces(rows: readonly { position: string }[], at: string): void {
  const index = rows.findIndex(({ position }) => !isPosition(position))
  if (index !== -1) throw wrongIn(at, index, 'position', 'must be a position')
}

export const wrongIn = (at: string, index: number, field: string, message: string): ApiError =>
  invalid(['body', at, index, field].filter((step) => step !== '').join('.'), 'archive', message)
