import pg from 'pg'

/**
 * Whether the statement is fine but a value in it is not: the value is invalid, or it violates a constraint of its
 * table.
 */
export const isRefusedValue = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '')
