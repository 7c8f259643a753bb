/** Everywhere the same: in UTC. */
export const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
