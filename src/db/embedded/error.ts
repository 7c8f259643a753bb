import { Explained } from '../../explained.ts'

/** Something about the embedded database that the person who runs Lectern has to know or do. */
export class EmbeddedDatabaseError extends Explained {
  override name = 'EmbeddedDatabaseError'
}

/** What a person can always do instead, said at the end of every message that has no closer remedy. */
export const useYourOwn = 'Or set DATABASE_URL to use a PostgreSQL of your own.'

/** Failures of the operating system (disk full, no permission) become a sentence too, with the original as cause. */
export function explain(error: unknown, whatWasTried: string): EmbeddedDatabaseError {
  if (error instanceof EmbeddedDatabaseError) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new EmbeddedDatabaseError(`${whatWasTried}: ${reason}`, { cause: error })
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
