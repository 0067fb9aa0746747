/** The key with which the university signs its papers: of the installation, or one that the program makes for itself. */
import {
  createHash,
  createPrivateKey,
  generateKeyPair,
  randomBytes,
  X509Certificate,
  type KeyObject,
} from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { Integer, Utf8String } from 'asn1js'
import forge from 'node-forge'
import { AttributeTypeAndValue, BasicConstraints, Certificate, Extension } from 'pkijs'
import type { Db, Queryable } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { sql } from 'kysely'
import type { Config } from '../../base/config.ts'
import { refuse } from '../../base/errors.ts'
import { readable } from '../../base/fields.ts'
import { sealOf, type Seal } from '../../identity/sealed.ts'
import { ENGINE } from './pades.ts'
import type { SigningKey } from './pades.ts'

/** Under this name the keys that the program makes are sealed. */
export const PAPER_KEYS = 'paper-keys'
const YEARS = 10

export interface PaperKey extends SigningKey {
  readonly id: number
  readonly until: Date
  /** Made by the program: nobody else vouches for it. */
  readonly made: boolean
}
interface Known {
  readonly pool: Queryable
  readonly config: Pick<Config, 'paperKey' | 'secretsKey' | 'secretsKeyBefore' | 'publicUrl'>
}

const fingerprintOf = (certificate: Uint8Array): string => createHash('sha256').update(certificate).digest('hex')

/** As the library signs with it: PKCS #1 1.5 with SHA-256 for RSA, ECDSA by the key's curve. */
async function imported(key: KeyObject): Promise<CryptoKey> {
  const curve = key.asymmetricKeyDetails?.namedCurve
  const curves: Record<string, string> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' }
  if (key.asymmetricKeyType !== 'rsa' && !(curve && curves[curve]))
    throw new Error('The key of papers is neither RSA nor of the curves P-256, P-384 and P-521')
  return globalThis.crypto.subtle.importKey(
    'pkcs8',
    new Uint8Array(key.export({ type: 'pkcs8', format: 'der' })),
    key.asymmetricKeyType === 'rsa'
      ? { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
      : { name: 'ECDSA', namedCurve: curves[curve!]! },
    false,
    ['sign'],
  )
}

/** A key with its certificates, the own one first. */
export interface ReadKey {
  readonly key: KeyObject
  readonly certificates: readonly X509Certificate[]
}

/**
 * Reads a key from PKCS #12 (`.p12`, `.pfx`), or from PEM with its certificates in a file beside.
 *
 * @throws {Error} when there is no key, no certificate, a wrong password, or the two do not belong together
 */
export function readKey(content: Buffer, password: string | null, certificates: string | null): ReadKey {
  const asText = content.toString('latin1')
  if (asText.includes('-----BEGIN'))
    return matched(
      createPrivateKey({ key: content, ...(password !== null && { passphrase: password }) }),
      pemsIn(`${certificates ?? ''}\n${asText}`),
    )
  const store = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(asText), false, password ?? '')
  const bags = (type: string) => store.getBags({ bagType: type })[type] ?? []
  const [bag] = [...bags(forge.pki.oids.pkcs8ShroudedKeyBag!), ...bags(forge.pki.oids.keyBag!)]
  if (!bag?.key) throw new Error('The file holds no RSA key')
  return matched(
    createPrivateKey(forge.pki.privateKeyToPem(bag.key)),
    bags(forge.pki.oids.certBag!).flatMap(({ cert }) => (cert ? pemsIn(forge.pki.certificateToPem(cert)) : [])),
  )
}
const pemsIn = (text: string): X509Certificate[] =>
  (text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (one) => new X509Certificate(one),
  )
/** The own certificate first, each followed by the one that issued it. */
function matched(key: KeyObject, certificates: readonly X509Certificate[]): ReadKey {
  const own = certificates.find((one) => one.checkPrivateKey(key))
  if (!own) throw new Error('No certificate of the file belongs to the key')
  const chain = [own]
  for (;;) {
    const last = chain.at(-1)!
    const next = certificates.find((one) => !chain.includes(one) && last.checkIssued(one))
    if (!next) return { key, certificates: chain }
    chain.push(next)
  }
}

/** A certificate that vouches for itself, for a university that has none. */
async function makeKey(host: string): Promise<ReadKey> {
  const pair = await promisify(generateKeyPair)('rsa', { modulusLength: 3072 })
  const certificate = new Certificate()
  certificate.version = 2
  certificate.serialNumber = new Integer({ valueHex: new Uint8Array([1, ...randomBytes(15)]).buffer })
  const name = (type: string, value: string) => new AttributeTypeAndValue({ type, value: new Utf8String({ value }) })
  for (const place of [certificate.issuer, certificate.subject])
    place.typesAndValues.push(name('2.5.4.3', `Papers of ${host} (self-made key)`))
  const now = Date.now()
  certificate.notBefore.value = new Date(now - 3_600_000)
  certificate.notAfter.value = new Date(now + YEARS * 365.25 * 86_400_000)
  certificate.extensions = [
    new Extension({
      extnID: '2.5.29.19',
      critical: true,
      extnValue: new BasicConstraints({ cA: false }).toSchema().toBER(false),
    }),
    // Digital signature and content commitment (RFC 5280, 4.2.1.3): two bits, six unused.
    new Extension({ extnID: '2.5.29.15', critical: true, extnValue: new Uint8Array([3, 2, 6, 0xc0]).buffer }),
  ]
  const { subtle } = globalThis.crypto
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const spki = new Uint8Array(pair.publicKey.export({ type: 'spki', format: 'der' }))
  await certificate.subjectPublicKeyInfo.importKey(
    await subtle.importKey('spki', spki, algorithm, true, ['verify']),
    ENGINE,
  )
  await certificate.sign(await imported(pair.privateKey), 'SHA-256', ENGINE)
  return {
    key: pair.privateKey,
    certificates: [new X509Certificate(Buffer.from(certificate.toSchema(true).toBER(false)))],
  }
}

