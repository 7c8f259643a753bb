import pg from 'pg'

/**
 * Lets a constraint decide whether something is taken, and throws the given error if so: looking first and inserting
 * afterwards would be a race.
 */
export async function constraintBroken<Result>(
  work: Promise<Result>,
  constraint: string,
  error: () => Error,
): Promise<Result> {
  try {
    return await work
  } catch (failure) {
    if (failure instanceof pg.DatabaseError && failure.constraint === constraint) throw error()
    throw failure
  }
}
