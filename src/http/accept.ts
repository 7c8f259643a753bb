/** Parses a preference header (`Accept`, `Accept-Encoding`) into the weight of each name, from 0 (not at all) to 1. */
export function weightsIn(header: string | undefined): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const each of header?.split(',') ?? []) {
    const [name, ...parameters] = each.toLowerCase().split(';')
    const [q] = parameters.flatMap((parameter) => /^\s*q\s*=\s*(\d(?:\.\d*)?|\.\d+)\s*$/.exec(parameter)?.[1] ?? [])
    const weight = Math.min(1, Number(q ?? 1))
    // If a name occurs twice, with different parameters, the higher weight counts.
    weights.set(name!.trim(), Math.max(weight, weights.get(name!.trim()) ?? 0))
  }
  weights.delete('')
  return weights
}

/**
 * Whether the client names a type and wants it rather than the usual one. If it wants both equally, it gets the usual
 * one, provided that it names it: a wildcard (`*` in place of a type) is not a name.
 */
export function prefers(header: string | undefined, type: string, usual: string): boolean {
  const weights = weightsIn(header)
  const [wanted = 0, named] = [weights.get(type), weights.get(usual)]
  if (named !== undefined) return wanted > named
  const [kind] = usual.split('/')
  return wanted > 0 && wanted >= (weights.get(`${kind}/*`) ?? weights.get('*/*') ?? 0)
}
