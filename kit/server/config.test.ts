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
  expect(missing({ HOST: '0.0.0.0' }).split('\n')).toHaveLength(3)
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
    integrationId: '12',
    iframeId: '7',
  })
  expect(() => readConfig({ PAYMOB_URL: 'https://accept.paymob.com' })).toThrow(/PAYMOB_API_KEY and .* needed/)
})
