import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { type Role, roles } from './access/roles.ts'
import { Explained } from './explained.ts'
import { isEmail } from './http/formats.ts'

/**
 * Everything an operator can set, read from the environment once and handed down. Nothing else reads `process.env`.
 * docs/self-hosting.md describes each setting.
 */
export interface Config {
  host: string
  port: number
  dataFolder: string
  /** The address that goes into `urls`; if it is not set, the address that the server listens on. */
  url: string | undefined
  /** Whether the environment sets the address of the server. */
  saysAddress: boolean
  databaseUrl: string | undefined
  adminEmail: string
  adminToken: string | undefined
  organizationTitle: string
  demo: boolean
  fetchAllow: string[]
  secret: string | undefined
  sitesHost: string | undefined
  trustedProxies: string[]
  rateLimit: { perCredential: number; perAddress: number } | undefined
  /** Whether the reading and searching on sites is counted. */
  insights: boolean
  /** Whether the titles of embedded pages are fetched from those pages. */
  embeds: boolean
  s3: S3Config | undefined
  /** The program that reads and writes repositories. */
  git: string
  oidc: OidcConfig | undefined
  smtpUrl: string | undefined
  mailFrom: string | undefined
  /** A folder with more fonts for PDF files. */
  fontFolder: string | undefined
  limits: Limits
  logLevel: string
  /** Clients with this token may read `/metrics`; without it, there are no metrics. */
  metricsToken: string | undefined
  /** `<name>:<n>:kill`, for crash tests: the process kills itself when it passes that point for the n-th time. */
  failpoint: string | undefined
  /** Whether there is a shell between npm and this process. */
  isRunByNpm: boolean
  /** Variables that look like settings but are not: most likely typing errors. */
  unknown: string[]
}

export interface S3Config {
  endpoint: string
  bucket: string
  region: string
  accessKey: string
  secretKey: string
}

/** The identity provider of this installation, with OpenID Connect. */
export interface OidcConfig {
  issuer: string
  clientId: string
  clientSecret: string | undefined
  /** The name that people know it by. */
  name: string
  /** Whether e-mail addresses count that the provider does not report as verified. */
  trustsEveryAddress: boolean
  /** The role of newcomers in the first organization. Without it, they do not join it. */
  role: Role | undefined
}

export interface Limits {
  bodyBytes: number
  /** Limit for a batch of content changes. */
  contentBytes: number
  uploadBytes: number
  importBytes: number
  /** Limit for what is fetched of a repository, packed. */
  repositoryBytes: number
  /** Limit for an OpenAPI specification. */
  specificationBytes: number
  /** Limit for a website or an archive that is imported in the background. */
  importPages: number
  requestMs: number
  statementMs: number
  poolSize: number
  poolWaitMs: number
}

