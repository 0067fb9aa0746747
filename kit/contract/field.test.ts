import { expect, test } from 'vitest'
import { z } from 'zod'
import { f } from './field.ts'
import { reasonsOfZod } from './issues.ts'

const name = ['Name', 'اسم'] as const
const codes = (schema: z.ZodType, value: unknown): string[] => {
  const read = schema.safeParse(value, { reportInput: true })
  return read.success ? [] : reasonsOfZod(read.error).map((one) => one.code)
}

test.each<[field: { schema: z.ZodType }, right: readonly string[], wrong: Readonly<Record<string, string>>]>([
  [
    f.text(name),
    ['Plain text', 'نص', '-5 of 7', 'a < b'],
    {
      'a\u0007b': 'text_control_characters',
      'a\u200bb': 'text_control_characters',
      'a\u202eb': 'text_direction_controls',
      '<b>bold</b>': 'text_html',
      '=1+1': 'text_formula',
      '@sum': 'text_formula',
      ['x'.repeat(201)]: 'too_long',
    },
  ],
  [f.englishText(name, { person: true }), ['Jean-Luc O’Neill'], { منى: 'english_only', 'Mona 2': 'letters_only' }],
  [
    f.localText(name, { person: true }),
    ['منى عادل'],
    { Mona: 'arabic_only', 'منى Mona': 'arabic_only', 'منى ٢': 'letters_only' },
  ],
  // Not of a person: foreign letters stand among Arabic ones, and not alone.
  [f.localText(name), ['منى عادل', 'لغة C++'], { Mona: 'arabic_only', 'C++': 'arabic_only' }],
  [f.code(name, { year: true }), ['2022', '2022/2023', '2022-23'], { '22': 'year_not_valid' }],
  [
    f.decimal(name, { places: 2, min: 1, max: 10 }),
    ['1', '10', '9.99', ' 2 '],
    { '0.99': 'out_of_range', '10.01': 'out_of_range', '-5': 'out_of_range' },
  ],
  [f.email(name), ['Mona@University.example'], { 'mona@': 'email_not_valid', mona: 'email_not_valid' }],
  [f.phone(name), ['+201001234567', '5551234'], { '555123': 'mobile_not_valid', '555-1234': 'mobile_not_valid' }],
  [f.nationalId(name), ['30102031200015'], { '3010203120001': 'national_id_digits' }],
  [f.passport(name), ['A1234567'], { A123456: 'passport_not_valid', 'A-1234567': 'passport_not_valid' }],
  [f.date(name), ['2026-02-28'], { '2026-02-30': 'date_not_valid', '0999-01-01': 'date_not_valid' }],
])('%#: what a field takes, and by what word it refuses', ({ schema }, right, wrong) => {
  for (const value of right) expect(codes(schema, value), value).toEqual([])
  for (const [value, code] of Object.entries(wrong)) expect(codes(schema, value), value).toEqual([code])
})

test('a passport that begins small is told that first', () => {
  expect(codes(f.passport(name).schema, 'a1234567')).toContain('passport_first_letter')
})

test('a number has so many places, and lies between its bounds', () => {
  const { schema } = f.number(name, { places: 2, min: 1, max: 10 })
  for (const right of [1, 1.25, 10]) expect(codes(schema, right), String(right)).toEqual([])
  for (const wrong of [0.99, 10.01, 1.255]) expect(codes(schema, wrong), String(wrong)).toHaveLength(1)
})

test('a list has so many entries as its schema says', () => {
  expect(codes(z.array(z.int()).min(2), [1])).toEqual(['too_few'])
  expect(codes(z.array(z.int()).max(1), [1, 2])).toEqual(['too_many'])
})
