import pg from 'pg'

/**
 * Lets a constraint decide what is taken, and names the error: looking first and inserting after would be a race.
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