/** Returns the address of this installation; if none is set, the address of the server on this machine. */
export function addressOf({ url, host, port }: Pick<Config, 'url' | 'host' | 'port'>): string {
  // The address for all interfaces of a machine cannot be opened.
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return url ?? `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

type Environment = Record<string, string | undefined>

export function readConfig(environment: Environment = process.env): Config {
  // The first is used exactly as it is, including blanks. The second is not a setting: examples in the reference keep a
  // token in it.
  const known = new Set(['LECTERN_ADMIN_TOKEN', 'LECTERN_TOKEN'])
  const env = (name: string) => {
    known.add(name)
    return environment[name]?.trim() || undefined
  }
  const settings = {
    host: env('HOST') ?? '127.0.0.1',
    port: integer(env('PORT') ?? '3000', 'PORT', 0, 65_535),
    dataFolder: folder(env('LECTERN_DATA') ?? 'data', 'LECTERN_DATA'),
    url: httpAddress(env('LECTERN_URL'), 'LECTERN_URL')?.replace(/\/+$/, ''),
    saysAddress: ['LECTERN_URL', 'HOST', 'PORT'].some((name) => env(name) !== undefined),
    databaseUrl: databaseAddress(env('DATABASE_URL')),
    adminEmail: email(env('LECTERN_ADMIN_EMAIL') ?? 'admin@localhost', 'LECTERN_ADMIN_EMAIL'),
    adminToken: token(environment.LECTERN_ADMIN_TOKEN, 'LECTERN_ADMIN_TOKEN'),
    organizationTitle: title(env('LECTERN_ORG') ?? 'My organization', 'LECTERN_ORG'),
    demo: onOff(env('LECTERN_DEMO') ?? 'on', 'LECTERN_DEMO'),
    fetchAllow: list(env('LECTERN_FETCH_ALLOW')),
    secret: secret(env('LECTERN_SECRET')),
    sitesHost: hostName(env('LECTERN_SITES_HOST')?.toLowerCase(), 'LECTERN_SITES_HOST'),
    trustedProxies: proxies(env('LECTERN_TRUSTED_PROXIES')),
    rateLimit: rateLimit(env('LECTERN_RATE_LIMIT') ?? '6000'),
    insights: onOff(env('LECTERN_INSIGHTS') ?? 'on', 'LECTERN_INSIGHTS'),
    embeds: onOff(env('LECTERN_EMBEDS') ?? 'on', 'LECTERN_EMBEDS'),
    s3: s3(env),
    oidc: oidc(env),
    git: env('LECTERN_GIT') ?? 'git',
    ...mail(env('LECTERN_SMTP_URL'), env('LECTERN_MAIL_FROM')),
    fontFolder: env('LECTERN_FONTS') && folder(env('LECTERN_FONTS')!, 'LECTERN_FONTS'),
    limits: {
      bodyBytes: integer(env('LECTERN_BODY_LIMIT') ?? '1048576', 'LECTERN_BODY_LIMIT', 1024, 1 << 30),
      contentBytes: integer(env('LECTERN_CONTENT_LIMIT') ?? '33554432', 'LECTERN_CONTENT_LIMIT', 1024, 1 << 30),
      uploadBytes: integer(env('LECTERN_UPLOAD_LIMIT') ?? '26214400', 'LECTERN_UPLOAD_LIMIT', 1024, 1 << 30),
      repositoryBytes: integer(env('LECTERN_GIT_LIMIT') ?? '536870912', 'LECTERN_GIT_LIMIT', 1024, 1 << 30),
      importBytes: integer(env('LECTERN_IMPORT_LIMIT') ?? '52428800', 'LECTERN_IMPORT_LIMIT', 1024, 1 << 30),
      importPages: integer(env('LECTERN_IMPORT_PAGES') ?? '2000', 'LECTERN_IMPORT_PAGES', 1, 10_000),
      specificationBytes: integer(env('LECTERN_SPEC_LIMIT') ?? '10485760', 'LECTERN_SPEC_LIMIT', 1024, 1 << 28),
      requestMs: integer(env('LECTERN_REQUEST_TIMEOUT') ?? '30000', 'LECTERN_REQUEST_TIMEOUT', 1000, 600_000),
      statementMs: integer(env('LECTERN_STATEMENT_TIMEOUT') ?? '5000', 'LECTERN_STATEMENT_TIMEOUT', 100, 600_000),
      poolSize: integer(env('LECTERN_POOL_SIZE') ?? '10', 'LECTERN_POOL_SIZE', 2, 500),
      poolWaitMs: integer(env('LECTERN_POOL_WAIT') ?? '2000', 'LECTERN_POOL_WAIT', 100, 60_000),
    },
    logLevel: oneOf(env('LECTERN_LOG') ?? 'info', 'LECTERN_LOG', ['debug', 'info', 'warn', 'error', 'silent']),
    metricsToken: token(env('LECTERN_METRICS_TOKEN'), 'LECTERN_METRICS_TOKEN'),
    failpoint: env('LECTERN_FAIL'),
    isRunByNpm: env('npm_lifecycle_event') !== undefined,
  }
  const unknown = Object.keys(environment).filter((name) => name.startsWith('LECTERN_') && !known.has(name))
  return { ...settings, unknown }
}

function integer(text: string, name: string, least: number, most: number, or = ''): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new Explained(`${name} must be ${or}a whole number from ${least} to ${most}, but is "${text}".`)
  }
  return value
}

function onOff(text: string, name: string): boolean {
  return oneOf(text, name, ['on', 'off']) === 'on'
}

function oneOf(text: string, name: string, allowed: string[]): string {
  if (!allowed.includes(text)) throw new Explained(`${name} must be one of ${allowed.join(', ')}, but is "${text}".`)
  return text
}

function folder(text: string, name: string): string {
  // A shell expands ~ to a home folder; a service manager does not, and there would be a folder named ~.
  if (text.startsWith('~')) throw new Explained(`${name} must be an absolute path, without ~, but is "${text}".`)
  return resolve(text)
}

function list(text: string | undefined): string[] {
  return (text ?? '').split(/[\s,]+/).filter(Boolean)
}

function proxies(text: string | undefined): string[] {
  const wrong = list(text).find((each) => !isRange(each))
  if (wrong === undefined) return list(text)
  throw new Explained(
    `LECTERN_TRUSTED_PROXIES must list addresses such as 10.1.2.3 or ranges such as 10.0.0.0/8, not "${wrong}".`,
  )
}

function isRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const most = isIP(address) === 4 ? 32 : 128
  if (isIP(address) === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= most)
}

function email(text: string, name: string): string {
  if (!isEmail(text)) throw new Explained(`${name} must be an e-mail address, but is "${text}".`)
  return text
}

function title(text: string, name: string): string {
  const { length } = [...text]
  if (length < 2 || length > 255) throw new Explained(`${name} must have 2 to 255 characters, and has ${length}.`)
  return text
}

function hostName(text: string | undefined, name: string): string | undefined {
  if (text !== undefined && !/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/.test(text)) {
    throw new Explained(`${name} must be a host such as sites.example.com, but is "${text}".`)
  }
  return text
}

function httpAddress(text: string | undefined, name: string, example = 'https://docs.example.com'): string | undefined {
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw new Explained(`${name} must be a URL such as ${example}, but is "${text}".`)
  }
  return url.href
}

function databaseAddress(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  // Checked as the driver reads it: an empty host means one that is named in the parameters. The text is not repeated
  // in the message, since it contains a password.
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text.replace('@/', '@localhost/'))) {
    throw new Explained(
      'DATABASE_URL must be a URL such as postgres://user:password@host/name. In a password, / is written as %2F, ' +
        '# as %23, ? as %3F, @ as %40 and % as %25.',
    )
  }
  const options = new URL(text.replace('@/', '@localhost/')).searchParams
  const isCompatible = options.get('uselibpqcompat') === 'true'
  requireTls(options, isCompatible ? tlsModes : [...tlsModes, 'no-verify'])
  // The driver checks certificates in these modes as well, but warns at each start that a later version may not.
  const isChecked = !options.has('uselibpqcompat')
  return isChecked ? text.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full') : text
}

const tlsModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full']

/** The driver takes any other value for one of these, and reports files that it cannot read with every request. */
function requireTls(options: URLSearchParams, modes: string[]): void {
  for (const [name, allowed] of Object.entries({ sslmode: modes, ssl: ['true', '1', '0', 'no-verify'] })) {
    const wrong = options.getAll(name).find((each) => !allowed.includes(each))
    if (wrong === undefined) continue
    throw new Explained(`${name} in DATABASE_URL must be one of ${allowed.join(', ')}, but is "${wrong}".`)
  }
  for (const [name, content] of Object.entries(tlsFiles)) {
    const file = options.get(name)
    if (!file) continue
    const text = readText(file)
    if (text === undefined) {
      throw new Explained(`${name} in DATABASE_URL must be a file that can be read, but is "${file}".`)
    }
    // The driver ignores a root certificate in another format, and then reports the server's as unknown.
    if (!content.test(text)) {
      throw new Explained(`${name} in DATABASE_URL must be a file in PEM format, and "${file}" is not.`)
    }
  }
}

const tlsFiles = {
  sslrootcert: /-----BEGIN [A-Z0-9 ]*CERTIFICATE-----/,
  sslcert: /-----BEGIN [A-Z0-9 ]*CERTIFICATE-----/,
  sslkey: /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/,
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return undefined
  }
}

function mail(smtpUrl: string | undefined, mailFrom: string | undefined): Pick<Config, 'smtpUrl' | 'mailFrom'> {
  // Neither is repeated in the message: the first may contain a password.
  if (smtpUrl !== undefined && !(URL.canParse(smtpUrl) && /^smtps?:\/\/[^/]/.test(smtpUrl))) {
    throw new Explained('LECTERN_SMTP_URL must be a URL such as smtps://user:password@mail.example.com.')
  }
  if (smtpUrl !== undefined && mailFrom === undefined) {
    throw new Explained('To send mail, set LECTERN_MAIL_FROM too: an address such as Docs <docs@example.com>.')
  }
  if (smtpUrl === undefined && mailFrom !== undefined) {
    throw new Explained('To send mail, set LECTERN_SMTP_URL too: a URL such as smtps://user:password@mail.example.com.')
  }
  // Quotes around all of it would become part of the address. Some programs do not remove them from a file of settings.
  if (mailFrom !== undefined && !/(?:^|[\s<])[^\s<>"@]+@[^\s<>"'@]+>?$/.test(mailFrom)) {
    throw new Explained(
      `LECTERN_MAIL_FROM must be an address such as Docs <docs@example.com>, without quotes around it, but is: ${mailFrom}`,
    )
  }
  return { smtpUrl, mailFrom }
}

function token(text: string | undefined, name: string): string | undefined {
  if (!text) return undefined
  if (!/^[\x21-\x7e]{32,512}$/.test(text)) {
    throw new Explained(`${name} must be 32 to 512 visible characters without spaces.`)
  }
  return text
}

function secret(text: string | undefined): string | undefined {
  if (text !== undefined && text.length < 32) {
    throw new Explained('LECTERN_SECRET must have at least 32 characters. "openssl rand -hex 32" creates a good one.')
  }
  return text
}

function rateLimit(text: string): Config['rateLimit'] {
  if (text === 'off') return undefined
  return { perCredential: integer(text, 'LECTERN_RATE_LIMIT', 1, 1_000_000_000, 'off, or '), perAddress: 300 }
}

function s3(env: (name: string) => string | undefined): S3Config | undefined {
  const found = {
    endpoint: httpAddress(env('LECTERN_S3_ENDPOINT'), 'LECTERN_S3_ENDPOINT', 'https://s3.example.com'),
    bucket: env('LECTERN_S3_BUCKET'),
    region: env('LECTERN_S3_REGION') ?? 'us-east-1',
    accessKey: env('LECTERN_S3_ACCESS_KEY'),
    secretKey: env('LECTERN_S3_SECRET_KEY'),
  }
  const { endpoint, bucket, region, accessKey, secretKey } = found
  if (!endpoint && !bucket && !accessKey && !secretKey) return undefined
  if (!endpoint || !bucket || !accessKey || !secretKey) {
    throw new Explained(
      'To keep files in S3, set all of LECTERN_S3_ENDPOINT, LECTERN_S3_BUCKET, LECTERN_S3_ACCESS_KEY and LECTERN_S3_SECRET_KEY.',
    )
  }
  return { endpoint, bucket, region, accessKey, secretKey }
}

function oidc(env: (name: string) => string | undefined): OidcConfig | undefined {
  const issuer = httpAddress(env('LECTERN_OIDC_ISSUER'), 'LECTERN_OIDC_ISSUER', 'https://id.example.com')
  const clientId = env('LECTERN_OIDC_CLIENT_ID')
  const clientSecret = env('LECTERN_OIDC_CLIENT_SECRET')
  const name = env('LECTERN_OIDC_NAME')
  const emails = env('LECTERN_OIDC_EMAILS')
  const given = env('LECTERN_OIDC_ROLE')
  const addresses = oneOf(emails ?? 'verified', 'LECTERN_OIDC_EMAILS', ['verified', 'all'])
  const role = oneOf(given ?? 'none', 'LECTERN_OIDC_ROLE', ['none', ...roles])
  if ([issuer, clientId, clientSecret, emails, given, name].every((setting) => !setting)) return undefined
  if (!issuer || !clientId) {
    throw new Explained('To sign in with OpenID Connect, set both LECTERN_OIDC_ISSUER and LECTERN_OIDC_CLIENT_ID.')
  }
  return {
    issuer,
    clientId,
    clientSecret,
    name: name ?? new URL(issuer).hostname,
    trustsEveryAddress: addresses === 'all',
    role: role === 'none' ? undefined : (role as Role),
  }
}
