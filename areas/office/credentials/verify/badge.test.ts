import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { signed } from '../issue/sign.server.ts'
import { changed, codesOf, OB, plainBadge, plainCredential, signedBadge, testKey, V1, V2 } from './testing.server.ts'
import { judgeFile, nowhere } from './verify.server.ts'

const A = 'credentialSubject/achievement'
const RESULT = { id: 'urn:x:1', type: ['ResultDescription'], name: 'Grade', resultType: 'LetterGrade' }
/** What is changed before it is signed, and the reason; null: it is accepted. */
const BADGES: [string, string, unknown, string | null][] = [
  ['nothing else', 'description', 'A badge', null],
  ['no id', 'id', undefined, 'vc_missing'],
  ['no name', 'name', undefined, 'vc_missing'],
  ['no beginning', 'validFrom', undefined, 'vc_missing'],
  ['a beginning to come', 'validFrom', '2999-01-01T00:00:00Z', 'vc_not_yet'],
  ['an end that has passed', 'validUntil', '2024-01-02T00:00:00Z', 'vc_expired'],
  ['an end to come', 'validUntil', '2999-01-02T00:00:00Z', null],
  ['an issuer of another type', 'issuer/type', ['https://example.org/#Other'], 'vc_wrong_type'],
  ['an issuer without type', 'issuer/type', undefined, 'vc_wrong_type'],
  ['an issuer with a wrong e-mail', 'issuer/email', 'nobody', 'vc_wrong_value'],
  ['an issuer with a wrong address', 'issuer/url', 'nobody', 'vc_not_url'],
  [
    'an issuer with identifiers',
    'issuer/otherIdentifier',
    [{ type: 'IdentifierEntry', identifier: '1', identifierType: 'sourcedId' }],
    null,
  ],
  [
    'an identifier without its kind',
    'issuer/otherIdentifier',
    [{ type: 'IdentifierEntry', identifier: '1' }],
    'vc_missing',
  ],
  [
    'an identifier of an unknown kind',
    'issuer/otherIdentifier',
    [{ type: 'IdentifierEntry', identifier: '1', identifierType: 'shoe' }],
    'vc_wrong_value',
  ],
  [
    'an identifier of a kind of one’s own',
    'issuer/otherIdentifier',
    [{ type: 'IdentifierEntry', identifier: '1', identifierType: 'ext:shoe' }],
    null,
  ],
  [
    'a parent of another type',
    'issuer/parentOrg',
    { id: 'did:example:p', type: ['https://example.org/#P'] },
    'vc_wrong_type',
  ],
  ['a subject of another type', 'credentialSubject/type', ['https://example.org/#S'], 'vc_wrong_type'],
  ['a subject nobody can tell', 'credentialSubject/id', undefined, 'vc_missing'],
  ['no achievement', A, undefined, 'vc_missing'],
  ['an achievement without id', `${A}/id`, undefined, 'vc_missing'],
  ['an achievement without criteria', `${A}/criteria`, undefined, 'vc_missing'],
  ['an achievement without description', `${A}/description`, undefined, 'vc_missing'],
  ['an achievement without name', `${A}/name`, undefined, 'vc_missing'],
  ['an achievement of another type', `${A}/type`, ['https://example.org/#A'], 'vc_wrong_type'],
  ['an achievement of an unknown kind', `${A}/achievementType`, 'Shoe', 'vc_wrong_value'],
  ['an achievement of a known kind', `${A}/achievementType`, 'Degree', null],
  ['an achievement with two names', `${A}/name`, ['A', 'B'], 'vc_wrong_value'],
  ['credits in words', `${A}/creditsAvailable`, 'three', 'vc_wrong_value'],
  ['an alignment without address', `${A}/alignment`, [{ type: ['Alignment'], targetName: 'x' }], 'vc_missing'],
  ['an image without type', `${A}/image`, { id: 'https://a.example/i' }, 'vc_wrong_type'],
  ['a result description', `${A}/resultDescription`, [RESULT], null],
  ['a result description without kind', `${A}/resultDescription`, [{ ...RESULT, resultType: undefined }], 'vc_missing'],
  [
    'a result description of another type',
    `${A}/resultDescription`,
    [{ ...RESULT, type: ['https://example.org/#R'] }],
    'vc_wrong_type',
  ],
  [
    'a rubric level without name',
    `${A}/resultDescription`,
    [{ ...RESULT, rubricCriterionLevel: [{ id: 'urn:x:2', type: ['RubricCriterionLevel'] }] }],
    'vc_missing',
  ],
  ['a result', 'credentialSubject/result', [{ type: ['Result'], value: 'A', resultDescription: 'urn:x:1' }], null],
  [
    'a result with an unknown state',
    'credentialSubject/result',
    [{ type: ['Result'], status: 'Perhaps' }],
    'vc_wrong_value',
  ],
  ['a result whose value is a number', 'credentialSubject/result', [{ type: ['Result'], value: 3 }], 'vc_wrong_value'],
  [
    'a source of another type',
    'credentialSubject/source',
    { id: 'did:example:s', type: ['https://example.org/#P'] },
    'vc_wrong_type',
  ],
  [
    'an identity that says not whether it is hashed',
    'credentialSubject/identifier',
    [{ type: 'IdentityObject', identityHash: 'x', identityType: 'name' }],
    'vc_missing',
  ],
  ['evidence of another type', 'evidence', [{ type: ['https://example.org/#E'] }], 'vc_wrong_type'],
  ['an award at no moment', 'awardedDate', '2024-01-01', 'vc_not_date'],
  ['an endorsement that is no credential', 'endorsement', [{ type: ['EndorsementCredential'] }], 'vc_missing'],
  [
    'a status of an unknown kind',
    'credentialStatus',
    { id: 'urn:x:3', type: 'https://example.org/#S' },
    'vc_status_unknown',
  ],
  [
    'a list nobody can read',
    'credentialStatus',
    { id: 'https://a.example/r', type: '1EdTechRevocationList' },
    'vc_status_unreachable',
  ],
]
const clean = (value: object) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>
test.each(BADGES)('a badge with %s', async (_, path, value, code) => {
  const badge = clean(changed(plainBadge(), path, value))
  badge['@context'] = [V2, OB, 'https://purl.imsglobal.org/spec/ob/v3p0/extensions.json']
  const signature = await signedBadge(badge).catch(() => ({ ...badge, proof: { type: 'DataIntegrityProof' } }))
  const codes = await codesOf(signature)
  if (code === null) expect(codes).toEqual([])
  else expect(codes).toContain(code)
})

