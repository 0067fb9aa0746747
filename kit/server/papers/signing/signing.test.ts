import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createPrivateKey } from 'node:crypto'
import { tmpdir } from 'node:os'
import path from 'node:path'
import forge from 'node-forge'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#db/testing.ts'
import { hallList } from '#kit/server/documents/example.ts'
import { sealOf } from '#kit/server/identity/sealed.ts'
import { checkFile, judgeFile, type CheckedFile } from '#kit/contract/paper-file.ts'
import { exampleCertificate, testConfig } from './testing.ts'
import { PAPER_KEYS, paperKeyOf, readKey, resealPaperKeys } from './key.ts'
import { signPdf } from './pades.ts'

let database: TestDatabase
const folder = mkdtempSync(path.join(tmpdir(), 'paper-keys-'))
beforeAll(async () => {
  database = await createTestDatabase()
}, 60_000)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await database.drop()
})

const address = 'https://university.example/qr_code/ABCDEFGHJKMNPQRSTVWX'
const signing = { at: new Date('2026-03-01T10:00:00Z'), reason: 'شهادة قيد EC-1', contact: address }
const page = () => hallList([{ code: '1', name_local: 'منى' }])
const services = (paperKey: Parameters<typeof testConfig>[0] = null) => ({
  pool: database.pool,
  config: testConfig(paperKey),
})
const hasPdfsig = (() => {
  try {
    execFileSync('pdfsig', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()
const pdfsig = (pdf: Uint8Array): string => {
  const file = path.join(folder, 'signed.pdf')
  writeFileSync(file, pdf)
  return execFileSync('pdfsig', [file], { encoding: 'utf8' })
}

test('what was there stays byte for byte, and the signature covers the whole file', async () => {
  const key = await paperKeyOf(services())
  const plain = await page()
  const signed = await signPdf(plain, key, signing)
  expect(Buffer.from(signed.subarray(0, plain.length)).equals(Buffer.from(plain))).toBe(true)
  expect(await checkFile('paper.pdf', new Uint8Array(signed))).toEqual({
    name: 'paper.pdf',
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    code: 'ABCDEFGHJKMNPQRSTVWX',
    signature: { fingerprint: (await database.pool.query('select fingerprint from paper_keys')).rows[0].fingerprint },
  })
  expect((await checkFile('paper.pdf', new Uint8Array(plain))).signature).toBe('none')
})

test('a process in which somebody has defined `window` signs all the same', async () => {
  const key = await paperKeyOf(services())
  vi.stubGlobal('window', new EventTarget())
  try {
    expect(
      (await checkFile('paper.pdf', new Uint8Array(await signPdf(await page(), key, signing)))).signature,
    ).not.toBe('none')
  } finally {
    vi.unstubAllGlobals()
  }
})

test('one byte changed anywhere, or anything appended, breaks it', async () => {
  const signed = new Uint8Array(await signPdf(await page(), await paperKeyOf(services()), signing))
  const changed = (at: number) => {
    const copy = new Uint8Array(signed)
    copy[at]! ^= 1
    return copy
  }
  const contents = Buffer.from(signed).indexOf('/Contents <30')
  // In the page, in what the signature says of itself, in the signature, and behind it.
  for (const at of [200, Math.floor(signed.length / 3), contents - 40, contents + 1000, signed.length - 3])
    expect((await checkFile('x', changed(at))).signature, String(at)).not.toMatchObject({ fingerprint: /./ })
  const longer = new Uint8Array([...signed, 10])
  expect((await checkFile('x', longer)).signature).toBe('broken')
})

test.runIf(hasPdfsig)('pdfsig of poppler says valid, and invalid after one byte', async () => {
  const signed = new Uint8Array(await signPdf(await page(), await paperKeyOf(services()), signing))
  const said = pdfsig(signed)
  expect(said).toContain('Signature is Valid')
  expect(said).toContain('ETSI.CAdES.detached')
  expect(said).toContain('Total document signed')
  signed[300]! ^= 1
  expect(pdfsig(signed)).not.toContain('Signature is Valid')
})

test('the program makes one key for all its processes, and another when its certificate has ended', async () => {
  await database.pool.query('delete from paper_keys')
  const pools = Array.from({ length: 4 }, () => Object.create(database.pool))
  const keys = await Promise.all(pools.map((pool) => paperKeyOf({ ...services(), pool })))
  expect(new Set(keys.map(({ id }) => id)).size).toBe(1)
  expect(keys.every(({ made }) => made)).toBe(true)
  await database.pool.query(
    `update paper_keys set valid_from = now() - interval '2 days', valid_until = now() - interval '1 day'`,
  )
  const pool = Object.create(database.pool)
  const next = await paperKeyOf({ ...services(), pool })
  expect(next.id).not.toBe(keys[0]!.id)
  expect((await database.pool.query('select id from paper_keys where retired_at is null')).rows).toEqual([
    { id: next.id },
  ])
})

test('the key of the installation is read from PKCS #12 and from PEM; a certificate that has ended signs nothing', async () => {
  const given = exampleCertificate()
  const p12 = path.join(folder, 'key.p12')
  const bytes = (algorithm: 'aes256' | '3des') =>
    Buffer.from(
      forge.asn1.toDer(forge.pkcs12.toPkcs12Asn1(given.key, [given.certificate], 'geheim', { algorithm })).getBytes(),
      'latin1',
    )
  for (const algorithm of ['aes256', '3des'] as const) {
    writeFileSync(p12, bytes(algorithm))
    const pool = Object.create(database.pool)
    const key = await paperKeyOf({ ...services({ file: p12, password: 'geheim', certificates: null }), pool })
    expect(key.made).toBe(false)
    const signed = await signPdf(await page(), key, signing)
    expect((await checkFile('x', new Uint8Array(signed))).signature).toMatchObject({ fingerprint: given.fingerprint })
  }
  expect(() => readKey(bytes('aes256'), 'wrong', null)).toThrow()
  // PEM, with the certificates in a file beside.
  const pem = Buffer.from(forge.pki.privateKeyToPem(given.key))
  expect(readKey(pem, null, given.pem).certificates[0]!.subject).toContain('Example University')
  expect(() => readKey(pem, null, exampleCertificate().pem)).toThrow(/belongs to the key/)
  expect(() => readKey(pem, null, null)).toThrow(/belongs to the key/)
  const old = exampleCertificate({ ended: true })
  const files = { file: path.join(folder, 'old.key'), certificates: path.join(folder, 'old.pem'), password: null }
  writeFileSync(files.file, forge.pki.privateKeyToPem(old.key))
  writeFileSync(files.certificates, old.pem)
  const pool = Object.create(database.pool)
  await expect(paperKeyOf({ ...services(files), pool })).rejects.toMatchObject({
    status: 409,
    reasons: [{ code: 'paper_key_expired' }],
  })
})

test('a key of elliptic curves signs as well', async () => {
  const files = { file: path.join(folder, 'ec.key'), certificates: path.join(folder, 'ec.pem'), password: null }
  const asked = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=Example -days 30'
  execFileSync('openssl', [...asked.split(' '), '-keyout', files.file, '-out', files.certificates], { stdio: 'ignore' })
  expect(createPrivateKey(readFileSync(files.file)).asymmetricKeyType).toBe('ec')
  const key = await paperKeyOf({ ...services(files), pool: Object.create(database.pool) })
  const signed = new Uint8Array(await signPdf(await page(), key, signing))
  expect((await checkFile('x', signed)).signature).toMatchObject({ fingerprint: expect.any(String) })
})

test('a key that the program made is sealed anew with the key of the installation', async () => {
  await database.pool.query('delete from paper_keys')
  const pool = Object.create(database.pool)
  const { id } = await paperKeyOf({ ...services(), pool })
  const config = { ...testConfig(null), secretsKey: 'n'.repeat(40), secretsKeyBefore: '' }
  const seal = await sealOf({ pool: Object.create(database.pool), config } as never, PAPER_KEYS)
  expect(await resealPaperKeys(database.db, seal)).toBe(1)
  expect(await resealPaperKeys(database.db, seal)).toBe(0)
  expect((await paperKeyOf({ pool: Object.create(database.pool), config })).id).toBe(id)
})

test('a file is judged by its hash, by who signed it, and by which paper it is', () => {
  const code = 'ABCDEFGHJKMNPQRSTVWX'
  const paper = { code, sha256: 'a', signature: { fingerprint: 'ours' } }
  const file: CheckedFile = { name: 'x.pdf', sha256: 'a', code, signature: { fingerprint: 'ours' } }
  expect(judgeFile(file, paper)).toBe('as_issued')
  expect(judgeFile({ ...file, signature: { fingerprint: 'theirs' } }, paper)).toBe('changed')
  expect(judgeFile({ ...file, signature: 'broken' }, paper)).toBe('changed')
  expect(judgeFile({ ...file, sha256: 'b' }, paper)).toBe('changed')
  expect(judgeFile({ ...file, sha256: 'b', code: 'ZBCDEFGHJKMNPQRSTVWX' }, paper)).toBe('another')
  // Issued before papers were signed.
  expect(judgeFile({ ...file, signature: 'none' }, { ...paper, signature: null })).toBe('unsigned')
})
