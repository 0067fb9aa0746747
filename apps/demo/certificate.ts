/** A key with a certificate that it signed itself, for what speaks with certificates in development and tests. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** An element of DER: kind, length, content. */
function der(kind: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([kind, ...size]), content])
}
const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const utcTime = (at: Date) => der(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`))
const SHA256_RSA = sequence(Buffer.from('06092a864886f70d01010b0500', 'hex'))

/** Makes one: X.509, ten years. */
export function selfSigned(name: string): { key: string; certificate: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const commonName = sequence(der(0x31, sequence(Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from(name)))))
  const now = Date.now()
  const body = sequence(
    der(0xa0, Buffer.from('020102', 'hex')),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    SHA256_RSA,
    commonName,
    sequence(utcTime(new Date(now - 86_400_000)), utcTime(new Date(now + 3650 * 86_400_000))),
    commonName,
    publicKey.export({ format: 'der', type: 'spki' }),
  )
  const signature = sign('sha256', body, privateKey)
  const whole = sequence(body, SHA256_RSA, der(0x03, Buffer.from([0]), signature))
  const lines = whole.toString('base64').match(/.{1,64}/g)!
  return {
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}
