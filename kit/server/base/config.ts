import { isIP } from 'node:net'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { publicationSourcesOf, SOURCE_VARIABLES, type PublicationSourcesConfig } from './sources-config.ts'
import { TAX_VARIABLES, taxReceiptMistakes, taxReceiptsOf, type TaxReceiptsConfig } from './tax-config.ts'
import { isLocal, webAddress } from './web-address.ts'

/** Settings from the environment, checked once at the start. */
export interface Config {
  /** PostgreSQL; null: the embedded server in `dataDir`. */
  readonly databaseUrl: string | null
  /** The same database for its owner, who migrates it; null: `databaseUrl` is the owner, or somebody else migrates. */
  readonly migrateUrl: string | null
  /** Address of the file storage: `file://…` or `s3://…`; see `openStorage`. */
  readonly storageUrl: string
  /** `smtp://user:password@host:587` or `smtps://…`; null: mails are only logged and written to `mailFolder`. */
  readonly smtpUrl: string | null
  /** Mails go out only over an encrypted connection: always but to this machine, unless told otherwise. */
  readonly smtpTls: boolean
  readonly mailFolder: string
  /** Sender of mails. */
  readonly mailFrom: string
  /** Single sign-on by OpenID Connect. */
  readonly oidc: {
    readonly issuer: string
    readonly clientId: string
    readonly clientSecret: string
    /** Domains of the university's own: a verified address in them is enough to find an account the first time. */
    readonly emailDomains: readonly string[]
    /** The provider gives out only addresses that are right, and does not say so of each (Microsoft Entra). */
    readonly trustEmail: boolean
    /** Types of users who come in by it. */
    readonly entries: readonly (1 | 2 | 3 | 4)[]
  } | null
  /** Single sign-on by SAML 2.0. */
  readonly saml: {
    /** What the provider says of itself: a file, or an address that is asked now and then; or the same in single settings. */
    readonly provider:
      | { readonly metadata: string; readonly entityId: string | null }
      | {
          readonly entityId: string
          readonly url: string
          readonly certificates: readonly string[]
          /** Where sessions there are ended. */
          readonly logout: string | null
        }
    /** By which name the provider knows this application. */
    readonly entityId: string
    /** Files of the own private key and its certificate: requests are signed, and assertions may come encrypted. */
    readonly own: { readonly key: string; readonly certificate: string } | null
    readonly emailDomains: readonly string[]
    /** The provider gives out only addresses that it has checked. */
    readonly trustEmail: boolean
    /** The same of codes of students and members of staff. */
    readonly trustCode: boolean
    readonly entries: readonly (1 | 2 | 3 | 4)[]
    /** Who comes from the provider without having been sent there is let in. */
    readonly unasked: boolean
  } | null
  /** Providers of payments; null: not offered. */
  readonly payments: {
    readonly fawry: {
      readonly url: string
      readonly merchantCode: string
      /** Signs what is asked and what is told; never leaves the server. */
      readonly secureKey: string
    } | null
    readonly paymob: {
      readonly url: string
      readonly apiKey: string
      /** By which its callbacks are known as its own. */
      readonly hmacSecret: string
      /** The card integration that payments of a currency come by; others are not looked at. */
      readonly integrations: Readonly<Record<string, string>>
      readonly iframeId: string
      /** The account that is paid to, which callbacks name; null: they may name any. */
      readonly merchantId: string | null
    } | null
  }
  /** The tax authority to which receipts are sent; null: none. */
  readonly taxReceipts: TaxReceiptsConfig | null
  /** The Moodle to which offerings are brought; null: none. */
  readonly moodle: {
    readonly url: string
    /** Of its web service; never leaves the server. */
    readonly token: string
    /** Where new courses come. */
    readonly category: number
    /** How the accounts made there sign in, in Moodle's words. */
    readonly auth: string
    readonly roles: { readonly student: number; readonly teacher: number }
  } | null
  /** Where publications are asked for; null: not asked. */
  readonly publicationSources: PublicationSourcesConfig
  /** Known to the installation, not to its database: what is sealed needs both. */
  readonly secretsKey: string | null
  /** By which things were sealed before that are still there; empty: by none. null: there are no such. */
  readonly secretsKeyBefore: string | null
  /** Files of the key with which papers are signed: PKCS #12, or PEM with its certificates beside. null: the program makes one. */
  readonly paperKey: {
    readonly file: string
    readonly password: string | null
    readonly certificates: string | null
  } | null
  /** The 32 bytes by which credentials are signed, in base 64; null: a key is made and kept in the database. */
  readonly credentialsKey: string | null
  /** Demo accounts, whose password is published, may be reached by others, and loaded into a database that is named. */
  readonly allowDemo: boolean
  /** Address under which people reach the application, without a slash at the end. */
  readonly publicUrl: string
  readonly host: string
  readonly port: number
  /** Where the figures for Prometheus are served; null: nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | null
  readonly dataDir: string
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Nothing may be changed, whatever the university's own setting says. */
  readonly readOnly: boolean
  /** Proxies whose `X-Forwarded-For` is believed: none, addresses and networks, or so many hops. */
  readonly trustProxy: false | string[] | ((address: string, hop: number) => boolean)
  /** Connections of this process to the database. */
  readonly poolSize: number
  /** Whether connections keep statements prepared; not through a pooler that gives every transaction another connection. */
  readonly prepare: boolean
  /** Most milliseconds of one statement; 0: no limit. */
  readonly statementTimeout: number
  /** Files, and megabytes of files, that one person may send in a day. */
  readonly uploadsPerDay: number
  readonly uploadMegabytesPerDay: number
}