const PROOFS: [string, object, string][] = [
  ['for another purpose', { proofPurpose: 'authentication' }, 'vc_proof_purpose'],
  ['that has expired', { expires: '2024-01-02T00:00:00Z' }, 'vc_proof_expired'],
  ['of another moment', { created: '2024-01-01T00:00:01Z' }, 'vc_signature'],
  ['of no scheme', { verificationMethod: 'z6Mk' }, 'vc_key_scheme'],
  ['of an unknown scheme', { verificationMethod: 'xxx:z6Mk' }, 'vc_key_scheme'],
  [
    'of a key that cannot be read',
    { verificationMethod: 'https://university.example/issuer#key-1' },
    'vc_key_unreachable',
  ],
  ['of a did that cannot be read', { verificationMethod: 'did:web:university.example#key-1' }, 'vc_key_unreachable'],
  [
    'of another key',
    { verificationMethod: `https://university.example/issuer#${testKey(8).multibase}` },
    'vc_signature',
  ],
  ['of another suite', { cryptosuite: 'bbs-2023' }, 'vc_proof_unknown'],
  ['of another type', { type: 'https://example.org/#Proof' }, 'vc_proof_unknown'],
  ['without value', { proofValue: undefined }, 'vc_wrong_value'],
  ['whose value is no number', { proofValue: 'z0OIl' }, 'vc_wrong_value'],
]
test.each(PROOFS)('a proof %s', async (_, change, code) => {
  const badge = await signedBadge()
  expect(await codesOf(clean({ ...badge, proof: { ...badge.proof, ...change } }))).toContain(code)
})
test('a badge that nobody signed is refused, one with a further proof of an unknown kind is not', async () => {
  expect(await codesOf(plainBadge())).toEqual(['vc_unsigned'])
  const badge = await signedBadge()
  expect(await codesOf({ ...badge, proof: [{ type: 'Unheard' }, badge.proof] })).toEqual([])
})
test('a key of somebody else does not sign for the issuer', async () => {
  const key = testKey(9)
  const method = `did:key:${key.multibase}#${key.multibase}`
  expect(await codesOf(await signedBadge(plainBadge(), { key, method }))).toEqual(['vc_key_not_issuer'])
  const own = changed(plainBadge(), 'issuer/id', `did:key:${key.multibase}`)
  expect(await codesOf(await signedBadge(own, { key, method }))).toEqual([])
  const nobody = changed(plainBadge(), 'issuer/id', 'urn:uuid:6f2e33e5-7a29-4155-840a-59483ba10164')
  expect(await codesOf(await signedBadge(nobody, { key, method }))).toEqual([])
})
test('a document about keys decides where it can be read', async () => {
  const badge = await signedBadge()
  const id = badge.proof.verificationMethod
  const method = {
    id,
    type: 'Multikey',
    controller: 'https://university.example/issuer',
    publicKeyMultibase: testKey(7).multibase,
  }
  const judgeCredential = (document: object) => codesOf(badge, { reach: async () => document })
  expect(await judgeCredential({ verificationMethod: [method], assertionMethod: [id] })).toEqual([])
  expect(await judgeCredential({ assertionMethod: [method] })).toEqual([])
  expect(await judgeCredential({ verificationMethod: [method] })).toEqual(['vc_key_unreachable'])
  expect(await judgeCredential({ verificationMethod: [], assertionMethod: [id] })).toEqual(['vc_key_unreachable'])
  expect(
    await judgeCredential({
      verificationMethod: [{ ...method, revoked: '2024-01-01T00:00:00Z' }],
      assertionMethod: [id],
    }),
  ).toEqual(['vc_key_unreachable'])
})

