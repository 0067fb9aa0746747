import { beforeAll, describe, expect, it } from 'vitest'
import { dayOf } from '#kit/contract/day.ts'
import { ApiError } from '../api/error.ts'
import { errorText, isolate, label, loadTexts, problemText, translate, travelled } from './catalogue.ts'
import {
  formatDate,
  formatMoney,
  formatNumber,
  formatShort,
  latinDigits,
  nameOf,
  otherNameOf,
  shorten,
  withHeading,
} from './format.ts'
import { LANGUAGES } from './language.ts'

beforeAll(() => Promise.all(LANGUAGES.map((l) => loadTexts('kit', l))))

describe('texts', () => {
  it('count in all six Arabic forms', () => {
    const count = (n: number) => translate('kit', 'unread', { count: n }, 'ar')
    expect([0, 1, 2, 3, 11, 100].map(count)).toEqual([
      'لا إشعارات غير مقروءة',
      'إشعار واحد غير مقروء',
      'إشعاران غير مقروءين',
      '3 إشعارات غير مقروءة',
      '11 إشعارًا غير مقروء',
      '100 إشعار غير مقروء',
    ])
    expect(translate('kit', 'unread', { count: 1284 }, 'de')).toContain('1.284')
  })
  it('count as the Portuguese of Portugal does: none are several', async () => {
    await loadTexts('kit-screens', 'pt')
    const count = (n: number) => translate('kit-screens', 'count', { count: n }, 'pt')
    expect([0, 1, 2].map(count)).toEqual(['0 registos', '1 registo', '2 registos'])
  })
  it('keep foreign names and ranges in their own order', () => {
    expect(isolate('Sara', 'ar')).toBe('\u2068Sara\u2069')
    expect(isolate('2025-2026', 'ar')).toBe('\u20682025-2026\u2069')
    expect(isolate('سارة', 'ar')).toBe('سارة')
    expect(isolate('سارة', 'en')).toBe('\u2068سارة\u2069')
    expect(isolate('Sara', 'en')).toBe('Sara')
    expect(translate('kit', 'impersonation_banner', { name: 'سارة' }, 'en')).toBe(
      'You are signed in as \u2068سارة\u2069.',
    )
  })
  it('labels and refusals come in the reader’s language, and in English where a language has none', () => {
    expect(label(['Home', 'الرئيسية'], 'de')).toBe('Start')
    expect(label(['Unheard', 'غير مسموع'], 'fr')).toBe('Unheard')
    const problem = {
      field: null,
      code: 'too_long',
      en: 'At most 20 characters.',
      ar: 'الحد الأقصى 20 حرفًا.',
      data: { max: 20 },
    }
    expect(problemText(problem, 'fr')).toBe('Au plus 20 caractères.')
    expect(problemText(problem, 'ar')).toBe(problem.ar)
    expect(errorText(new ApiError(422, { message: 'invalid_input', errors: [problem] }), 'pt')).toBe(
      'No máximo 20 caracteres.',
    )
    expect(errorText(new ApiError(0, { message: 'offline' }), 'en')).toContain('cannot be reached')
    expect(errorText(new Error('boom'), 'en')).not.toContain('boom')
  })
  it('a day in a refusal is written as people write it', async () => {
    await loadTexts('specializations', 'de')
    const problem = { field: null, code: 'specialization_over', en: 'en', ar: 'ar', data: { end: '2026-11-05' } }
    expect(problemText(problem, 'de').replace(/[\u2066-\u2069]/g, '')).toContain('5. Nov. 2026')
  })
  it('an amount that travels is written as people write it', async () => {
    await loadTexts('transactions', 'de')
    const told = (amount: string) =>
      travelled({ key: 'transactions.work_due', data: { amount } }, 'de').replace(/\s/g, ' ')
    expect(told('12250.50 EGP')).toContain('12.250,50 EGP')
    expect(told('EGP')).toContain('EGP')
  })
  it('an amount in a refusal is written as people write it', async () => {
    await loadTexts('transactions', 'de')
    const problem = { field: null, code: 'refund_too_much', en: 'en', ar: 'ar', data: { left: '40900.00 EGP' } }
    expect(problemText(problem, 'de').replace(/\s/g, ' ')).toContain('40.900,00 EGP')
  })
  it('an expression within a refusal comes in the reader’s language too', async () => {
    await loadTexts('registration', 'de')
    const data = { missing: 'A1 and A2', missing_local: 'A1 وA2', missing_de: 'A1 und A2' }
    const problem = { field: null, code: 'prerequisites', en: 'en', ar: 'ar', data }
    expect(problemText(problem, 'de')).toBe('Voraussetzungen fehlen: A1 und A2')
  })
})

describe('numbers, dates, names', () => {
  it('use Latin digits in Arabic', () => {
    expect(formatNumber(1284.5, undefined, 'ar')).toBe('1,284.5')
    expect(formatDate('2026-11-05', 'short', 'ar')).toContain('2026')
    expect(formatDate('2026-11-05', 'long', 'en')).toBe('5 November 2026')
    expect(formatMoney(125050, 'EGP', 'en').replace(/\s/g, ' ')).toBe('EGP 1,250.50')
    // The currency stands on one side, with a sign and without.
    const plain = (minor: number) => formatMoney(minor, 'EGP', 'ar').replace(/[\u2066\u2069]/g, '')
    expect(plain(-125050)).toBe(plain(125050).replace('1,250', '-1,250'))
    expect(latinDigits('٢٠٢٦ ۱۲')).toBe('2026 12')
  })
  it('what something is stands after its name, in French after a space that never breaks', () => {
    expect(withHeading('Faculty', 'Medicine', 'en')).toBe('Faculty: Medicine')
    expect(withHeading('Faculté', 'Médecine', 'fr')).toBe('Faculté\u00A0: Médecine')
  })
  it('an instant is shown as the day on which it falls here, and a day is never shifted', () => {
    // Late in the evening of UTC it is the next day in half of the world, or still the day before in the other.
    for (const instant of ['2026-09-19T22:30:00.000Z', '2026-09-20T02:30:00.000Z'])
      expect(formatDate(instant, 'short', 'en')).toBe(formatDate(dayOf(instant), 'short', 'en'))
    expect(formatDate('2026-09-20', 'short', 'en')).toBe('20 Sept 2026')
  })
  it('names are in the reader’s language, with the other beneath', () => {
    const row = { name: 'Sara', name_local: 'سارة' }
    expect([nameOf(row, 'ar'), otherNameOf(row, 'ar'), nameOf(row, 'fr'), otherNameOf(row, 'fr')]).toEqual([
      'سارة',
      'Sara',
      'Sara',
      'سارة',
    ])
    expect(nameOf({ name: 'Sara', name_local: null }, 'ar')).toBe('Sara')
    expect(otherNameOf({ name: 'Sara', name_local: 'Sara' }, 'ar')).toBeNull()
    expect(shorten('ABCDEFGHIJKLMNOPQRSTUV')).toBe('ABCDEFGHIJKLMNOPQR…')
  })
})

it('an Arabic figure of an axis is read from the right: the number, then its word', () => {
  expect(formatShort(346_300, 'ar')).toBe('\u2067346.3\u00A0ألف\u2069')
  expect(formatShort(1_250_000, 'en')).toBe('1.3m')
})