/** Settings that cannot be used; the message names each of them and what it should be. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

const flag = z.enum(['1', '0', 'true', 'false', 'yes', 'no']).transform((v) => v === '1' || v === 'true' || v === 'yes')
const whole = (min: number, max: number) =>
  z.string().regex(/^\d+$/, 'a whole number').transform(Number).pipe(z.number().min(min).max(max))
const url = (...schemes: string[]) =>
  z
    .string()
    .refine(
      (v) => schemes.some((s) => v.startsWith(`${s}:`)),
      `an address beginning with ${schemes.map((s) => `${s}://`).join(' or ')}`,
    )

const OF_CHANCE =
  '32 characters or more, of chance: make it by "openssl rand -base64 32", and keep a copy apart from the backups of the database'
/** Bits that a key has to have at least, as far as its text tells. */
const LEAST_BITS = 100
/**
 * Whether a text may have come of chance: long, and neither one character after the other nor the same few again. What
 * somebody has thought of that looks like chance is not found.
 */
export function isOfChance(text: string): boolean {
  if (text.length < 32) return false
  // The smallest piece of which the text is a repetition counts once.
  const piece = (text + text).indexOf(text, 1)
  const counts = new Map<string, number>()
  let steps = 0
  for (let i = 0; i < piece; i++) {
    const one = text[i]!
    counts.set(one, (counts.get(one) ?? 0) + 1)
    // What follows by one, as in "abcdefgh" or "12345678", tells nothing new.
    if (i > 0 && Math.abs(text.codePointAt(i)! - text.codePointAt(i - 1)!) <= 1) steps++
  }
  let bits = 0
  for (const count of counts.values()) bits -= count * Math.log2(count / piece)
  return bits * (1 - steps / piece) >= LEAST_BITS
}

/** What is listed, by commas or spaces. */
const words = (list: string): string[] => list.split(/[\s,]+/).filter(Boolean)
/** Types of users by the name of their entry of the sign-in page. */
const ENTRIES: Readonly<Record<string, 1 | 2 | 3 | 4>> = { instructor: 1, employee: 2, student: 3, applicant: 4 }

const domains = z
  .string()
  .refine((v) => words(v).every((d) => /^[a-z\d-]+(\.[a-z\d-]+)+$/i.test(d)), 'domains: university.example, …')
const entries = z
  .string()
  .refine((v) => words(v).every((entry) => entry in ENTRIES), 'some of instructor, employee, student, applicant')

