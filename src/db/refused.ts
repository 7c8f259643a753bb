import pg from 'pg'

/** What is wrong is not the statement but a value in it: it cannot be one, or it breaks a rule of its table. */
export const isRefusedValue = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '')
