import { expect, test } from 'vitest'
import { ballotOpener, newBallotKeys, sealBallot } from './envelope.server.ts'

const { publicKey, privateKey } = newBallotKeys()

test('what is sealed is opened with the private key, and with no other', () => {
  const sealed = sealBallot({ q1: 5, q2: 'نص' }, publicKey, 400)
  expect(ballotOpener(privateKey)(sealed)).toEqual({ q1: 5, q2: 'نص' })
  expect(() => ballotOpener(newBallotKeys().privateKey)(sealed)).toThrow()
  sealed[100]! ^= 1
  expect(() => ballotOpener(privateKey)(sealed)).toThrow()
})

test('envelopes have one length, and never the same bytes', () => {
  const short = sealBallot({}, publicKey, 400)
  expect(sealBallot({ q1: 'x'.repeat(300) }, publicKey, 400)).toHaveLength(short.length)
  const again = sealBallot({}, publicKey, 400)
  expect(again.subarray(44).equals(short.subarray(44))).toBe(false)
  expect(again.subarray(0, 44).equals(short.subarray(0, 44))).toBe(false)
})

test('answers that are longer than the envelope are refused, not cut', () =>
  expect(() => sealBallot({ q1: 'x'.repeat(400) }, publicKey, 400)).toThrow(RangeError))