const VARIABLES = z.object({
  DATABASE_URL: url('postgres', 'postgresql').optional(),
  DATABASE_MIGRATE_URL: url('postgres', 'postgresql').optional(),
  STORAGE_URL: z
    .string()
    .refine(
      (v) => /^(file|s3|s3\+https?):/.test(v) || !/^\w[\w+.-]+:/.test(v),
      'a folder, or an address beginning with file:// or s3://',
    )
    .optional(),
  SMTP_URL: url('smtp', 'smtps')
    .refine((v) => URL.canParse(v), 'a complete address')
    .optional(),
  SMTP_ALLOW_PLAIN: flag.optional(),
  MAIL_FOLDER: z.string().min(1).optional(),
  MAIL_FROM: z.string().includes('@', { error: 'an e-mail address' }).optional(),
  OIDC_ISSUER: webAddress.optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_EMAIL_DOMAINS: domains.optional(),
  OIDC_TRUST_EMAIL: flag.optional(),
  OIDC_ENTRIES: entries.optional(),
  SAML_METADATA: z
    .string()
    .refine((v) => !/^[a-z]{2,}:/i.test(v) || /^https:/i.test(v), 'a file, or an address beginning with https://')
    .optional(),
  SAML_IDP_ENTITY_ID: z.string().max(1024).optional(),
  SAML_IDP_URL: webAddress.optional(),
  SAML_IDP_CERTIFICATES: z.string().optional(),
  SAML_IDP_LOGOUT_URL: webAddress.optional(),
  SAML_ENTITY_ID: z.string().max(1024).optional(),
  SAML_KEY: z.string().optional(),
  SAML_CERTIFICATE: z.string().optional(),
  SAML_EMAIL_DOMAINS: domains.optional(),
  SAML_TRUST_EMAIL: flag.optional(),
  SAML_TRUST_CODE: flag.optional(),
  SAML_ENTRIES: entries.optional(),
  SAML_UNASKED: flag.optional(),
  FAWRY_URL: webAddress.optional(),
  FAWRY_MERCHANT_CODE: z.string().max(100).optional(),
  FAWRY_SECURE_KEY: z.string().max(200).optional(),
  PAYMOB_URL: webAddress.optional(),
  PAYMOB_API_KEY: z.string().max(2000).optional(),
  PAYMOB_HMAC_SECRET: z.string().max(200).optional(),
  PAYMOB_INTEGRATION_ID: z.string().regex(/^\d+$/, 'a number').optional(),
  PAYMOB_INTEGRATION_ID_USD: z.string().regex(/^\d+$/, 'a number').optional(),
  PAYMOB_IFRAME_ID: z.string().regex(/^\d+$/, 'a number').optional(),
  ...TAX_VARIABLES,
  ...SOURCE_VARIABLES,
  MOODLE_URL: webAddress.optional(),
  MOODLE_TOKEN: z.string().max(200).optional(),
  MOODLE_CATEGORY: whole(1, 2_147_483_647).optional(),
  MOODLE_AUTH: z
    .string()
    .regex(/^[a-z][a-z\d]*$/, 'a way of signing in, as Moodle calls it: manual, oauth2, saml2')
    .optional(),
  MOODLE_STUDENT_ROLE: whole(1, 2_147_483_647).optional(),
  MOODLE_TEACHER_ROLE: whole(1, 2_147_483_647).optional(),
  PAYMOB_MERCHANT_ID: z
    .string()
    .regex(/^[1-9]\d*$/, 'a number')
    .optional(),
  PAPER_KEY: z.string().min(1).optional(),
  PAPER_KEY_PASSWORD: z.string().max(1000).optional(),
  PAPER_CERTIFICATE: z.string().min(1).optional(),
  SECRETS_KEY: z.string().refine(isOfChance, OF_CHANCE).optional(),
  SECRETS_KEY_BEFORE: z.string().optional(),
  CREDENTIALS_KEY: z
    .string()
    .refine(
      (v) => Buffer.from(v, 'base64').length === 32 && isOfChance(v),
      '32 bytes of chance in base 64: make it by "openssl rand -base64 32", and keep a copy: what it signed is verified by it',
    )
    .optional(),
  PUBLIC_URL: url('http', 'https')
    .refine((v) => URL.canParse(v), 'a complete address')
    .optional(),
  ALLOW_HTTP: flag.optional(),
  ALLOW_DEMO: flag.optional(),
  HOST: z.string().min(1).optional(),
  PORT: whole(0, 65_535).optional(),
  METRICS_PORT: whole(0, 65_535).optional(),
  METRICS_HOST: z.string().min(1).optional(),
  DATA_DIR: z.string().min(1).optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).optional(),
  READ_ONLY: flag.optional(),
  TRUST_PROXY: z
    .string()
    .refine(
      (v) => trusted(v) !== undefined,
      'how many proxies stand in front (1 to 9), or their addresses and networks',
    )
    .optional(),
  POOL_SIZE: whole(2, 500).optional(),
  PREPARED_STATEMENTS: flag.optional(),
  STATEMENT_TIMEOUT: whole(0, 3_600_000).optional(),
  UPLOADS_PER_DAY: whole(1, 1_000_000).optional(),
  UPLOAD_MB_PER_DAY: whole(1, 10_000_000).optional(),
})

