import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { signed } from '../issue/sign.server.ts'
import { changed, codesOf, OB, plainBadge, plainCredential, signedBadge, testKey, V2 } from './testing.server.ts'
import { judgeCredential, nowhere } from './verify.server.ts'
import { filledAsTheSuite, SUITE_ISSUER } from './suite.rules.ts'

const notesOf = async (document: object) => {
  const { reasons, notes } = await judgeCredential({ document: { ...document } }, { reach: nowhere })
  return [reasons.map(({ code }) => code), notes.map(({ code }) => code)]
}

test('what could not be looked at is said, and makes nothing wrong', async () => {
  const badge = await signedBadge()
  expect(await notesOf(badge)).toEqual([[], ['vc_note_issuer_document']])
  expect(await notesOf({ ...badge, proof: [badge.proof, { type: 'Unheard' }] })).toEqual([
    [],
    ['vc_note_issuer_document', 'vc_note_proof'],
  ])
  const key = testKey(3)
  const method = `did:key:${key.multibase}`
  const nobody = changed(plainBadge(), 'issuer/id', 'urn:uuid:6f2e33e5-7a29-4155-840a-59483ba10164')
  expect(await notesOf(await signedBadge(nobody, { key, method }))).toEqual([[], ['vc_note_issuer_nobody']])
  const own = { ...changed(plainBadge(), 'issuer/id', method) }
  const schema = { id: 'https://a.example/schema', type: 'JsonSchema' }
  expect(await notesOf(await signedBadge({ ...own, credentialSchema: schema }, { key, method }))).toEqual([
    [],
    ['vc_note_schema'],
  ])
  const endorsement = {
    '@context': [V2, OB],
    id: 'urn:x:1',
    type: ['VerifiableCredential', 'EndorsementCredential'],
    name: 'Good',
    issuer: { id: 'did:example:e', type: ['Profile'] },
    validFrom: '2024-01-01T00:00:00Z',
    credentialSubject: { id: 'did:example:u', type: ['EndorsementSubject'], endorsementComment: 'In good standing' },
  }
  expect(await notesOf(await signedBadge({ ...own, endorsement: [endorsement] }, { key, method }))).toEqual([
    [],
    ['vc_note_endorsement'],
  ])
  const token = ['{"alg":"ES256","kid":"https://a.example#k"}', '{"a":1}', 's']
  const envelope = {
    '@context': V2,
    type: 'EnvelopedVerifiableCredential',
    id: `data:application/vc+jwt,${token.map((part) => Buffer.from(part).toString('base64url')).join('.')}`,
  }
  expect(await notesOf(envelope)).toEqual([[], ['vc_note_envelope']])
})

test('a context that cannot be processed is told, and a credential that was suspended', async () => {
  expect(await codesOf({ ...plainCredential(), '@context': [V2, { '@version': 3 }] })).toEqual(['vc_json_ld'])
  const bits = Buffer.alloc(16_384)
  bits[0] = 0x80
  const key = testKey(4)
  const did = `did:key:${key.multibase}`
  const list = await signed(
    {
      '@context': [V2],
      id: 'https://a.example/l',
      type: ['VerifiableCredential', 'BitstringStatusListCredential'],
      issuer: did,
      credentialSubject: {
        id: 'https://a.example/l#list',
        type: 'BitstringStatusList',
        statusPurpose: 'suspension',
        encodedList: `u${gzipSync(bits).toString('base64url')}`,
      },
    },
    { key: key.key, method: did, created: new Date(0) },
  )
  const status = (statusListIndex: unknown, statusPurpose = 'suspension') => ({
    type: 'BitstringStatusListEntry',
    statusPurpose,
    statusListIndex,
    statusListCredential: 'https://a.example/l',
  })
  const by = async (credentialStatus: object) =>
    codesOf(await signedBadge({ ...plainBadge(), credentialStatus }), {
      reach: async (url: string) => (url === 'https://a.example/l' ? list : null),
    })
  expect(await by(status('0'))).toEqual(['vc_suspended'])
  expect(await by(status('1'))).toEqual([])
  // A list for something else, a place that is none, one beyond the list.
  expect(await by(status('1', 'revocation'))).toEqual(['vc_status_unreachable'])
  expect(await by(status('1', 'message'))).toEqual(['vc_status_unknown'])
  expect(await by(status('-1'))).toEqual(['vc_wrong_value'])
  expect(await by(status('131072'))).toEqual(['vc_status_unreachable'])
  expect(await by({ ...status('1'), statusListCredential: undefined, type: ['BitstringStatusListEntry'] })).toEqual([
    'vc_missing',
  ])
})

test('templates of the W3C suite are filled as its runner fills them, and only what nobody signed', async () => {
  const at = Date.now()
  const template = { ...plainCredential(), validFrom: 'PAST DATE', validUntil: 'FUTURE DATE' }
  expect(await codesOf(template)).toContain('vc_not_date')
  expect(await codesOf(filledAsTheSuite(template, at))).toEqual([])
  expect(
    await codesOf(filledAsTheSuite({ ...template, validFrom: 'FUTURE DATE', validUntil: 'PAST DATE' }, at)),
  ).toEqual(['vc_period'])
  expect(filledAsTheSuite({ ...template, proof: {} }, at).validFrom).toBe('PAST DATE')
  const presentation = {
    '@context': [V2],
    type: 'VerifiablePresentation',
    holder: 'did:example:holder',
    verifiableCredential: [{ ...plainCredential(), issuer: SUITE_ISSUER }],
  }
  expect(await codesOf(presentation)).toEqual(['vc_self_asserted'])
  expect(await codesOf(presentation, { placeholder: SUITE_ISSUER })).toEqual([])
})
