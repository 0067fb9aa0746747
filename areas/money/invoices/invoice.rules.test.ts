import { expect, test } from 'vitest'
import { checkNote, checkReverse } from './invoice.rules.ts'

const reverse = (more: object) => checkReverse({ reversed: false, ...more } as never).map(({ code }) => code)
test.each<[string, object, string[]]>([
  ['as it stands', {}, []],
  ['once', { reversed: true }, ['invoice_is_reversed']],
  ['while all of its deposit is held', { deposit: { charged: 100, held: 100 } }, []],
  ['not when some of the deposit went back', { deposit: { charged: 100, held: 40 } }, ['invoice_deposit_back']],
  [
    'once, whatever became of the deposit',
    { reversed: true, deposit: { charged: 100, held: 0 } },
    ['invoice_is_reversed'],
  ],
])('an invoice is reversed %s', (_, more, codes) => {
  expect(reverse(more)).toEqual(codes)
})

const note = (more: object) =>
  checkNote({ charged: 100, currency: 'EGP', reversed: false, change: 10, ...more } as never).map(({ code }) => code)
test.each<[object, string[]]>([
  [{}, []],
  [{ change: -100 }, []],
  [{ change: -101 }, ['note_too_much']],
  [{ change: 0 }, ['note_nothing']],
  [{ reversed: true, change: 0 }, ['invoice_is_reversed', 'note_nothing']],
])('a note of %o', (more, codes) => {
  expect(note(more)).toEqual(codes)
})
