import { expect, test } from 'vitest'
import { checkOutsider, isAddress, outsidersIn } from './outsider.rules.ts'

test.each([
  ['nadia@delta.example', true],
  ['nadia.selim+hr@mail.delta.example', true],
  ['nadia@delta', false],
  ['nadia delta.example', false],
  ['a@b@c.example', false],
  ['@delta.example', false],
  [`${'a'.repeat(195)}@b.example`, false],
])('%s is an address: %s', (text, is) => expect(isAddress(text)).toBe(is))

const said = { name: 'Nadia', organisation: null, email: 'n@d.example' }
test.each([
  [said, null, []],
  [{ ...said, name: '' }, null, ['outsider_name']],
  [{ ...said, name: 'x'.repeat(201) }, null, ['outsider_long']],
  [{ ...said, organisation: 'x'.repeat(201) }, null, ['outsider_long']],
  [{ ...said, email: '' }, null, ['outsider_no_address']],
  [{ ...said, email: 'nobody' }, null, ['outsider_address']],
  [said, 2, ['outsider_twice']],
  [{ name: '', organisation: null, email: 'x' }, null, ['outsider_name', 'outsider_address']],
])('%j after %j', (one, first, codes) => expect(checkOutsider(one, first).map(({ code }) => code)).toEqual(codes))

test('lines are read as people paste them, in any order of cells', () => {
  expect(
    outsidersIn(
      [
        'Nadia Selim\tDelta Engineering\tNadia@Delta.example',
        'karim@nile.example; Karim Fouad; "Nile Bank"',
        '',
        'Mona Adel <mona@gulf.example>',
        'سامي حسن، مستشفى النور، sami@nour.example',
      ].join('\r\n'),
    ),
  ).toEqual({
    rows: [
      { name: 'Nadia Selim', organisation: 'Delta Engineering', email: 'nadia@delta.example' },
      { name: 'Karim Fouad', organisation: 'Nile Bank', email: 'karim@nile.example' },
      { name: 'Mona Adel', organisation: null, email: 'mona@gulf.example' },
      { name: 'سامي حسن', organisation: 'مستشفى النور', email: 'sami@nour.example' },
    ],
    wrong: [],
  })
})

test('what is wrong is told by its line, also an address that stands there twice', () => {
  const { rows, wrong } = outsidersIn('Nadia, n@d.example\nNobody\n\nNadia again, N@d.example')
  expect(rows).toHaveLength(1)
  expect(wrong.map(({ line, reasons }) => [line, reasons.map(({ code, data }) => [code, data?.row])])).toEqual([
    [2, [['outsider_no_address', undefined]]],
    [4, [['outsider_twice', 1]]],
  ])
})
