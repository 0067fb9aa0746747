import { afterEach, expect, test, vi } from 'vitest'
import { ProviderDown } from '../providers/provider.server.ts'
import { taxAuthority } from './authority.server.ts'
import type { TaxSettings } from './authority.server.ts'

const settings = { url: 'https://tax.example', idUrl: 'https://id.example', seller: {} } as unknown as TaxSettings
/** The authority gives a token, and then answers so. */
function answering(status: number, body: unknown) {
  const fetched = vi.fn(async (url: URL) =>
    url.host === 'id.example'
      ? Response.json({ access_token: 'a', expires_in: 3600 })
      : new Response(typeof body === 'string' ? body : JSON.stringify(body), { status }),
  )
  vi.stubGlobal('fetch', fetched)
  return taxAuthority(settings)
}
afterEach(() => vi.unstubAllGlobals())

test.each<[string, number, unknown, unknown]>([
  ['valid', 200, { receipt: { status: 'Valid' } }, { state: 'valid', reasons: [] }],
  ['valid, said outside', 200, { status: 'valid' }, { state: 'valid', reasons: [] }],
  ['not judged yet', 200, { receipt: { status: 'Submitted' } }, { state: 'sent', reasons: [] }],
  ['unknown', 404, {}, null],
  [
    'rejected with a reason',
    200,
    { receipt: { status: 'Invalid' }, validationResults: { validationSteps: [{ error: 'Wrong total', code: 'T1' }] } },
    { state: 'rejected', reasons: [{ code: 'T1', message: 'Wrong total', path: null }] },
  ],
  [
    'cancelled without one',
    200,
    { receipt: { status: 'Cancelled' } },
    { state: 'rejected', reasons: [{ code: 'cancelled', message: 'cancelled', path: null }] },
  ],
])('a receipt is %s', async (_, status, body, told) => {
  expect(await answering(status, body).status('u')).toEqual(told)
})

test.each<[number, unknown]>([
  [400, {}],
  [401, {}],
  [403, {}],
  [302, {}],
  [429, {}],
  [500, {}],
  [200, '<html>'],
])('an answer of %i says nothing of a receipt', async (status, body) => {
  await expect(answering(status, body).status('u')).rejects.toThrow(ProviderDown)
  await expect(answering(status, body).submit([{ uuid: 'u', text: '{}' }])).rejects.toThrow(ProviderDown)
})

test('what is accepted and what is not is told of each', async () => {
  const answer = {
    submissionId: 's',
    acceptedDocuments: [{ uuid: 'a' }],
    rejectedDocuments: [{ uuid: 'b', error: { details: [{ code: 'X', message: 'Wrong', propertyPath: 'total' }] } }],
  }
  for (const status of [200, 202])
    expect(await answering(status, answer).submit([])).toEqual({
      submission: 's',
      accepted: ['a'],
      rejected: [{ uuid: 'b', reasons: [{ code: 'X', message: 'Wrong', path: 'total' }] }],
    })
})

test.each<[number, unknown]>([
  [400, { error: 'invalid_client' }],
  [200, {}],
  [401, { access_token: 'a' }],
])('a device that is answered with %i and no token asks nothing more', async (status, body) => {
  const fetched = vi.fn(async () => Response.json(body, { status }))
  vi.stubGlobal('fetch', fetched)
  await expect(taxAuthority(settings).status('u')).rejects.toThrow(ProviderDown)
  expect(fetched).toHaveBeenCalledTimes(1)
})