test('the older data model names the period differently', async () => {
  const { validFrom: _, ...badge } = plainBadge()
  const old = {
    ...badge,
    '@context': [
      V1,
      'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.1.json',
      'https://w3id.org/security/data-integrity/v2',
    ],
  }
  expect(await codesOf(await signedBadge({ ...old, issuanceDate: '2024-01-01T00:00:00Z' }))).toEqual([])
  expect(await codesOf(await signedBadge(old))).toContain('vc_missing')
  expect(
    await codesOf(
      await signedBadge({ ...old, issuanceDate: '2024-01-01T00:00:00Z', expirationDate: '2024-02-01T00:00:00Z' }),
    ),
  ).toEqual(['vc_expired'])
})

test('a revoked badge is refused, by either kind of list', async () => {
  const context = [V2, OB, 'https://purl.imsglobal.org/spec/ob/v3p0/extensions.json']
  const told = await signedBadge({
    ...plainBadge(),
    '@context': context,
    credentialStatus: { id: 'https://a.example/r', type: '1EdTechRevocationList' },
  })
  const list = (revokedCredential: unknown) => ({
    reach: async (url: string) => (url === 'https://a.example/r' ? { revokedCredential } : null),
  })
  expect(await codesOf(told, list([]))).toEqual([])
  expect(await codesOf(told, list([{ id: told.id }]))).toEqual(['vc_revoked'])
  expect(await codesOf(told, list([{ id: told.id, revoked: false }]))).toEqual([])

  const bits = (at: number | null) => {
    const bytes = Buffer.alloc(16_384)
    if (at !== null) bytes[at >> 3] = 0x80 >> (at & 7)
    return `u${gzipSync(bytes).toString('base64url')}`
  }
  const status = {
    type: 'BitstringStatusListEntry',
    statusPurpose: 'revocation',
    statusListIndex: '77',
    statusListCredential: 'https://a.example/l',
  }
  const badge = await signedBadge({ ...plainBadge(), credentialStatus: status })
  const key = testKey(11)
  const listed = (encodedList: string, more: object = {}) =>
    signed(
      {
        '@context': [V2],
        id: 'https://a.example/l',
        type: ['VerifiableCredential', 'BitstringStatusListCredential'],
        issuer: `did:key:${key.multibase}`,
        credentialSubject: {
          id: 'https://a.example/l#list',
          type: 'BitstringStatusList',
          statusPurpose: 'revocation',
          encodedList,
        },
        ...more,
      },
      { key: key.key, method: `did:key:${key.multibase}#${key.multibase}`, created: new Date(0) },
    )
  const by = (found: object | null) =>
    codesOf(badge, { reach: async (url: string) => (url === 'https://a.example/l' ? found : null) })
  expect(await by(await listed(bits(null)))).toEqual([])
  expect(await by(await listed(bits(76)))).toEqual([])
  expect(await by(await listed(bits(77)))).toEqual(['vc_revoked'])
  const { proof: _, ...unsigned } = await listed(bits(null))
  for (const wrong of [
    null,
    unsigned,
    await listed('u!!'),
    await listed(bits(null), { validUntil: '2024-01-01T00:00:00Z' }),
  ])
    expect(await by(wrong)).toEqual(['vc_status_unreachable'])
})

