import { expect, test } from 'vitest'
import { checkBadge, isBadge } from './badge.rules.ts'
import type { JsonObject } from './values.rules.ts'

const achievement = {
  id: 'urn:x:1',
  type: 'Achievement',
  name: 'Course',
  description: 'A course',
  criteria: { narrative: 'Passed' },
}
const subject = { id: 'did:example:1', type: 'AchievementSubject', achievement }
const badge = {
  '@context': ['https://www.w3.org/ns/credentials/v2', 'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json'],
  id: 'urn:x:2',
  type: ['VerifiableCredential', 'OpenBadgeCredential'],
  name: 'A badge',
  issuer: { id: 'https://example.org', type: 'Profile' },
  validFrom: '2024-01-01T00:00:00Z',
  credentialSubject: subject,
}
const of = (more: JsonObject) => checkBadge({ ...badge, ...more }).map(({ code, data }) => [code, data.at])
const ofSubject = (more: JsonObject) => of({ credentialSubject: { ...subject, ...more } })
const ofAchievement = (more: JsonObject) => ofSubject({ achievement: { ...achievement, ...more } })
const ofIssuer = (more: JsonObject) => of({ issuer: { ...badge.issuer, ...more } })

test.each([
  ['OpenBadgeCredential', true],
  ['AchievementCredential', true],
  ['EndorsementCredential', true],
  ['VerifiableCredential', false],
])('%s is a badge: %s', (type, is) => {
  expect(isBadge({ type: ['Other', type] })).toBe(is)
})

test('a badge with what it needs has no reason', () => {
  expect(of({})).toEqual([])
})
test.each(['id', 'name', 'issuer', 'validFrom'])('a badge needs %s', (name) => {
  expect(of({ [name]: undefined })).toEqual([['vc_missing', name]])
})
test.each([
  ['https://purl.imsglobal.org/spec/ob/v3p0/context.json', true],
  ['https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.1.json', true],
  ['https://purl.imsglobal.org/spec/ob/v3p0/context-3.10.1.json', false],
  ['https://purl.imsglobal.org/spec/ob/v2p0/context.json', false],
])('the context %s is one of badges: %s', (context, is) => {
  expect(of({ '@context': ['https://www.w3.org/ns/credentials/v2', context] })).toEqual(
    is ? [] : [['vc_wrong_value', '@context']],
  )
})

