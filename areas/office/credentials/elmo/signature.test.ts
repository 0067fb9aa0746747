import { createPrivateKey } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SignedXml } from 'xml-crypto'
import { selfSigned } from '#demo/certificate.ts'
import { testKey } from '../verify/testing.server.ts'
import { ELMO_NAMESPACE, elmoOf } from './elmo.rules.ts'
import { judgeElmo, signedElmo } from './signature.server.ts'

const elmo = (identifier = 'did:web:u.example', url = 'https://u.example') =>
  `<elmo xmlns="${ELMO_NAMESPACE}"><report><issuer><identifier type="did">${identifier}</identifier><title>U</title><url>${url}</url></issuer></report></elmo>`
const own = testKey(31)
const key = { key: own.key, method: `did:web:u.example#${own.multibase}` }
const document = (did = 'did:web:u.example') => ({
  verificationMethod: [{ id: `${did}#${own.multibase}`, publicKeyMultibase: own.multibase }],
  assertionMethod: [`${did}#${own.multibase}`],
})
const judged = (xml: string, found: unknown = document()) => judgeElmo(xml, { reach: async () => found })
const codesOfElmo = async (xml: string, found?: unknown) => (await judged(xml, found)).reasons.map(({ code }) => code)

/** As the programs of other universities sign: RSA, with the certificate inside. */
function byCertificate(xml: string, { reference = '/*', uri = '', digest = 'sha256' } = {}) {
  const { key: secret, certificate } = selfSigned('registrar')
  const signature = new SignedXml({
    privateKey: createPrivateKey(secret).export({ type: 'pkcs8', format: 'pem' }),
    publicCert: certificate,
    signatureAlgorithm: `http://www.w3.org/2001/04/xmldsig-more#rsa-${digest}`,
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  })
  signature.addReference({
    xpath: reference,
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
    uri,
    isEmptyUri: uri === '',
  })
  signature.computeSignature(xml, { location: { reference: '/*', action: 'append' } })
  return signature.getSignedXml()
}

test('a signature has to be by a key of whoever the document says it is from', async () => {
  expect(await codesOfElmo(signedElmo(elmo(), key))).toEqual([])
  // An identifier or the host of its address.
  expect(await codesOfElmo(signedElmo(elmo('did:web:other.example'), key))).toEqual([])
  expect(await codesOfElmo(signedElmo(elmo('did:web:u.example', 'https://other.example'), key))).toEqual([])
  expect(await codesOfElmo(signedElmo(elmo('did:web:other.example', 'https://other.example'), key))).toEqual([
    'vc_key_not_issuer',
  ])
  expect(await codesOfElmo(signedElmo(elmo(), key), null)).toEqual(['vc_key_unreachable'])
  expect(await codesOfElmo(signedElmo(elmo(), key), { verificationMethod: [] })).toEqual(['vc_key_unreachable'])
  const two = elmo().replace(
    '</report>',
    '</report><report><issuer><identifier type="x">did:web:u.example</identifier></issuer></report>',
  )
  expect(await codesOfElmo(signedElmo(two, key))).toEqual(['vc_key_not_issuer'])
})

test('what is signed is canonical as it stands, whatever names hold', async () => {
  const odd = fc.string({
    unit: fc.constantFrom('"', "'", '<', '>', '&', ' ', '\t', '\r', '\n', '\u0001', '\u00a0', ']]>', 'ش', '𝒜', 'x'),
  })
  const course = fc.record({
    code: fc.option(odd),
    name: fc.option(odd),
    name_local: fc.option(odd),
    hours: fc.integer({ min: 0, max: 9 }),
    letter: fc.option(odd),
    passed: fc.option(fc.boolean()),
  })
  await fc.assert(
    fc.asyncProperty(odd, fc.array(course, { maxLength: 3 }), async (name, courses) => {
      const xml = elmoOf(
        {
          kind: 'transcript',
          lang: 'en',
          serial: name,
          code: 'X',
          title: { name, name_local: name },
          holder: { name, name_local: name },
          facts: [{ label: 'Program', label_local: name, value: name, value_local: name }],
          disclosure: 'everything',
          issued_at: '2026-01-01T00:00:00Z',
          courses,
          terms: {},
        },
        {
          issuer: { id: 'did:web:u.example', name, name_local: name },
          address: 'https://u.example',
          made: '2026-01-01T00:00:00Z',
        },
      )
      expect(await codesOfElmo(signedElmo(xml, key))).toEqual([])
    }),
    { numRuns: 60 },
  )
})

test('a certificate inside verifies, and it is said whose it is', async () => {
  const { reasons, notes, signed } = await judged(byCertificate(elmo()))
  expect([reasons, signed === null]).toEqual([[], false])
  expect(notes).toEqual([{ code: 'vc_note_certificate', data: { subject: 'CN=registrar' } }])
  expect(await codesOfElmo(byCertificate(elmo()).replace('<title>U', '<title>V'))).toEqual(['vc_signature'])
})

test('a signature over a part is none of the whole', async () => {
  const part = elmo().replace('<report>', '<report Id="part">')
  expect(await codesOfElmo(byCertificate(part, { reference: "//*[local-name(.)='report']", uri: '#part' }))).toEqual([
    'vc_token',
  ])
  const signature = /<Signature[\s\S]*<\/Signature>/.exec(signedElmo(elmo(), key))![0]
  expect(
    await codesOfElmo(
      elmo().replace('</elmo>', `${signature.replace(/rsa-sha256|eddsa-ed25519/, 'hmac-sha256')}</elmo>`),
    ),
  ).toEqual(['vc_algorithm'])
  const whole = signedElmo(elmo(), key)
  expect(await codesOfElmo(whole.replace('</elmo>', `${signature}</elmo>`))).toEqual(['vc_token'])
  expect(await codesOfElmo(whole.replace(signature, `<extension>${signature}</extension>`))).toEqual(['vc_token'])
  expect(await codesOfElmo('<elmo/>')).toEqual(['vc_unreadable'])
  expect(await codesOfElmo(elmo())).toEqual(['vc_unsigned'])
  expect(await codesOfElmo(signedElmo(elmo(), { ...key, method: 'nobody' }))).toEqual(['vc_key_scheme'])
})
