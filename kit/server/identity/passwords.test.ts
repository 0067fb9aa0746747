import { describe, expect, test } from 'vitest'
import { isBreached, makeFilter } from './breached.ts'
import { Refusal } from '../base/errors.ts'
import { checkPassword, hashPassword, isKnownPassword, placesOf, verifyPassword } from './passwords.ts'

const refusal = (work: () => void): unknown => {
  try {
    work()
    return undefined
  } catch (error) {
    return error instanceof Refusal ? error.reasons[0] : error
  }
}

describe('passwords', () => {
  test('a hash is argon2id and knows its password, however it was typed', async () => {
    const hash = await hashPassword('كلمة طويلة ٢٧ é')
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await verifyPassword(hash, 'كلمة طويلة ٢٧ é')).toBe(true)
    // The accent as a character of its own, digits of another script.
    expect(await verifyPassword(hash, 'كلمة طويلة ٢٧ e\u0301')).toBe(true)
    expect(await verifyPassword(hash, 'كلمة طويلة ٢٧ e')).toBe(false)
  })

  test('an unknown account takes as long as a wrong password', async () => {
    const hash = await hashPassword('three quiet rivers')
    await verifyPassword(null, 'warm up')
    const time = async (work: () => Promise<boolean>): Promise<number> => {
      const taken: number[] = []
      for (let i = 0; i < 7; i++) {
        const start = performance.now()
        expect(await work()).toBe(false)
        taken.push(performance.now() - start)
      }
      return taken.toSorted((a, b) => a - b)[3]!
    }
    const known = await time(() => verifyPassword(hash, 'not this one'))
    const unknown = await time(() => verifyPassword(null, 'not this one'))
    // A busy machine measures roughly; an answer without the work of a password would be hundreds of times quicker.
    expect(unknown / known).toBeGreaterThan(0.2)
    expect(unknown / known).toBeLessThan(5)
  })

  test('a broken hash is no password', async () => {
    expect(await verifyPassword('not a hash', 'whatever it is')).toBe(false)
  })

  test.each([
    'password123',
    'Passw0rd!!',
    'P@ssw0rd2024',
    '1234567890',
    '01234567890123',
    'qwertyuiop',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    'Mohamed2005',
    'ahmedahmed1',
    'iloveyou2024',
    'Welcome@2025',
    '1qaz2wsx3edc',
    'admin12345!',
    'Cairo-Egypt-1',
    'liverpool.2020',
    'محمد١٩٩٠١٢٣',
    '19/05/2001',
  ])('%s is known to attackers', (password) => {
    expect(isKnownPassword(password)).toBe(true)
  })

  test.each([
    'three quiet rivers',
    'Canopus-Lighthouse-27',
    'gR7#kk2!vPq9',
    'نهر هادئ وثلاث نخلات',
    'correct horse battery staple',
  ])('%s is not', (password) => {
    expect(isKnownPassword(password)).toBe(false)
    expect(refusal(() => checkPassword(password))).toBeUndefined()
  })

  test.each(['avadakedavra', 'usuckballz1', 'ABABAGALAMAGA', 'cgfhnfrxtvgbjy'])(
    '%s was made public by a breach',
    (password) => {
      expect(refusal(() => checkPassword(password))).toMatchObject({ field: 'password', code: 'password_breached' })
    },
  )

  test('a filter knows all it was made of, whatever their case, and hardly ever anything else', () => {
    const known = Array.from({ length: 3000 }, (_, i) => `Breached-${i * 7919}`)
    const filter = makeFilter([...known, 'short'])
    expect(known.every((one) => isBreached(one.toUpperCase(), filter))).toBe(true)
    const others = Array.from({ length: 20_000 }, (_, i) => `another password ${i}`)
    expect(others.filter((one) => isBreached(one, filter)).length).toBeLessThan(20)
    expect(others.filter((one) => isBreached(one)).length).toBeLessThan(20)
  })

  test('the own name and address are no secrets', () => {
    const about = ['Layla Fouad', 'ليلى فؤاد', 'l.fouad77@university.example']
    expect(isKnownPassword('LaylaFouad2005', about)).toBe(true)
    expect(isKnownPassword('fouad77!fouad77', about)).toBe(true)
    expect(isKnownPassword('three quiet rivers', about)).toBe(false)
  })

  test.each([
    'NileValley2026!',
    'n1le-valley_99',
    'nilevalleyuniversity1',
    'nilevalley.edu.eg',
    'Nvu@Nilevalley1',
    'وادي النيل ٢٠٢٦',
    'جامعةوادىالنيل1',
    'جامعه وادي النيل',
  ])('%s says where one studies', (password) => {
    const of = placesOf([
      'Nile Valley University',
      'جامعة وادي النيل',
      'nilevalley.edu.eg',
      'https://ems.nvu-portal.eg',
    ])
    expect(refusal(() => checkPassword(password, [], of))).toMatchObject({
      field: 'password',
      code: 'password_university',
    })
    expect(refusal(() => checkPassword('three quiet rivers', [], of))).toBeUndefined()
  })

  test.each([
    'habibi123456',
    '7abibi2026!!',
    'Mohamed@Ahmed1',
    'bismillah2025',
    'بسم الله الرحمن',
    'كلمة السر 123',
    'حبيبتي١٢٣٤٥',
    'يا رب يا رب 1',
    'عبدالرحمن2005',
    'inshallah100%',
    'ma4allah2020',
    'الحمد لله 99',
  ])('%s is common where Arabic is spoken', (password) => {
    expect(refusal(() => checkPassword(password))).toMatchObject({ code: 'password_breached' })
  })

  test('short ones are refused before anything else', () => {
    expect(refusal(() => checkPassword('gR7#kk2!v'))).toMatchObject({
      field: 'password',
      code: 'password_too_short',
      data: { min: 10 },
    })
    expect(refusal(() => checkPassword('password123'))).toMatchObject({ field: 'password', code: 'password_breached' })
  })
})