const A = 'credentialSubject.achievement'
test.each<[string, (string | undefined)[][], (string | undefined)[][]]>([
  ['the issuer by its address', of({ issuer: 'https://example.org' }), []],
  ['the issuer by no address', of({ issuer: 'nobody' }), [['vc_not_url', 'issuer']]],
  ['an issuer that is a number', of({ issuer: 1 }), [['vc_not_object', 'issuer']]],
  ['an issuer of no type', ofIssuer({ type: undefined }), [['vc_wrong_type', 'issuer']]],
  ['an issuer without id', ofIssuer({ id: undefined }), [['vc_missing', 'issuer.id']]],
  ['several issuers', of({ issuer: [badge.issuer] }), [['vc_wrong_value', 'issuer']]],
  ['an issuer without a name in words', ofIssuer({ name: 1 }), [['vc_wrong_value', 'issuer.name']]],
  ['an e-mail', ofIssuer({ email: 'a@b' }), []],
  ['no e-mail', ofIssuer({ email: 'a b@c' }), [['vc_wrong_value', 'issuer.email']]],
  ['a day of birth', ofIssuer({ dateOfBirth: '2000-02-29' }), []],
  ['no day of birth', ofIssuer({ dateOfBirth: '2001-02-29' }), [['vc_wrong_value', 'issuer.dateOfBirth']]],
  ['a country', ofIssuer({ address: { type: 'Address', addressCountryCode: 'EG' } }), []],
  [
    'no country',
    ofIssuer({ address: { type: 'Address', addressCountryCode: 'eg' } }),
    [['vc_wrong_value', 'issuer.address.addressCountryCode']],
  ],
  [
    'a place on the earth without its length',
    ofIssuer({ address: { type: 'Address', geo: { type: 'GeoCoordinates', latitude: 30 } } }),
    [['vc_missing', 'issuer.address.geo.longitude']],
  ],
  ['a date of award', of({ awardedDate: '2024-01-01T00:00:00Z' }), []],
  ['no date of award', of({ awardedDate: '2024-01-01' }), [['vc_not_date', 'awardedDate']]],
  ['an image without id', of({ image: { type: 'Image' } }), [['vc_missing', 'image.id']]],
  ['evidence of no type', of({ evidence: [{ type: 'Evidence' }, {}] }), [['vc_wrong_type', 'evidence[1]']]],
  ['a token', of({ endorsementJwt: 'a.b.c' }), []],
  ['a token without what is said', of({ endorsementJwt: ['a..c'] }), []],
  ['no token', of({ endorsementJwt: ['a.b.c', 'a.b'] }), [['vc_wrong_value', 'endorsementJwt[1]']]],
  ['several subjects', of({ credentialSubject: [subject, subject] }), []],
  ['a subject that nobody can tell', ofSubject({ id: undefined }), [['vc_missing', 'credentialSubject.id']]],
  [
    'a subject told by an identifier',
    ofSubject({
      id: undefined,
      identifier: [{ type: 'IdentityObject', hashed: false, identityHash: '1', identityType: 'sourcedId' }],
    }),
    [],
  ],
  [
    'a subject with an empty list of them',
    ofSubject({ id: undefined, identifier: [] }),
    [['vc_missing', 'credentialSubject.id']],
  ],
  [
    'an identifier that is neither hidden nor not',
    ofSubject({ identifier: { type: 'IdentityObject', hashed: 'no', identityHash: '1', identityType: 'sourcedId' } }),
    [['vc_wrong_value', 'credentialSubject.identifier.hashed']],
  ],
  ['credits in a number', ofSubject({ creditsEarned: 3 }), []],
  ['credits in words', ofSubject({ creditsEarned: '3' }), [['vc_wrong_value', 'credentialSubject.creditsEarned']]],
  ['a subject of another type', ofSubject({ type: 'Other' }), [['vc_wrong_type', 'credentialSubject']]],
  ['nothing achieved', ofSubject({ achievement: undefined }), [['vc_missing', A]]],
  ['criteria of no type', ofAchievement({ criteria: {} }), []],
  ['no criteria', ofAchievement({ criteria: undefined }), [['vc_missing', `${A}.criteria`]]],
  ['a kind that is known', ofAchievement({ achievementType: 'Degree' }), []],
  ['a kind of one’s own', ofAchievement({ achievementType: 'ext:Seminar' }), []],
  [
    'a kind of one’s own without a word',
    ofAchievement({ achievementType: 'ext:' }),
    [['vc_wrong_value', `${A}.achievementType`]],
  ],
  [
    'a kind that nobody knows',
    ofAchievement({ achievementType: 'Seminar' }),
    [['vc_wrong_value', `${A}.achievementType`]],
  ],
  ['a kind in a list', ofAchievement({ achievementType: ['Degree'] }), [['vc_wrong_value', `${A}.achievementType`]]],
  ['a language', ofAchievement({ inLanguage: 'ar-EG' }), []],
  ['no language', ofAchievement({ inLanguage: 'AR' }), [['vc_wrong_value', `${A}.inLanguage`]]],
  ['words by which it is found', ofAchievement({ tag: ['a', 'b'] }), []],
  ['a word that is a number', ofAchievement({ tag: ['a', 1] }), [['vc_wrong_value', `${A}.tag[1]`]]],
])('%s', (_, found, reasons) => {
  expect(found).toEqual(reasons)
})

test('an endorsement says of whom it is, and needs nothing achieved', () => {
  const endorsement = {
    ...badge,
    type: ['VerifiableCredential', 'EndorsementCredential'],
    credentialSubject: { id: 'https://example.org', type: 'EndorsementSubject' },
  }
  expect(checkBadge(endorsement)).toEqual([])
  expect(checkBadge({ ...endorsement, credentialSubject: { type: 'EndorsementSubject' } })).toEqual([
    { code: 'vc_missing', data: { at: 'credentialSubject.id' } },
  ])
  // Inside another it is judged by the same rules, at its place.
  expect(of({ endorsement: [endorsement] })).toEqual([])
  expect(of({ endorsement: [{ ...endorsement, name: undefined }] })).toContainEqual([
    'vc_missing',
    'endorsement[0].name',
  ])
})

test('by the first version of the data model the beginning is called otherwise', () => {
  const first = {
    ...badge,
    '@context': ['https://www.w3.org/2018/credentials/v1', badge['@context'][1]],
    validFrom: undefined,
    issuanceDate: '2024-01-01T00:00:00Z',
  }
  expect(checkBadge(first)).toEqual([])
  expect(checkBadge({ ...first, issuanceDate: undefined })).toEqual([
    { code: 'vc_missing', data: { at: 'issuanceDate' } },
  ])
})
