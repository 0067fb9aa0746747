import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { ConfigError, demandProduction, readConfig } from './config.ts'

test('nothing set: everything on this machine', () => {
  const config = readConfig({ PORT: ' ' })
  expect(config).toMatchObject({
    databaseUrl: null,
    smtpUrl: null,
    oidc: null,
    port: 3000,
    publicUrl: 'http://localhost:3000',
    readOnly: false,
    trustProxy: false,
  })
  expect(config.storageUrl).toMatch(/^file:\/\/\/.*\.data\/files$/)
})

test('a production installation', () => {
  const config = readConfig({
    DATABASE_URL: 'postgresql://ems:x@db/ems',
    STORAGE_URL: 's3+http://key:secret@minio:9000/files',
    PUBLIC_URL: 'https://ems.university.example/',
    READ_ONLY: 'yes',
    TRUST_PROXY: '10.0.0.0/8, 127.0.0.1',
  })
  expect(config).toMatchObject({
    storageUrl: 's3+http://key:secret@minio:9000/files',
    publicUrl: 'https://ems.university.example',
    mailFrom: 'University EMS <no-reply@ems.university.example>',
    readOnly: true,
    trustProxy: ['10.0.0.0/8', '127.0.0.1'],
  })
  const hops = readConfig({ TRUST_PROXY: '1' }).trustProxy
  expect(typeof hops === 'function' && [hops('10.0.0.1', 0), hops('10.0.0.2', 1)]).toEqual([true, false])
})

test('every mistake is named, with what is expected', () => {
  const wrong = {
    DATABASE_URL: 'mysql://x',
    PORT: '99999',
    LOG_LEVEL: 'loud',
    PUBLIC_URL: 'ems',
    OIDC_ISSUER: 'https://id.example',
    SAML_KEY: 'own.key',
  }
  const message = (() => {
    try {
      readConfig(wrong)
    } catch (error) {
      return error instanceof ConfigError ? error.message : String(error)
    }
    return ''
  })()
  for (const name of [
    'DATABASE_URL',
    'PORT',
    'LOG_LEVEL',
    'PUBLIC_URL',
    'OIDC_CLIENT_ID and OIDC_CLIENT_SECRET',
    'SAML_METADATA',
    'SAML_CERTIFICATE',
  ])
    expect(message).toContain(name)
  expect(message).toContain('postgres://')
  expect(message).toContain('one of trace, debug')
})

test('proxies are so many, or named; nobody trusts everybody', () => {
  for (const right of ['1', '2', '10.0.0.0/8', '127.0.0.1, ::1', 'loopback uniquelocal', 'fd00::/8'])
    expect(readConfig({ TRUST_PROXY: right }).trustProxy).toBeTruthy()
  for (const wrong of ['true', 'all', '*', '0', '10', '0.0.0.0/0', '::/0', '10.0.0.0/33', 'proxy', '1.2.3', '-1', ','])
    expect(() => readConfig({ TRUST_PROXY: wrong }), wrong).toThrow('TRUST_PROXY')
})

const production = {
  DATABASE_URL: 'postgresql://ems:x@db/ems',
  PUBLIC_URL: 'https://ems.university.example',
  SMTP_URL: 'smtp://u:p@mail.example:587',
  HOST: '0.0.0.0',
  SECRETS_KEY: 'nYw4m0Jq7cTzVb2LxR9sKe5HuGfD1aPi',
}
const missing = (env: Record<string, string>): string => {
  try {
    demandProduction(readConfig(env), env)
    return ''
  } catch (error) {
    return error instanceof ConfigError ? error.message : String(error)
  }
}

test('what people reach is encrypted and sends mail, unless told otherwise in so many words', () => {
  expect(missing(production)).toBe('')
  expect(missing({ ...production, PUBLIC_URL: 'http://ems.university.example' })).toContain('https://')
  expect(missing({ ...production, PUBLIC_URL: 'http://ems.university.example', ALLOW_HTTP: '1' })).toBe('')
  expect(missing({ ...production, PUBLIC_URL: 'http://ems.university.example', ALLOW_HTTP: '0' })).toContain('https://')
  expect(missing({ ...production, PUBLIC_URL: 'http://localhost.evil.example' })).toContain('https://')
  expect(missing({ ...production, PUBLIC_URL: 'http://127.0.0.1:3000' })).toBe('')
  expect(missing({ ...production, PUBLIC_URL: '' })).toContain('PUBLIC_URL')
  expect(missing({ ...production, SMTP_URL: '' })).toContain('SMTP_URL')
  expect(missing({ ...production, SMTP_URL: '', MAIL_FOLDER: '/var/mails' })).toBe('')
  expect(missing({ HOST: '0.0.0.0' }).split('\n')).toHaveLength(4)
})

