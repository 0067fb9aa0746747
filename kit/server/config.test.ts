import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

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
  }
  const message = (() => {
    try {
      readConfig(wrong)
    } catch (error) {
      return error instanceof ConfigError ? error.message : String(error)
    }
    return ''
  })()
  for (const name of ['DATABASE_URL', 'PORT', 'LOG_LEVEL', 'PUBLIC_URL', 'OIDC_CLIENT_ID and OIDC_CLIENT_SECRET'])
    expect(message).toContain(name)
  expect(message).toContain('postgres://')
  expect(message).toContain('one of trace, debug')
})