interface Row {
  id: number
  certificates: Buffer[]
  valid_until: Date | string
  private_key: Buffer | null
}
const COLUMNS = 'id, certificates, valid_until, private_key'

/** Keeps a key, or finds it where it is kept already. */
async function kept(pool: Queryable, { certificates }: ReadKey, sealed: Buffer | null): Promise<Row | undefined> {
  const [own] = certificates
  const { rows } = await pool.query<Row>(
    `insert into paper_keys (fingerprint, certificates, valid_from, valid_until, private_key) values ($1, $2, $3, $4, $5)
     on conflict do nothing returning ${COLUMNS}`,
    [fingerprintOf(own!.raw), certificates.map((one) => one.raw), own!.validFromDate, own!.validToDate, sealed],
  )
  return rows[0]
}

async function fromFile({ pool, config }: Known): Promise<PaperKey> {
  const { file, password, certificates } = config.paperKey!
  const read = readKey(
    await readFile(file),
    password,
    certificates === null ? null : await readFile(certificates, 'utf8'),
  )
  const fingerprint = fingerprintOf(read.certificates[0]!.raw)
  const row =
    (await kept(pool, read, null)) ??
    firstRow((await pool.query<Row>(`select ${COLUMNS} from paper_keys where fingerprint = $1`, [fingerprint])).rows)
  return opened(row, read, false)
}

const opened = async (row: Row, { key, certificates }: ReadKey, made: boolean): Promise<PaperKey> => ({
  id: row.id,
  until: new Date(row.valid_until),
  certificates: certificates.map((one) => new Uint8Array(one.raw)),
  key: await imported(key),
  made,
})

async function fromDatabase({ pool, config }: Known): Promise<PaperKey> {
  const seal = await sealOf({ pool, config: config as Config }, PAPER_KEYS)
  const standing = async () =>
    (await pool.query<Row>(`select ${COLUMNS} from paper_keys where private_key is not null and retired_at is null`))
      .rows[0]
  const open = (row: Row) => {
    const certificates = row.certificates.map((one) => new X509Certificate(one))
    const der = seal.open(row.private_key!, fingerprintOf(row.certificates[0]!))
    return opened(row, { key: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }), certificates }, true)
  }
  const before = await standing()
  if (before && new Date(before.valid_until).getTime() > Date.now()) return open(before)
  if (before)
    await pool.query(`update paper_keys set retired_at = now() where id = $1 and retired_at is null`, [before.id])
  const read = await makeKey(new URL(config.publicUrl).hostname)
  const about = fingerprintOf(read.certificates[0]!.raw)
  const sealed = seal.seal(read.key.export({ type: 'pkcs8', format: 'der' }), about)
  // Another process may have made one meanwhile: then it is that one.
  return open((await kept(pool, read, sealed)) ?? (await standing())!)
}

const known = new WeakMap<Queryable, Promise<PaperKey>>()
/**
 * The key of this installation, read once by the process.
 *
 * @throws {Refusal} 409 `paper_key_expired` when its certificate has ended: nobody would believe what it signs
 */
export async function paperKeyOf(services: Known): Promise<PaperKey> {
  const reading = known.get(services.pool) ?? (services.config.paperKey ? fromFile(services) : fromDatabase(services))
  known.set(services.pool, reading)
  reading.catch(() => known.delete(services.pool))
  const key = await reading
  if (key.until.getTime() > Date.now()) return key
  known.delete(services.pool)
  if (key.made) return paperKeyOf(services)
  throw refuse(409, 'paper_key_expired', { until: readable(key.until.toISOString()) })
}

/** Seals keys anew that were sealed with the key of the installation before. @returns how many */
export async function resealPaperKeys(db: Db, seal: Seal): Promise<number> {
  const { rows } = await sql<{ id: number; fingerprint: string; private_key: Buffer }>`
    select id, fingerprint, private_key from paper_keys where private_key is not null`.execute(db)
  let count = 0
  for (const { id, fingerprint, private_key } of rows) {
    if (!seal.isOfBefore(private_key, fingerprint)) continue
    await sql`update paper_keys set private_key = ${seal.seal(seal.open(private_key, fingerprint), fingerprint)}
      where id = ${id} and private_key = ${private_key}`.execute(db)
    count++
  }
  return count
}
