import { describe, expect, it } from 'vitest'
import {
  base32,
  totpCodeOf,
  judgeCode,
  nextStep,
  plainCode,
  recoveryCode,
  totpStepAt,
  totpAddress,
} from './totp.server.ts'

/** The secret and the moments of RFC 6238, appendix B; its codes have eight digits, of which ours are the last six. */
const SECRET = Buffer.from('12345678901234567890')

describe('codes of authenticator apps', () => {
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('at second %i the code is %s', (seconds, code) => {
    expect(totpCodeOf(SECRET, totpStepAt(seconds))).toBe(code)
    expect(judgeCode(SECRET, code, seconds, 0)).toEqual({ step: totpStepAt(seconds) })
  })

  const now = 1_800_000_015
  const at = (off: number) => judgeCode(SECRET, totpCodeOf(SECRET, totpStepAt(now) + off), now, 0)
  it('one half minute before and after is taken, no more', () => {
    expect([at(-1), at(0), at(1)].map((v) => 'step' in v)).toEqual([true, true, true])
    expect([at(-2), at(2)].map((v) => 'step' in v)).toEqual([false, false])
  })
  it('a clock that is minutes off is told, in minutes; further off it is a wrong code', () => {
    expect([at(-4), at(4), at(-2), at(10)]).toEqual([
      { refused: 'code_clock', minutes: 2 },
      { refused: 'code_clock', minutes: 2 },
      { refused: 'code_clock', minutes: 1 },
      { refused: 'code_clock', minutes: 5 },
    ])
    expect(at(11)).toEqual({ refused: 'code_wrong' })
  })
  it('a code that was taken, and every one before it, is used up', () => {
    const step = totpStepAt(now)
    expect(judgeCode(SECRET, totpCodeOf(SECRET, step), now, step)).toEqual({ refused: 'code_used' })
    expect(judgeCode(SECRET, totpCodeOf(SECRET, step - 1), now, step)).toEqual({ refused: 'code_used' })
    expect(judgeCode(SECRET, totpCodeOf(SECRET, step + 1), now, step)).toEqual({ step: step + 1 })
  })
  it('what is no code of six digits is wrong', () => {
    const code = totpCodeOf(SECRET, totpStepAt(now))
    for (const given of ['', code.slice(1), `${code}0`, 'abcdef']) {
      expect(judgeCode(SECRET, given, now, 0)).toEqual({ refused: 'code_wrong' })
    }
  })
  it('digits are read in every script, whatever stands between them', () => {
    expect(plainCode(' 123 456 ')).toBe('123456')
    expect(plainCode('١٢٣ ٤٥٦')).toBe('123456')
    expect(plainCode('۱۲۳۴۵۶')).toBe('123456')
    expect(plainCode('ABCDE-FGH23')).toBe('abcdefgh23')
  })
  it('apps are told the secret as RFC 4648 writes it, and whose it is', () => {
    expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI')
    expect(base32(SECRET)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
    expect(totpAddress(SECRET, 'Canopus University', 'a@x.example')).toBe(
      'otpauth://totp/Canopus%20University:a%40x.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Canopus%20University&algorithm=SHA1&digits=6&period=30',
    )
    expect(recoveryCode(Buffer.from('foobarx'))).toBe('mzxw6-ytboj')
  })
})

it('what follows a first factor', () => {
  const step = (has: boolean, required: boolean, asked = true) => nextStep({ has, required, asked })
  expect([step(false, false), step(true, false), step(false, true), step(true, true)]).toEqual([
    'in',
    'prove',
    'enrol',
    'prove',
  ])
  expect([step(true, false, false), step(false, true, false)]).toEqual(['in', 'in'])
})
