import { Explained } from '../../explained.ts'

/** A problem of the embedded database that the person who runs Lectern has to know about or act on. */
export class EmbeddedDatabaseError extends Explained {
  override name = 'EmbeddedDatabaseError'
}

/** What a person can always do instead, added to every message that has no more specific remedy. */
export const useYourOwn = 'Or set DATABASE_URL to use a PostgreSQL of your own.'

/**
 * Turns failures of the operating system (disk full, no permission) into a sentence too, with the original as cause.
 */
export function explain(error: unknown, whatWasTried: string): EmbeddedDatabaseError {
  if (error instanceof EmbeddedDatabaseError) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new EmbeddedDatabaseError(`${whatWasTried}: ${reason}`, { cause: error })
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