test('in production there is a key apart from the database, and it comes of chance', () => {
  expect(missing({ ...production, SECRETS_KEY: '' })).toContain('openssl rand -base64 32')
  for (let i = 0; i < 200; i++)
    for (const form of ['base64', 'base64url', 'hex'] as const)
      expect(readConfig({ SECRETS_KEY: randomBytes(32).toString(form) }).secretsKey).toBeTruthy()
  for (const weak of [
    'short',
    'nYw4m0Jq7cTzVb2LxR9sKe5HuGfD1aP',
    'a'.repeat(64),
    'ab'.repeat(32),
    'changeme'.repeat(8),
    'abcdefghijklmnopqrstuvwxyz0123456789',
    '0123456789'.repeat(5),
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab',
    '11111111112222222222333333333344444444445555555555',
    'passwordpasswordpasswordpassword1',
  ])
    expect(() => readConfig({ SECRETS_KEY: weak }), weak).toThrow(
      /SECRETS_KEY: expected 32 characters or more, of chance/,
    )
  expect(readConfig({}).secretsKeyBefore).toBe(null)
  expect(readConfig({ SECRETS_KEY_BEFORE: 'none' }).secretsKeyBefore).toBe('')
  expect(readConfig({ SECRETS_KEY_BEFORE: 'aaaa' }).secretsKeyBefore).toBe('aaaa')
})

test('providers of single sign-on are asked over https, but on this machine', () => {
  const oidc = { OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' }
  const saml = { SAML_IDP_ENTITY_ID: 'x', SAML_IDP_CERTIFICATES: 'x.pem', SAML_IDP_URL: 'https://id.example/sso' }
  for (const host of ['https://id.example', 'http://localhost:3900', 'http://127.0.0.1:3900']) {
    expect(readConfig({ ...oidc, OIDC_ISSUER: host }).oidc?.issuer).toBe(host)
    expect(readConfig({ ...saml, SAML_IDP_URL: host, SAML_IDP_LOGOUT_URL: host }).saml).toBeTruthy()
  }
  for (const host of ['http://id.example', 'http://127.0.0.1.evil.example', 'ftp://id.example']) {
    expect(() => readConfig({ ...oidc, OIDC_ISSUER: host }), host).toThrow(/OIDC_ISSUER: .*https/)
    expect(() => readConfig({ ...saml, SAML_IDP_URL: host }), host).toThrow(/SAML_IDP_URL: .*https/)
    expect(() => readConfig({ ...saml, SAML_IDP_LOGOUT_URL: host }), host).toThrow(/SAML_IDP_LOGOUT_URL: .*https/)
    expect(() => readConfig({ SAML_METADATA: `${host}/metadata` }), host).toThrow(/SAML_METADATA/)
  }
})

test('mail goes out encrypted, but for this machine and where it was waived', () => {
  expect(readConfig(production).smtpTls).toBe(true)
  expect(readConfig({ SMTP_URL: 'smtps://mail.example' }).smtpTls).toBe(true)
  expect(readConfig({ SMTP_URL: 'smtp://localhost:25' }).smtpTls).toBe(false)
  expect(readConfig({ SMTP_URL: 'smtp://mail.example:25', SMTP_ALLOW_PLAIN: 'yes' }).smtpTls).toBe(false)
})

test('a provider of payments is offered only when everything it needs is set', () => {
  expect(readConfig({}).payments).toEqual({ fawry: null, paymob: null })
  const given = { FAWRY_MERCHANT_CODE: 'code==', FAWRY_SECURE_KEY: 'key' }
  expect(readConfig(given).payments.fawry).toEqual({
    url: 'https://www.atfawry.com',
    merchantCode: 'code==',
    secureKey: 'key',
  })
  expect(() => readConfig({ FAWRY_MERCHANT_CODE: 'code==' })).toThrow(/FAWRY_SECURE_KEY: needed for payments by FAWRY/)
  expect(() => readConfig({ ...given, FAWRY_URL: 'http://pay.example' })).toThrow(/FAWRY_URL: .*https/)
  const paymob = { PAYMOB_API_KEY: 'a', PAYMOB_HMAC_SECRET: 'h', PAYMOB_INTEGRATION_ID: '12', PAYMOB_IFRAME_ID: '7' }
  expect(readConfig({ ...paymob, PAYMOB_URL: 'http://127.0.0.1:3901' }).payments.paymob).toEqual({
    url: 'http://127.0.0.1:3901',
    apiKey: 'a',
    hmacSecret: 'h',
    integrations: { EGP: '12' },
    iframeId: '7',
    merchantId: null,
  })
  expect(readConfig({ ...paymob, PAYMOB_INTEGRATION_ID_USD: '13' }).payments.paymob!.integrations).toEqual({
    EGP: '12',
    USD: '13',
  })
  expect(() => readConfig({ PAYMOB_URL: 'https://accept.paymob.com' })).toThrow(/PAYMOB_API_KEY and .* needed/)
})