/**
 * Reads the settings from environment variables. An empty variable counts as absent.
 *
 * @throws {ConfigError} naming every variable that is wrong
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.keys(VARIABLES.shape).flatMap((name) => (env[name]?.trim() ? [[name, env[name].trim()]] : [])),
  )
  const parsed = VARIABLES.safeParse(given)
  const mistakes =
    parsed.error?.issues.map((issue) => {
      const expected = issue.code === 'invalid_value' ? `one of ${issue.values.join(', ')}` : issue.message
      return `${issue.path.join('.')}: expected ${expected.replace(/^expected /i, '')}`
    }) ?? []
  const oidc = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'].filter((name) => !given[name])
  if (oidc.length > 0 && oidc.length < 3)
    mistakes.push(`${oidc.join(' and ')}: needed for single sign-on with the others`)
  if (Boolean(given.MOODLE_URL) !== Boolean(given.MOODLE_TOKEN))
    mistakes.push('MOODLE_URL and MOODLE_TOKEN: needed together')
  mistakes.push(...samlMistakes(given), ...paymentMistakes(given), ...taxReceiptMistakes(given))
  if (!parsed.data || mistakes.length > 0)
    throw new ConfigError(`These settings are wrong:\n  ${mistakes.join('\n  ')}`)
  const v = parsed.data
  const port = v.PORT ?? 3000
  const dataDir = path.resolve(v.DATA_DIR ?? '.data')
  const publicUrl = (v.PUBLIC_URL ?? `http://localhost:${port}`).replace(/\/+$/, '')
  return {
    databaseUrl: v.DATABASE_URL ?? null,
    migrateUrl: v.DATABASE_MIGRATE_URL ?? null,
    storageUrl: v.STORAGE_URL?.includes('://')
      ? v.STORAGE_URL
      : pathToFileURL(path.resolve(v.STORAGE_URL ?? path.join(dataDir, 'files'))).href,
    smtpUrl: v.SMTP_URL ?? null,
    smtpTls: v.SMTP_URL !== undefined && !v.SMTP_ALLOW_PLAIN && !isLocal(new URL(v.SMTP_URL).hostname),
    mailFolder: path.resolve(v.MAIL_FOLDER ?? path.join(dataDir, 'mail')),
    mailFrom: v.MAIL_FROM ?? `University EMS <no-reply@${new URL(publicUrl).hostname}>`,
    oidc:
      v.OIDC_ISSUER && v.OIDC_CLIENT_ID && v.OIDC_CLIENT_SECRET
        ? {
            issuer: v.OIDC_ISSUER,
            clientId: v.OIDC_CLIENT_ID,
            clientSecret: v.OIDC_CLIENT_SECRET,
            emailDomains: words(v.OIDC_EMAIL_DOMAINS ?? '').map((domain) => domain.toLowerCase()),
            trustEmail: v.OIDC_TRUST_EMAIL ?? false,
            entries: entriesIn(v.OIDC_ENTRIES),
          }
        : null,
    saml: samlOf(v, publicUrl),
    payments: paymentsOf(v),
    taxReceipts: taxReceiptsOf(v),
    moodle:
      v.MOODLE_URL && v.MOODLE_TOKEN
        ? {
            url: v.MOODLE_URL.replace(/\/+$/, ''),
            token: v.MOODLE_TOKEN,
            category: v.MOODLE_CATEGORY ?? 1,
            auth: v.MOODLE_AUTH ?? 'manual',
            // As a new Moodle has them.
            roles: { student: v.MOODLE_STUDENT_ROLE ?? 5, teacher: v.MOODLE_TEACHER_ROLE ?? 3 },
          }
        : null,
    publicationSources: publicationSourcesOf(v),
    paperKey: v.PAPER_KEY
      ? { file: v.PAPER_KEY, password: v.PAPER_KEY_PASSWORD ?? null, certificates: v.PAPER_CERTIFICATE ?? null }
      : null,
    secretsKey: v.SECRETS_KEY ?? null,
    secretsKeyBefore: v.SECRETS_KEY_BEFORE === 'none' ? '' : (v.SECRETS_KEY_BEFORE ?? null),
    credentialsKey: v.CREDENTIALS_KEY ?? null,
    allowDemo: v.ALLOW_DEMO ?? false,
    publicUrl,
    host: v.HOST ?? 'localhost',
    port,
    metrics: v.METRICS_PORT === undefined ? null : { host: v.METRICS_HOST ?? '127.0.0.1', port: v.METRICS_PORT },
    dataDir,
    logLevel: v.LOG_LEVEL ?? 'info',
    readOnly: v.READ_ONLY ?? false,
    trustProxy: (v.TRUST_PROXY && trusted(v.TRUST_PROXY)) || false,
    poolSize: v.POOL_SIZE ?? 10,
    prepare: v.PREPARED_STATEMENTS ?? true,
    statementTimeout: v.STATEMENT_TIMEOUT ?? 60_000,
    uploadsPerDay: v.UPLOADS_PER_DAY ?? 500,
    uploadMegabytesPerDay: v.UPLOAD_MB_PER_DAY ?? 2000,
  }
}

const entriesIn = (list: string | undefined): readonly (1 | 2 | 3 | 4)[] =>
  list ? words(list).map((entry) => ENTRIES[entry]!) : [1, 2, 3, 4]

function samlMistakes(given: Readonly<Record<string, string | undefined>>): string[] {
  const single = ['SAML_IDP_URL', 'SAML_IDP_CERTIFICATES']
  const missing = ['SAML_IDP_ENTITY_ID', ...single].filter((name) => !given[name])
  const begun = Object.keys(given).some((name) => name.startsWith('SAML_'))
  return [
    ...(begun && !given.SAML_METADATA && missing.length
      ? [`SAML_METADATA, or else ${missing.join(' and ')}: needed for single sign-on by SAML`]
      : []),
    ...(given.SAML_METADATA && single.some((name) => given[name])
      ? [`${single.join(' and ')}: the metadata of SAML_METADATA tell these`]
      : []),
    ...(Boolean(given.SAML_KEY) === Boolean(given.SAML_CERTIFICATE)
      ? []
      : ['SAML_KEY and SAML_CERTIFICATE: needed together']),
  ]
}

/** What a provider of payments needs; its address is that of its live system unless told. */
const PAYMENTS = {
  FAWRY: ['FAWRY_MERCHANT_CODE', 'FAWRY_SECURE_KEY'],
  PAYMOB: ['PAYMOB_API_KEY', 'PAYMOB_HMAC_SECRET', 'PAYMOB_INTEGRATION_ID', 'PAYMOB_IFRAME_ID'],
} as const

