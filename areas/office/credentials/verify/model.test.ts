import { describe, expect, test } from 'vitest'
import { changed, codesOf, plainCredential, plainPresentation, V1, V2 } from './testing.server.ts'

const URL_SRI = 'sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC'
const T = { T: 'https://example.org/#T' }
const own = (more: object) => ({ ...plainCredential(), '@context': [V2, T], ...more })

/** What is changed, and the reason; null: it is accepted. */
const CREDENTIALS: [string, object, string | null][] = [
  ['as it is', {}, null],
  ['no context', { '@context': undefined }, 'vc_missing'],
  ['a context that is no set', { '@context': V2 }, 'vc_wrong_value'],
  ['another context first', { '@context': ['https://www.w3.org/ns/credentials/examples/v2', V2] }, 'vc_context_first'],
  ['the older context, unsigned', { '@context': [V1], issuanceDate: '2020-01-01T00:00:00Z' }, 'vc_context_first'],
  ['a context that is no address', { '@context': [V2, 'no address'] }, 'vc_not_url'],
  ['a context that is a number', { '@context': [V2, 4] }, 'vc_wrong_value'],
  ['a context that nobody knows', { '@context': [V2, 'https://example.org/context'] }, 'vc_context_unknown'],
  ['a context written out', { '@context': [V2, T], type: ['VerifiableCredential', 'T'] }, null],
  [
    'a protected term defined anew',
    { '@context': [V2, { VerifiableCredential: 'https://example.org/#V' }] },
    'vc_term_redefined',
  ],
  ['no type', { type: undefined }, 'vc_missing'],
  ['an empty type', { type: [] }, 'vc_wrong_value'],
  ['a type that is a number', { type: ['VerifiableCredential', 3] }, 'vc_wrong_value'],
  ['another type only', { type: ['https://example.org/#T'] }, 'vc_wrong_type'],
  ['one type as a text', { type: 'VerifiableCredential' }, null],
  ['a type by its address', { type: ['https://example.org/#T', 'VerifiableCredential'] }, null],
  ['a type that no context defines', { type: ['VerifiableCredential', 'Nowhere'] }, 'vc_type_unknown'],
  [
    'a type that is mapped to no address',
    { '@context': [V2, { T: 'https ://not-a-url' }], type: ['VerifiableCredential', 'T'] },
    'vc_json_ld',
  ],
  [
    'a type that is an address with a space',
    { type: ['VerifiableCredential', 'https://a example/T'] },
    'vc_type_unknown',
  ],
  [
    'a type that is mapped to a word',
    { '@context': [V2, { T: 'nowhere' }], type: ['VerifiableCredential', 'T'] },
    'vc_json_ld',
  ],
  ['an id', { id: 'urn:uuid:6f2e33e5-7a29-4155-840a-59483ba10164' }, null],
  ['an id that is null', { id: null }, 'vc_not_url'],
  ['an id that is a number', { id: 4 }, 'vc_not_url'],
  ['two ids', { id: ['https://a.example', 'https://b.example'] }, 'vc_not_url'],
  ['an id with a space', { id: 'https://a.example/a b' }, 'vc_not_url'],
  ['an id without scheme', { id: 'a.example' }, 'vc_not_url'],
  ['an id with a broken escape', { id: 'https://a.example/%zz' }, 'vc_not_url'],
  ['an id without host', { id: 'https://' }, 'vc_not_url'],
  ['an empty did', { id: 'did:example:' }, 'vc_not_url'],
  ['a name', { name: 'Degree' }, null],
  ['a name with a language', { name: { '@value': 'Degree', '@language': 'en' } }, null],
  ['a name with a direction', { name: { '@value': 'درجة', '@language': 'ar', '@direction': 'rtl' } }, null],
  [
    'names in languages',
    {
      name: [
        { '@value': 'Degree', '@language': 'en' },
        { '@value': 'Grad', '@language': 'de' },
      ],
    },
    null,
  ],
  ['a name that is a number', { name: 3 }, 'vc_not_language_value'],
  ['a name without value', { name: { '@language': 'en' } }, 'vc_not_language_value'],
  ['a name with more', { name: { '@value': 'Degree', url: 'https://a.example' } }, 'vc_not_language_value'],
  ['a name with a wrong direction', { name: { '@value': 'Degree', '@direction': 'up' } }, 'vc_not_language_value'],
  ['a name in no language', { name: { '@value': 'Degree', '@language': 'e' } }, 'vc_not_language_value'],
  ['no names', { name: [] }, 'vc_not_language_value'],
  ['a description that is no text', { description: { text: 'x' } }, 'vc_not_language_value'],
  ['an issuer with a wrong name', { issuer: { id: 'did:example:a', name: 4 } }, 'vc_not_language_value'],
  ['an issuer with a name', { issuer: { id: 'did:example:a', name: 'A', description: 'B' } }, null],
  ['no issuer yet', { issuer: undefined }, null],
  ['an issuer that is no address', { issuer: 'a university' }, 'vc_not_url'],
  ['an issuer whose id is no address', { issuer: { id: 'a university' } }, 'vc_not_url'],
  ['an issuer that is null', { issuer: null }, 'vc_wrong_value'],
  ['two issuers', { issuer: ['did:example:a', 'did:example:b'] }, 'vc_wrong_value'],
  ['no subject', { credentialSubject: undefined }, 'vc_missing'],
  ['an empty subject', { credentialSubject: {} }, 'vc_not_object'],
  ['no subjects', { credentialSubject: [] }, 'vc_not_object'],
  ['a subject that is a text', { credentialSubject: 'did:example:a' }, 'vc_not_object'],
  ['one of two subjects empty', { credentialSubject: [{ id: 'did:example:a' }, {}] }, 'vc_not_object'],
  ['two subjects', { credentialSubject: [{ id: 'did:example:a' }, { id: 'did:example:b' }] }, null],
  ['a subject with two ids', { credentialSubject: { id: ['did:example:a', 'did:example:b'] } }, 'vc_not_url'],
  ['a claim that no context defines', { credentialSubject: { id: 'did:example:a', shoe: 44 } }, 'vc_term_undefined'],
  ['a beginning', { validFrom: '2024-02-29T24:00:00Z' }, null],
  ['a beginning in a zone', { validFrom: '2024-02-29T10:00:00.5+14:00' }, null],
  ['a beginning without zone', { validFrom: '2024-02-29T10:00:00' }, 'vc_not_date'],
  ['a beginning without time', { validFrom: '2024-02-29' }, 'vc_not_date'],
  ['a day that is none', { validFrom: '2023-02-29T10:00:00Z' }, 'vc_not_date'],
  ['an hour that is none', { validFrom: '2023-02-28T25:00:00Z' }, 'vc_not_date'],
  ['a zone that is none', { validFrom: '2023-02-28T05:00:00+15:00' }, 'vc_not_date'],
  ['small letters in a moment', { validFrom: '2023-02-28t05:00:00z' }, 'vc_not_date'],
  ['a beginning that is a number', { validFrom: 1_700_000_000 }, 'vc_not_date'],
  ['an end that is no moment', { validUntil: 'tomorrow' }, 'vc_not_date'],
  [
    'an end before the beginning',
    { validFrom: '2024-01-01T01:00:00+01:00', validUntil: '2023-12-31T23:59:59Z' },
    'vc_period',
  ],
  ['an end at the beginning', { validFrom: '2024-01-01T01:00:00+01:00', validUntil: '2024-01-01T00:00:00Z' }, null],
  ['a status', own({ credentialStatus: { type: 'T', id: 'https://a.example/s' } }), null],
  ['a status without id', own({ credentialStatus: { type: 'T' } }), null],
  ['a status without type', own({ credentialStatus: { id: 'https://a.example/s' } }), 'vc_missing'],
  ['a status of an undefined type', own({ credentialStatus: { type: 'Nowhere' } }), 'vc_type_unknown'],
  ['a status that is a text', own({ credentialStatus: 'https://a.example/s' }), 'vc_not_object'],
  ['a status with a wrong id', own({ credentialStatus: { type: 'T', id: 'a b' } }), 'vc_not_url'],
  ['no statuses', own({ credentialStatus: [] }), 'vc_not_object'],
  ['a schema', own({ credentialSchema: { type: 'T', id: 'https://a.example/s' } }), null],
  [
    'two schemas',
    own({
      credentialSchema: [
        { type: 'T', id: 'https://a.example/s' },
        { type: 'T', id: 'https://a.example/t' },
      ],
    }),
    null,
  ],
  ['a schema without id', own({ credentialSchema: { type: 'T' } }), 'vc_missing'],
  ['a schema without type', own({ credentialSchema: { id: 'https://a.example/s' } }), 'vc_missing'],
  ['a schema whose id is no address', own({ credentialSchema: { type: 'T', id: 'schema' } }), 'vc_not_url'],
  ['a refresh service without type', own({ refreshService: { id: 'https://a.example/r' } }), 'vc_missing'],
  ['a refresh service', own({ refreshService: { type: 'T', id: 'https://a.example/r' } }), null],
  ['terms of use without type', own({ termsOfUse: [{ type: 'T' }, { id: 'https://a.example/t' }] }), 'vc_missing'],
  ['terms of use', own({ termsOfUse: { type: 'T' } }), null],
  ['evidence without type', own({ evidence: [{ id: 'https://a.example/e' }] }), 'vc_missing'],
  ['evidence', own({ evidence: [{ type: ['T'] }] }), null],
  ['a related resource', { relatedResource: [{ id: 'https://a.example/r', digestSRI: URL_SRI }] }, null],
  ['a related resource without digest', { relatedResource: [{ id: 'https://a.example/r' }] }, 'vc_missing'],
  ['a related resource without id', { relatedResource: [{ digestSRI: URL_SRI }] }, 'vc_missing'],
  [
    'a related resource with a wrong digest',
    { relatedResource: { id: 'https://a.example/r', digestSRI: 'md5-x' } },
    'vc_wrong_value',
  ],
  [
    'a related resource twice',
    {
      relatedResource: [
        { id: 'https://a.example/r', digestSRI: URL_SRI },
        { id: 'https://a.example/r', digestSRI: URL_SRI },
      ],
    },
    'vc_wrong_value',
  ],
  ['a related resource that is an address', { relatedResource: ['https://a.example/r'] }, 'vc_not_object'],
  ['a proof without type', { proof: { proofValue: 'z1' } }, 'vc_missing'],
  ['a proof that is a text', { proof: 'z1' }, 'vc_not_object'],
  [
    'a proof of an unknown kind',
    own({ proof: { type: 'T', verificationMethod: 'did:example:a' } }),
    'vc_proof_unknown',
  ],
  ['a proof made at no moment', own({ proof: { type: 'T', created: 'today' } }), 'vc_not_date'],
]
const without = (document: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(document).filter(([, value]) => value !== undefined))

