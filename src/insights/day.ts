/** The day in UTC, so that it is the same everywhere. */
export const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
