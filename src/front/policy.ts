/**
 * Only our own style sheet and scripts run, nothing is fetched from elsewhere, nobody frames us. Content that these
 * pages show is ours as well, so this is the second lock on the door. Forms are sent to ourselves, or not at all; our
 * script asks nobody for anything, or us alone.
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
