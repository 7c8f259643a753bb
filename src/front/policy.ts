/**
 * Only our own style sheet and scripts run, nothing is fetched from elsewhere, nobody frames us. The content of these
 * pages is ours as well, so this is a second line of defence. Forms are submitted to our own origin, or not at all; our
 * scripts send requests to nobody, or only to our own origin.
 */
export const policyOfPages = (forms: "'none'" | "'self'", asked: "'none'" | "'self'" = "'none'") =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${asked}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action ${forms}`,
  ].join('; ')
