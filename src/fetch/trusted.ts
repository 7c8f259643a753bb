/**
 * Sends requests to addresses that the operator of this installation configured (the S3 endpoint), and to nothing else:
 * they may be private, so the guard does not apply to them. An address that a user named never gets here.
 */
export function fetchFromOperator(request: Request, signal: AbortSignal): Promise<Response> {
  return fetch(request, { signal, redirect: 'error' })
}