const jwt = (header: object, payload: object, key: Parameters<typeof sign>[2], hash: string | null = 'sha256') => {
  const text = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${sign(hash, Buffer.from(text), key).toString('base64url')}`
}
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const jwk = rsa.publicKey.export({ format: 'jwk' })
const codesOfText = async (text: string | Uint8Array) =>
  (await judgeFile(typeof text === 'string' ? Buffer.from(text) : text, { reach: nowhere })).reasons.map(
    ({ code }) => code,
  )

test('tokens: both ways to put a credential in, and what their claims may say', async () => {
  const badge = plainBadge()
  const claims = {
    iss: 'https://university.example/issuer',
    jti: badge.id,
    sub: 'did:example:student',
    nbf: 1_704_067_200,
  }
  const header = { alg: 'RS256', jwk }
  expect(await codesOfText(jwt(header, { ...badge, ...claims }, rsa.privateKey))).toEqual([])
  const whole = await judgeFile(Buffer.from(jwt(header, { vc: badge, ...claims }, rsa.privateKey)), { reach: nowhere })
  expect([whole.reasons, whole.notes.map(({ code }) => code)]).toEqual([[], ['vc_note_key_inside']])
  for (const wrong of [
    { iss: 'https://other.example' },
    { jti: 'urn:x:9' },
    { sub: 'did:example:other' },
    { nbf: 1_704_067_300 },
    { exp: 'soon' },
  ])
    expect(await codesOfText(jwt(header, { vc: badge, ...claims, ...wrong }, rsa.privateKey))).toContain('vc_claim')
  expect(await codesOfText(jwt(header, { vc: badge, exp: 1_704_067_201 }, rsa.privateKey))).toContain('vc_expired')
  expect(
    await codesOfText(
      jwt(header, { vc: { ...badge, validFrom: '2999-01-01T00:00:00Z' }, nbf: 32_472_144_000 }, rsa.privateKey),
    ),
  ).toContain('vc_not_yet')
  expect(await codesOfText(jwt({ ...header, alg: 'none' }, { vc: badge }, rsa.privateKey))).toEqual(['vc_algorithm'])
  expect(await codesOfText(jwt({ ...header, alg: 'HS256' }, { vc: badge }, rsa.privateKey))).toEqual(['vc_algorithm'])
  expect(await codesOfText(jwt({ ...header, crit: ['x'] }, { vc: badge }, rsa.privateKey))).toEqual(['vc_token'])
  expect(await codesOfText(jwt({ alg: 'RS256' }, { vc: badge }, rsa.privateKey))).toEqual(['vc_key_scheme'])
  expect(await codesOfText(jwt({ alg: 'RS256', kid: 'did:velocity:1' }, { vc: badge }, rsa.privateKey))).toEqual([
    'vc_key_scheme',
  ])
  expect(
    await codesOfText(jwt({ alg: 'RS256', kid: 'https://university.example/k' }, { vc: badge }, rsa.privateKey)),
  ).toEqual(['vc_key_unreachable'])
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
  expect(await codesOfText(jwt(header, { vc: badge }, other.privateKey))).toEqual(['vc_signature'])
  // What decodes alike but is written differently.
  const good = jwt(header, { vc: badge }, rsa.privateKey)
  const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = LETTERS[LETTERS.indexOf(good.at(-1)!) + 1]!
  for (const written of [`${good.slice(0, -1)}${last}`, `${good}=`, good.replace('.', '=.'), `${good}.`])
    expect(await codesOfText(written)).toEqual(['vc_unreadable'])
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const point = curve.publicKey.export({ format: 'jwk' })
  const es = {
    key: createPrivateKey(curve.privateKey.export({ format: 'pem', type: 'pkcs8' })),
    dsaEncoding: 'ieee-p1363',
  } as const
  expect(await codesOfText(jwt({ alg: 'ES256', jwk: point }, { vc: badge }, es))).toEqual([])
  expect(await codesOfText(jwt({ alg: 'RS256', jwk: point }, { vc: badge }, es))).toEqual(['vc_signature'])
  const key = testKey(12)
  const own = changed(badge, 'issuer/id', `did:key:${key.multibase}`)
  expect(
    await codesOfText(jwt({ alg: 'EdDSA', kid: `did:key:${key.multibase}#${key.multibase}` }, own, key.key, null)),
  ).toEqual([])
  expect(
    await codesOfText(jwt({ alg: 'EdDSA', kid: `did:key:${key.multibase}#${key.multibase}` }, badge, key.key, null)),
  ).toEqual(['vc_key_not_issuer'])
})