const paymentMistakes = (given: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(PAYMENTS).flatMap(([provider, names]) => {
    const missing = names.filter((name) => !given[name])
    const begun = missing.length < names.length || given[`${provider}_URL`]
    return begun && missing.length ? [`${missing.join(' and ')}: needed for payments by ${provider}`] : []
  })

const paymentsOf = (v: z.output<typeof VARIABLES>): Config['payments'] => ({
  fawry:
    v.FAWRY_MERCHANT_CODE && v.FAWRY_SECURE_KEY
      ? {
          url: v.FAWRY_URL ?? 'https://www.atfawry.com',
          merchantCode: v.FAWRY_MERCHANT_CODE,
          secureKey: v.FAWRY_SECURE_KEY,
        }
      : null,
  paymob:
    v.PAYMOB_API_KEY && v.PAYMOB_HMAC_SECRET && v.PAYMOB_INTEGRATION_ID && v.PAYMOB_IFRAME_ID
      ? {
          url: v.PAYMOB_URL ?? 'https://accept.paymob.com',
          apiKey: v.PAYMOB_API_KEY,
          hmacSecret: v.PAYMOB_HMAC_SECRET,
          integrations: {
            EGP: v.PAYMOB_INTEGRATION_ID,
            ...(v.PAYMOB_INTEGRATION_ID_USD && { USD: v.PAYMOB_INTEGRATION_ID_USD }),
          },
          iframeId: v.PAYMOB_IFRAME_ID,
          merchantId: v.PAYMOB_MERCHANT_ID ?? null,
        }
      : null,
})

function samlOf(v: z.output<typeof VARIABLES>, publicUrl: string): Config['saml'] {
  const provider = v.SAML_METADATA
    ? { metadata: v.SAML_METADATA, entityId: v.SAML_IDP_ENTITY_ID ?? null }
    : v.SAML_IDP_ENTITY_ID && v.SAML_IDP_URL && v.SAML_IDP_CERTIFICATES
      ? {
          entityId: v.SAML_IDP_ENTITY_ID,
          url: v.SAML_IDP_URL,
          certificates: words(v.SAML_IDP_CERTIFICATES),
          logout: v.SAML_IDP_LOGOUT_URL ?? null,
        }
      : null
  return (
    provider && {
      provider,
      entityId: v.SAML_ENTITY_ID ?? `${publicUrl}/api/saml/metadata`,
      own: v.SAML_KEY && v.SAML_CERTIFICATE ? { key: v.SAML_KEY, certificate: v.SAML_CERTIFICATE } : null,
      emailDomains: words(v.SAML_EMAIL_DOMAINS ?? '').map((domain) => domain.toLowerCase()),
      trustEmail: v.SAML_TRUST_EMAIL ?? false,
      trustCode: v.SAML_TRUST_CODE ?? false,
      entries: entriesIn(v.SAML_ENTRIES),
      unasked: v.SAML_UNASKED ?? false,
    }
  )
}

/** Which proxies are believed; undefined when everybody would be, or nothing that is meant can be seen. */
function trusted(given: string): Exclude<Config['trustProxy'], false> | undefined {
  if (/^\d+$/.test(given)) {
    const hops = Number(given)
    return hops >= 1 && hops <= 9 ? (_address, hop) => hop < hops : undefined
  }
  const networks = given.split(/[\s,]+/).filter(Boolean)
  const known = networks.every((network) => {
    if (['loopback', 'linklocal', 'uniquelocal'].includes(network)) return true
    const [address = '', bits] = network.split('/')
    const length = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : 0
    return length > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= length))
  })
  return known && networks.length ? networks : undefined
}