test.each(CREDENTIALS)('a credential with %s', async (_, change, code) => {
  const codes = await codesOf(without({ ...plainCredential(), ...change }))
  if (code === null) expect(codes).toEqual([])
  else expect(codes).toContain(code)
})

const ENVELOPED = {
  '@context': V2,
  type: 'EnvelopedVerifiableCredential',
  id: `data:application/vc+jwt,${['{"alg":"ES256","kid":"https://a.example#k"}', '{"a":1}', 's'].map((part) => Buffer.from(part).toString('base64url')).join('.')}`,
}
const PRESENTATIONS: [string, string, unknown, string | null][] = [
  ['as it is', 'id', 'https://a.example/p', null],
  ['another type', 'type', ['https://example.org/#T'], 'vc_wrong_type'],
  ['no base context', '@context', [T], 'vc_context_first'],
  ['an id that is none', 'id', 'p', 'vc_not_url'],
  ['a holder that is no address', 'holder', 'z6Mk', 'vc_not_url'],
  ['a holder with an id', 'holder', { id: 'did:example:student' }, null],
  ['a holder without id', 'holder', { name: 'x' }, 'vc_missing'],
  ['a credential of somebody else', 'verifiableCredential/0/issuer', 'did:example:other', 'vc_self_asserted'],
  ['nobody who holds it', 'holder', undefined, 'vc_self_asserted'],
  ['no credential', 'verifiableCredential', undefined, null],
  ['a credential that is an address', 'verifiableCredential', 'https://a.example/c', 'vc_not_object'],
  ['a credential without type', 'verifiableCredential/0/type', undefined, 'vc_missing'],
  ['a credential without issuer', 'verifiableCredential/0/issuer', undefined, 'vc_missing'],
  ['an envelope', 'verifiableCredential', [ENVELOPED], null],
  ['an envelope that holds nothing', 'verifiableCredential', [{ ...ENVELOPED, id: 'https://a.example' }], 'vc_not_url'],
  ['an envelope of a picture', 'verifiableCredential', [{ ...ENVELOPED, id: 'data:image/png,abc' }], 'vc_not_url'],
  ['an envelope without id', 'verifiableCredential', [{ '@context': V2, type: ENVELOPED.type }], 'vc_missing'],
  ['an envelope without context', 'verifiableCredential', [{ type: ENVELOPED.type, id: ENVELOPED.id }], 'vc_missing'],
  ['an envelope without type', 'verifiableCredential', [{ '@context': V2, id: ENVELOPED.id }], 'vc_missing'],
]
test.each(PRESENTATIONS)('a presentation with %s', async (_, path, value, code) => {
  const codes = await codesOf(changed(plainPresentation(), path, value))
  if (code === null) expect(codes).toEqual([])
  else expect(codes).toContain(code)
})

describe('what nobody signed', () => {
  test('is told to be a form only', async () => {
    const { judgeCredential, nowhere } = await import('./verify.server.ts')
    const judged = await judgeCredential({ document: plainCredential() }, { reach: nowhere })
    expect(judged.signed).toBe(false)
    expect(judged.notes.map(({ code }) => code)).toEqual(['vc_note_unsigned'])
  })
})