const chunk = (kind: string, data: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(kind), data, Buffer.alloc(4)])
}
const png = (...chunks: Buffer[]) =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.alloc(13)),
    ...chunks,
    chunk('IEND', Buffer.alloc(0)),
  ])
test('badges baked into images', async () => {
  const text = JSON.stringify(await signedBadge())
  const plain = Buffer.concat([Buffer.from('openbadgecredential\0'), Buffer.from([0, 0, 0, 0]), Buffer.from(text)])
  const packed = Buffer.concat([Buffer.from('openbadgecredential\0'), Buffer.from([1, 0, 0, 0]), deflateSync(text)])
  expect(await codesOfText(png(chunk('tEXt', Buffer.from('date\0now')), chunk('iTXt', plain)))).toEqual([])
  expect(await codesOfText(png(chunk('iTXt', packed)))).toEqual([])
  expect(await codesOfText(png(chunk('tEXt', Buffer.from(`openbadgecredential\0${text}`))))).toEqual([])
  expect(await codesOfText(png())).toEqual(['vc_unreadable'])
  expect(await codesOfText(png(chunk('iTXt', plain)).subarray(0, 300))).toEqual(['vc_unreadable'])
  const svg = (inside: string) =>
    `<?xml version="1.0"?><svg xmlns:openbadges="https://purl.imsglobal.org/ob/v3p0">${inside}</svg>`
  expect(await codesOfText(svg(`<openbadges:credential><![CDATA[${text}]]></openbadges:credential>`))).toEqual([])
  expect(
    await codesOfText(
      svg(`<openbadges:credential verify="${jwt({ alg: 'RS256', jwk }, plainBadge(), rsa.privateKey)}"/>`),
    ),
  ).toEqual([])
  expect(await codesOfText(svg(''))).toEqual(['vc_unreadable'])
  const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  const wide = `{"a":[${'0,'.repeat(60_000)}0]}`
  for (const nothing of [deep, wide, '', 'hello', '[1]', '{', Buffer.from([0xff, 0xfe, 0x7b])])
    expect(await codesOfText(nothing)).toEqual(['vc_unreadable'])
})

test('a presentation that is signed, with what is in it', async () => {
  const key = testKey(21)
  const holder = `did:key:${key.multibase}`
  const method = `${holder}#${key.multibase}`
  const badge = await signedBadge()
  const presentation = { '@context': [V2, OB], type: ['VerifiablePresentation'], holder, verifiableCredential: [badge] }
  const by = { key: key.key, method, created: new Date(0) }
  expect(await codesOf(await signed(presentation, by))).toEqual([])
  expect(await codesOf({ ...presentation, verifiableCredential: [{ ...badge, name: 'Diving' }] })).toEqual([
    'vc_signature',
  ])
  expect(await codesOf(await signed({ ...presentation, holder: 'did:example:x' }, by))).toContain('vc_key_not_issuer')
  const own = { ...plainCredential(), issuer: holder }
  expect(await codesOf(await signed({ ...presentation, verifiableCredential: [own] }, by))).toEqual([])
  expect(await codesOf(await signed({ ...presentation, verifiableCredential: [plainCredential()] }, by))).toEqual([
    'vc_self_asserted',
  ])
})

test('one byte that is changed is found, wherever it stands', async () => {
  const written = [
    Buffer.from(JSON.stringify(await signedBadge())),
    Buffer.from(jwt({ alg: 'RS256', jwk }, plainBadge(), rsa.privateKey)),
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...written),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      async (bytes, place, by) => {
        const copy = Buffer.from(bytes)
        copy[place % copy.length]! ^= by
        // White space around it belongs to the file, not to what is signed.
        fc.pre(copy.toString().trim().length === bytes.length)
        expect((await codesOfText(copy)).length, copy.toString()).toBeGreaterThan(0)
      },
    ),
    { numRuns: 400 },
  )
}, 120_000)
