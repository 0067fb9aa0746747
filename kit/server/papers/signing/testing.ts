/** Keys and settings for the tests of signing. */
import { createHash } from 'node:crypto'
import forge from 'node-forge'
import type { Config } from '../../base/config.ts'

export const testConfig = (
  paperKey: Config['paperKey'],
): Pick<Config, 'paperKey' | 'secretsKey' | 'secretsKeyBefore' | 'publicUrl'> => ({
  paperKey,
  secretsKey: null,
  secretsKeyBefore: null,
  publicUrl: 'https://university.example',
})

/** A key with a certificate of its own, as a university may bring it. */
export function exampleCertificate({ ended = false }: { readonly ended?: boolean } = {}) {
  const { publicKey, privateKey } = forge.pki.rsa.generateKeyPair(2048)
  const certificate = forge.pki.createCertificate()
  const name = [{ name: 'commonName', value: 'Example University' }]
  certificate.publicKey = publicKey
  certificate.serialNumber = '01'
  certificate.setSubject(name)
  certificate.setIssuer(name)
  const day = 86_400_000
  certificate.validity.notBefore = new Date(Date.now() - 30 * day)
  certificate.validity.notAfter = new Date(Date.now() + (ended ? -1 : 30) * day)
  certificate.sign(privateKey, forge.md.sha256.create())
  const der = Buffer.from(forge.asn1.toDer(forge.pki.certificateToAsn1(certificate)).getBytes(), 'latin1')
  return {
    key: privateKey,
    certificate,
    pem: forge.pki.certificateToPem(certificate),
    fingerprint: createHash('sha256').update(der).digest('hex'),
  }
}