/**
 * The requirements of a public installation: an encrypted address, and working mail. Either can be waived explicitly.
 *
 * @throws {ConfigError} naming everything that is missing
 */
export function demandProduction(config: Config, env: Readonly<Record<string, string | undefined>>): void {
  const given = (name: string): string => env[name]?.trim() ?? ''
  const waived = flag.safeParse(given('ALLOW_HTTP')).data === true
  const missing: string[] = []
  if (!config.databaseUrl)
    missing.push(
      'DATABASE_URL is needed: postgresql://user:password@host/database. (npm start brings a database of its own.)',
    )
  if (!given('PUBLIC_URL') && !isLocal(config.host))
    missing.push('PUBLIC_URL is needed: the address people type. Links in mails begin with it.')
  if (!config.publicUrl.startsWith('https:') && !isLocal(new URL(config.publicUrl).hostname) && !waived)
    missing.push('PUBLIC_URL must begin with https://: passwords would travel in the open. ALLOW_HTTP=1 allows it.')
  if (!config.smtpUrl && !given('MAIL_FOLDER'))
    missing.push(
      'SMTP_URL is needed: smtp://user:password@host:587. MAIL_FOLDER=/folder writes mails, with links to new passwords, into files instead.',
    )
  if (!config.secretsKey)
    missing.push(
      `SECRETS_KEY is needed: ${OF_CHANCE}. Without it, the database and each of its backups would hold the key to what is sealed in it. Where this university ran without one, also SECRETS_KEY_BEFORE=none, and "npm run reseal" once.`,
    )
  if (missing.length) throw new ConfigError(missing.join('\n'))
}
