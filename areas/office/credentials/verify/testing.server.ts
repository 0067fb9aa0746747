import { signed, signingKey } from '../issue/sign.server.ts'
import type { SigningKey } from '../issue/sign.server.ts'
import type { JsonObject } from './values.rules.ts'
import { judgeCredential, nowhere } from './verify.server.ts'

/** Keys of tests: each made of one byte. */
export const testKey = (byte: number) => signingKey(new Uint8Array(32).fill(byte))
export const V2 = 'https://www.w3.org/ns/credentials/v2'
export const V1 = 'https://www.w3.org/2018/credentials/v1'
export const OB = 'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json'

/** A credential that nobody signed. */
export const plainCredential = (): Record<string, unknown> => ({
  '@context': [V2],
  type: ['VerifiableCredential'],
  issuer: 'did:example:university',
  credentialSubject: { id: 'did:example:student' },
})
export const plainPresentation = (): Record<string, unknown> => ({
  '@context': [V2],
  type: ['VerifiablePresentation'],
  holder: 'did:example:student',
  verifiableCredential: [{ ...plainCredential(), issuer: 'did:example:student' }],
})
/** A badge before it is signed by a key of its issuer. */
export const plainBadge = (): Record<string, unknown> => ({
  '@context': [V2, OB],
  id: 'https://university.example/credentials/1',
  type: ['VerifiableCredential', 'OpenBadgeCredential'],
  name: 'Swimming',
  issuer: { id: 'https://university.example/issuer', type: ['Profile'], name: 'A university' },
  validFrom: '2024-01-01T00:00:00Z',
  credentialSubject: {
    id: 'did:example:student',
    type: ['AchievementSubject'],
    achievement: {
      id: 'https://university.example/achievements/1',
      type: ['Achievement'],
      name: 'Swimming',
      description: 'Swims a hundred metres',
      criteria: { narrative: 'Swim a hundred metres' },
    },
  },
})
const OWNER = testKey(7)
export const signedBadge = (
  document: JsonObject = plainBadge(),
  {
    key = OWNER,
    method = `https://university.example/issuer#${OWNER.multibase}`,
  }: { key?: SigningKey; method?: string } = {},
) => signed(document, { key: key.key, method, created: new Date('2024-01-01T00:00:00Z') })

/** Codes of the reasons for which a document is refused. */
export const codesOf = async (
  document: object,
  judging: Partial<Parameters<typeof judgeCredential>[1]> = {},
): Promise<string[]> =>
  (await judgeCredential({ document: { ...document } }, { reach: nowhere, ...judging })).reasons.map(({ code }) => code)

/** Sets what stands at a path; undefined takes it away. */
export function changed(document: JsonObject, path: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(document) as Record<string, unknown>
  const keys = path.split('/')
  let at: Record<string, unknown> = copy
  for (const key of keys.slice(0, -1)) at = at[key] as Record<string, unknown>
  if (value === undefined) delete at[keys.at(-1)!]
  else at[keys.at(-1)!] = value
  return copy
}
